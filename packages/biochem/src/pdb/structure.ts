/** A macromolecular structure as read, for predictions, drawings and reports. */

export type Atom = {
  /** Trimmed PDB atom name, for example `CA`. */
  name: string
  /** Element symbol in capitals, from columns 77-78 or, if they are empty, from the atom name. */
  element: string
  /** Coordinates in Å. */
  x: number
  y: number
  z: number
}

export type Residue = {
  /** Residue name as in the file, for example `MSE`. */
  name: string
  /** Three-letter name of the standard parent, for example `MET`; `UNK` if there is none. */
  parent: string
  /**
   * One-letter code of the parent, including `U`, `O`, `B` and `Z`; `X` for `UNK`. Lower case `a c g u t n` for
   * nucleotides.
   */
  letter: string
  number: number
  insertionCode: string
  /** One location per atom, of one alternate conformer of the residue: see `alternate-locations`. */
  atoms: Atom[]
}

/** A break between residues `index` and `index + 1` of the chain. */
export type Gap = {
  index: number
  /** Residues missing in the break according to SEQRES; null if the file does not say. */
  missing: number | null
}

export type Chain = {
  /** Unique, one to four characters; `_` if blank in the file. */
  id: string
  kind: 'protein' | 'nucleic acid'
  /** Observed residues in the order of their alpha carbons in the file. */
  residues: Residue[]
  gaps: Gap[]
  /** The sequence of the SEQRES records, one letter per residue; null without them or if they do not fit. */
  seqres: string | null
}

/** Replaces a blank chain identifier. */
export const blankId = '_'

/** A hetero group that is neither water nor part of a chain. */
export type Ligand = {
  name: string
  chainId: string
  number: number
  atoms: Atom[]
  /** Bonds between its residues that the file states, however long. */
  stated?: [Atom, Atom][]
}

/** An atom as LINK and _struct_conn name it. */
export type AtomName = { chainId: string; number: number; residue: string; atom: string }

export type SecondaryRange = {
  kind: 'helix' | 'strand'
  chainId: string
  from: { number: number; insertionCode: string }
  to: { number: number; insertionCode: string }
}

export type Structure = {
  title: string | null
  pdbCode: string | null
  chains: Chain[]
  ligands: Ligand[]
  /** Names of the groups that end a chain, one each (`ACE`, `NH2`): neither residues nor ligands. */
  caps: string[]
  waters: number
  /** Models in the file; only the first is read. */
  models: number
  /** HELIX and SHEET records; empty if the file has none. */
  secondary: SecondaryRange[]
  /** Modified residues read as their parent. */
  mapped: { from: string; to: string; count: number }[]
  /** Sentences about anything unusual, for chemists. */
  warnings: string[]
}

/** Whether anything can be drawn or placed: false if only a sequence was uploaded. */
export function hasCoordinates({ chains }: Structure): boolean {
  return chains.some(({ residues }) => residues.some(({ atoms }) => atoms.length > 0))
}

/** The protein chain with most residues of known type; the first of equals. */
export function longestProteinChain(structure: Structure): Chain | null {
  let longest: Chain | null = null
  for (const chain of structure.chains) {
    if (chain.kind !== 'protein') continue
    if (longest === null || knownResidues(chain) > knownResidues(longest)) longest = chain
  }
  return longest
}

/** Residues of the chain whose type is known. */
export function knownResidues(chain: Chain): number {
  return chain.residues.filter((residue) => residue.letter !== 'X').length
}

/** The chain's observed sequence, cut at its gaps: the model's input. Protein chains only. */
export function chainSegments(chain: Chain): string[] {
  const segments: string[] = []
  let from = 0
  for (const gap of [...chain.gaps, { index: chain.residues.length - 1 }]) {
    segments.push(lettersBetween(chain, from, gap.index + 1))
    from = gap.index + 1
  }
  return segments.filter((segment) => segment.length > 0)
}

function lettersBetween(chain: Chain, from: number, to: number): string {
  return chain.residues
    .slice(from, to)
    .map((residue) => residue.letter)
    .join('')
}
