/** Files that hold no table that is read: recognised by their contents, with what to do instead. */

const asTable = 'save it as CSV, TSV, SDF or .xlsx'

const binarySigns: readonly [bytes: readonly number[], reason: string][] = [
  [[0xd0, 0xcf, 0x11, 0xe0], 'This is an old Excel workbook (.xls); save it as .xlsx.'],
  [[0x25, 0x50, 0x44, 0x46], `This is a PDF; ${asTable}.`],
  [[0x42, 0x5a, 0x68], 'This is a bzip2 archive; unpack it first.'],
  [[0xfd, 0x37, 0x7a, 0x58, 0x5a], 'This is an xz archive; unpack it first.'],
  [[0x37, 0x7a, 0xbc, 0xaf], 'This is a 7-Zip archive; unpack it first.'],
  [[0x52, 0x61, 0x72, 0x21], 'This is a RAR archive; unpack it first.'],
  [[0x50, 0x41, 0x52, 0x31], `This is a Parquet file; ${asTable}.`],
  [[0x56, 0x6a, 0x43, 0x44], 'This is a ChemDraw file (.cdx); save it as SDF or SMILES.'],
]

const textSigns: readonly [sign: RegExp, reason: string][] = [
  [/^@<TRIPOS>/m, 'This is a MOL2 file; save it as SDF.'],
  [/<CDXML\b/, 'This is a ChemDraw file (.cdxml); save it as SDF or SMILES.'],
  [/\bs_m_m2io_version\b|^f_m_ct\b/m, 'This is a Maestro file (.mae); save it as SDF.'],
  [
    /^<datawarrior-fileinfo>/m,
    'This is a DataWarrior file (.dwar); save it as SDF or as a tab-separated text.',
  ],
  [
    /^REMARK VINA RESULT|^ENDMDL|^TORSDOF|^ROOT *$/m,
    'This is the output of a docking program; convert it to SDF or SMILES.',
  ],
  [/^\$RXN|^\$RDFILE/m, 'This is a reaction file; save its molecules as SDF.'],
  [
    /^(?:HEADER|CRYST1|ATOM {2}|HETATM)/m,
    'This is a protein structure: it is a target, not a list of compounds.',
  ],
  [/^\s*>\S.*\n[A-Z\s*]+$/, 'This is a sequence file: it is a target, not a list of compounds.'],
  [/^\s*<(?:!DOCTYPE|\?xml|html)/i, `This is a web page or XML; ${asTable}.`],
  [/^\s*[{[]\s*["{[]/, `This is JSON; ${asTable}.`],
]

/** The reason, or null for a file that may be read. `isZip`: a zip archive that is no workbook is named by its parts. */
export function foreignBytes(bytes: Uint8Array): string | null {
  return binarySigns.find(([sign]) => sign.every((byte, at) => bytes[at] === byte))?.[1] ?? null
}

/** The length of text in which formats are recognised. */
const START_CHARACTERS = 20_000

export function foreignText(text: string): string | null {
  const start = text.slice(0, START_CHARACTERS).replaceAll(/\r\n?/g, '\n')
  return textSigns.find(([sign]) => sign.test(start))?.[1] ?? null
}

/** A table without SMILES, whose molecules are InChI. */
export function onlyInchi(rows: string[][]): string | null {
  const isInchi = rows.some((row) => row.some((cell) => /^InChI=1S?\//.test(cell)))
  return isInchi ? 'InChI is not read: add a column of SMILES, or save the molecules as SDF.' : null
}
