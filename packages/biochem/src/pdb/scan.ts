/** What one pass over the lines of a file gathers: residues by run, and the annotations beside them. */
import type { Atom, SecondaryRange } from './structure.ts'

export type LocatedAtom = Atom & { altloc: string; occupancy: number }

export type ScannedResidue = {
  name: string
  number: number
  insertionCode: string
  isHetero: boolean
  /** Every alternate location of every atom. */
  atoms: LocatedAtom[]
  /** Place in the file of the alpha carbon (C3' of a nucleotide); stray atoms do not move a residue. */
  order: number
  hasAnchor: boolean
}

/** Residues of one chain id up to its TER record, or up to where its numbering starts anew. */
export type Run = {
  chainId: string
  residues: ScannedResidue[]
  /** By columns 23-27: more than one at a site of microheterogeneity. */
  positions: Map<string, ScannedResidue[]>
  /** By columns 23-27 and name. */
  byLabel: Map<string, ScannedResidue>
  /** Names and location letters at positions that came back after others. */
  sites: Map<string, Set<string>>
  lastPosition: string
  isClosedByTer: boolean
  followsTer: boolean
}

export type Scan = {
  runs: Run[]
  openRuns: Map<string, Run>
  lastRun: Run | null
  hasTer: Set<string>
  title: string
  /** COMPND records, which are the title of files older than TITLE. */
  compound: string
  pdbCode: string | null
  seqres: Map<string, string[]>
  modres: Map<string, string>
  secondary: SecondaryRange[]
  atoms: number
  waters: number
  lastWater: string
  models: number
  isBetweenModels: boolean
  hasEnded: boolean
  goesOnAfterEnd: boolean
  records: number
  unreadableAtoms: number
  firstUnreadableLine: number
}

export function emptyScan(): Scan {
  return {
    runs: [],
    openRuns: new Map(),
    lastRun: null,
    hasTer: new Set(),
    title: '',
    compound: '',
    pdbCode: null,
    seqres: new Map(),
    modres: new Map(),
    secondary: [],
    atoms: 0,
    waters: 0,
    lastWater: '',
    models: 0,
    isBetweenModels: true,
    hasEnded: false,
    goesOnAfterEnd: false,
    records: 0,
    unreadableAtoms: 0,
    firstUnreadableLine: 0,
  }
}
