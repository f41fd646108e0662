/** Files that hold no table that is read: recognised by their contents, with what to do instead. */

const asTable = 'save it as CSV, TSV, SDF or .xlsx'
const unpacked = 'unpack it first'

/** The first bytes of a kind of file, in hexadecimal. */
const binarySigns: readonly [sign: string, kind: string, advice: string][] = [
  ['504b0304', 'a zip archive or an Office document', asTable],
  ['504b0506', 'an empty zip archive', asTable],
  ['d0cf11e0', 'an old Office document (.xls, .doc)', 'save it as .xlsx'],
  ['1f8b', 'a gzip archive', unpacked],
  ['425a68', 'a bzip2 archive', unpacked],
  ['fd377a585a', 'an xz archive', unpacked],
  ['28b52ffd', 'a Zstandard archive', unpacked],
  ['377abcaf', 'a 7-Zip archive', unpacked],
  ['52617221', 'a RAR archive', unpacked],
  ['25504446', 'a PDF document', asTable],
  ['50415231', 'a Parquet file', asTable],
  ['566a4344', 'a ChemDraw file (.cdx)', 'save it as SDF or SMILES'],
  ['89504e47', 'a picture', 'write the molecules as SMILES'],
  ['ffd8ff', 'a picture', 'write the molecules as SMILES'],
  ['47494638', 'a picture', 'write the molecules as SMILES'],
  ['7f454c46', 'a program', asTable],
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
  [
    /^(?:HEADER|CRYST1|ATOM {2}|HETATM)/m,
    'This is a protein structure: it is a target, not a list of compounds.',
  ],
  [
    /^(?:COMPND|REMARK|MODEL )|^(?:#[^\n]*\n|\s)*data_/,
    'This is a structure file: it is a target, not a list of compounds.',
  ],
  [/^\s*>/, 'This is a FASTA sequence file: it is a target, not a list of compounds.'],
  [/^\s*<[!?a-z]/i, `This is a web page or XML; ${asTable}.`],
  [/^\s*[{[]\s*["{[]/, `This is JSON; ${asTable}.`],
]

function signOf(bytes: Uint8Array) {
  const start = [...bytes.subarray(0, 8)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return binarySigns.find(([sign]) => start.startsWith(sign)) ?? null
}

/** `a PDF document`; null for what may be text. */
export function binaryKind(bytes: Uint8Array): string | null {
  return signOf(bytes)?.[1] ?? null
}

/** Why bytes hold no table, or null. */
export function foreignBytes(bytes: Uint8Array): string | null {
  const [, kind, advice] = signOf(bytes) ?? []
  return kind === undefined || advice === undefined ? null : `This is ${kind}; ${advice}.`
}

/** The length of text in which formats are recognised. */
const START_CHARACTERS = 20_000

export function foreignText(text: string): string | null {
  const start = text.slice(0, START_CHARACTERS).replaceAll(/\r\n?/g, '\n')
  return textSigns.find(([sign]) => sign.test(start))?.[1] ?? null
}

/** Reactions have molecules as SD files do. */
export function foreignReactions(text: string): string | null {
  return /^\s*\$(?:RXN|RDFILE)/.test(text.slice(0, 200))
    ? 'This is a reaction file; save its molecules as SDF.'
    : null
}

/** A table without SMILES, whose molecules are InChI. */
export function onlyInchi(rows: string[][]): string | null {
  const isInchi = rows.some((row) => row.some((cell) => /^InChI=1S?\//.test(cell)))
  return isInchi ? 'InChI is not read: add a column of SMILES, or save the molecules as SDF.' : null
}
