/** Recognises what is not a list of SMILES, so that the answer can say what it is. */

/** Enough of a file to tell by. */
const START_CHARACTERS = 20_000

type Sign = readonly [pattern: RegExp, reason: string]

/** Looked for at the start of the file, in this order. */
const fileSigns: readonly Sign[] = [
  [
    // oxlint-disable-next-line no-control-regex -- the mark of a zip archive
    /^PK[\u0003\u0005]/,
    'This is a zip archive or an Office document; save the list as plain text.',
  ],
  [/^%PDF-/, 'This is a PDF; save the list as plain text.'],
  [/^\uFFFD{0,2}(?:[^\0]\0[^\0]\0|\0[^\0]\0)/, 'This text is stored as UTF-16; save it as UTF-8.'],
  // oxlint-disable-next-line no-control-regex -- no text holds it
  [/\0/, 'This is not a text file.'],
  [
    /^(?:HEADER|COMPND|REMARK|CRYST1|MODEL |ATOM {2}|HETATM)/,
    'This is a PDB structure file: it is a target, not a list of compounds.',
  ],
  [
    /^[^\n]*V[23]000 *$|^M {2}END *$|^\$\$\$\$ *$/m,
    'This is an SD or MOL file; convert it to a list of SMILES first.',
  ],
  [/^@<TRIPOS>/m, 'This is a MOL2 file; convert it to a list of SMILES first.'],
  [/^\$RXN/, 'This is a reaction file; convert its molecules to SMILES first.'],
  [/^(?:#[^\n]*\n|\s)*data_/, 'This is a CIF file; a list of SMILES is needed.'],
  [/^\s*>/, 'This is a FASTA sequence file; a list of SMILES is needed.'],
  [/^\s*<[!?A-Za-z]/, 'This is a web page or XML file; a list of SMILES is needed.'],
  [/^\s*\{/, 'This is a JSON file; a list of SMILES is needed.'],
]

const lineSigns: readonly Sign[] = [
  [/^"?InChI=/i, 'This is an InChI; convert it to a SMILES first.'],
  [/^[A-Z]{14}-[A-Z]{10}-[A-Z]$/, 'This is an InChIKey, which does not hold the molecule itself.'],
  [
    /^[^\s,;]+[,;]/,
    'This looks like a row of a table; write a space or a tab between the SMILES and the name.',
  ],
  [/^"/, 'This looks like a row of a table; write the SMILES without quotation marks.'],
]

/** The place and the reason where the file is of another kind; null where it may be a list. */
export function findForeignFile(text: string): { line: number; reason: string } | null {
  const start = text.slice(0, START_CHARACTERS).replaceAll('\r\n', '\n').replaceAll('\r', '\n')
  for (const [pattern, reason] of fileSigns) {
    const match = pattern.exec(start)
    if (match) return { line: start.slice(0, match.index).split('\n').length, reason }
  }
  return null
}

/** The reason where the first word of a line is no SMILES but something else that we know. */
export function findForeignWord(word: string): string | null {
  return lineSigns.find(([pattern]) => pattern.test(word))?.[1] ?? null
}
