/** A macromolecular structure as the reader understands it: what is predicted on, drawn and reported. */

export type Atom = {
  /** Trimmed PDB atom name, for example `CA`. */
  name: string
  /** Element symbol in capitals, from columns 77-78 or, where they are empty, from the atom name. */
  element: string
  /** Coordinates in Å. */
  x: number
  y: number
  z: number
}

export type Residue = {
  /** Residue name as in the file, for example `MSE`. */
  name: string
  /** Three-letter name of the standard parent, for example `MET`; `UNK` when there is none. */
  parent: string
  /**
   * One-letter code of the parent, `U`, `O`, `B` and `Z` among them; `X` for `UNK`. Lower case
   * `a c g u t n` for nucleotides.
   */
  letter: string
  number: number
  insertionCode: string
  /** One location an atom, of one alternate conformer for the residue: see `alternate-locations`. */
  atoms: Atom[]
}

/** A break between residues `index` and `index + 1` of the chain. */
export type Gap = {
  index: number
  /** Residues that SEQRES puts into the break; null where the file does not say. */
  missing: number | null
}

export type Chain = {
  /** Unique, one to four characters; `_` where the file leaves it blank. */
  id: string
  kind: 'protein' | 'nucleic acid'
  /** Observed residues in the order of their alpha carbons in the file. */
  residues: Residue[]
  gaps: Gap[]
  /** The sequence of the SEQRES records, one letter a residue; null without them or where they do not fit. */
  seqres: string | null
}

/** A hetero group that is neither water nor part of a chain. */
export type Ligand = { name: string; chainId: string; number: number; atoms: Atom[] }

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
  /** Names of the groups that close a chain, one each (`ACE`, `NH2`): neither residues nor ligands. */
  caps: string[]
  waters: number
  /** Models in the file; only the first is read. */
  models: number
  /** HELIX and SHEET records; empty where the file has none. */
  secondary: SecondaryRange[]
  /** Modified residues read as their parent. */
  mapped: { from: string; to: string; count: number }[]
  /** Sentences a chemist understands about anything unusual. */
  warnings: string[]
}

/** The protein chain with the most residues of known type, of equals the first. */
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

/** The chain's observed sequence, cut at its gaps: what the model sees of a target. Protein chains only. */
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
