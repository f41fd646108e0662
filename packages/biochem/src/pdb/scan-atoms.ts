/**
 * Groups ATOM and HETATM lines into residues, and residues into runs with one chain identifier. Chains and chemistry
 * are decided elsewhere.
 */
import { decimalBetween, elementOf, residueNumber } from './columns.ts'
import {
  type NameTable,
  aminoAcidParent,
  isMarker,
  isWater,
  nucleotideParent,
} from './residue-names.ts'
import type { Atom, AtomName, SecondaryRange } from './structure.ts'

export type LocatedAtom = Atom & { altloc: string; occupancy: number }

export type ScannedResidue = {
  name: string
  number: number
  insertionCode: string
  isHetero: boolean
  /** Every alternate location of every atom. */
  atoms: LocatedAtom[]
  /** Position in the file of the alpha carbon (C3' of a nucleotide); stray atoms do not move a residue. */
  order: number
  hasAnchor: boolean
}

/** Residues of one chain id up to its TER record, or up to a restart of the numbering. */
export type Run = {
  chainId: string
  residues: ScannedResidue[]
  /** By columns 23-27: more than one at a site of microheterogeneity. */
  positions: Map<string, ScannedResidue[]>
  /** By columns 23-27 and name. */
  byLabel: Map<string, ScannedResidue>
  /** Names and location letters at positions that occur again later. */
  sites: Map<string, Set<string>>
  lastPosition: string
  isClosedByTer: boolean
  followsTer: boolean
}

export type Scan = {
  format: 'PDB' | 'mmCIF'
  runs: Run[]
  openRuns: Map<string, Run>
  lastRun: Run | null
  hasTer: Set<string>
  title: string
  /** COMPND records, used as the title of files older than TITLE. */
  compound: string
  pdbCode: string | null
  seqres: Map<string, string[]>
  modres: Map<string, string>
  secondary: SecondaryRange[]
  /** Bonds between residues, of LINK and _struct_conn. */
  links: [AtomName, AtomName][]
  atoms: number
  waters: number
  lastWater: string
  models: number
  isBetweenModels: boolean
  hasEnded: boolean
  goesOnAfterEnd: boolean
  records: number
  unreadableAtoms: number
  shiftedAtoms: number
  firstUnreadableLine: number
}

export function emptyScan(): Scan {
  return {
    format: 'PDB',
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
    links: [],
    atoms: 0,
    waters: 0,
    lastWater: '',
    models: 0,
    isBetweenModels: true,
    hasEnded: false,
    goesOnAfterEnd: false,
    records: 0,
    unreadableAtoms: 0,
    shiftedAtoms: 0,
    firstUnreadableLine: 0,
  }
}

/** One atom of a file and its residue, whatever the file's format. */
export type PlacedAtom = {
  atom: LocatedAtom
  residueName: string
  number: number
  /** The residue's number and insertion code, one text for each position of a chain. */
  position: string
  insertionCode: string
  chainId: string
  isHetero: boolean
}

/** Adds one line to the scan. A line whose coordinates or number cannot be read is counted and ignored. */
export function scanAtom(
  scan: Scan,
  written: string,
  at: { isHetero: boolean; lineNumber: number },
): void {
  const shifted = shiftBack(written)
  const line = shifted?.line ?? written
  const residueName = residueNameOf(line)
  if (isMarker(residueName)) return
  const atom = readAtom(line, residueName)
  const position = line.slice(22, 27).padEnd(5)
  const isLong = /^[1-9]\d{4}$/.test(position)
  const number = residueNumber(isLong ? position : position.slice(0, 4))
  if (atom === null || number === null) return countUnreadable(scan, at.lineNumber)
  if (shifted !== null) scan.shiftedAtoms++
  if (isWater(residueName)) return countWater(scan, line.slice(21, 27) + line.slice(72, 76))
  const chainId = shifted?.chainId ?? chainIdOf(scan, line, residueName)
  placeAtom(scan, {
    atom,
    residueName,
    number,
    position,
    insertionCode: isLong ? '' : position.slice(4).trim(),
    chainId,
    isHetero: at.isHetero,
  })
}

/**
 * A program that does not shorten an atom number of six digits, a residue number of five or a chain name of two to four
 * letters shifts all that follows. The columns in their places; null if they are, or if the shift has another cause.
 */
function shiftBack(line: string): { line: string; chainId: string | null } | null {
  if (line.charAt(34) === '.' && line.charAt(42) === '.') return null
  const shift = /^.{30,33}?( *-?\d+\.\d{3}){3}/.exec(line)?.[0].length
  const count = shift === undefined ? 0 : shift - coordinatesEnd
  if (count < 1 || count > shiftMax) return null
  const serial = line.slice(6, 11 + count)
  if (/^\d+$/.test(serial)) {
    return { line: line.slice(0, 11) + line.slice(11 + count), chainId: null }
  }
  if (count === 1 && /^\d{5}$/.test(line.slice(22, 27))) {
    return { line: line.slice(0, 27) + line.slice(28), chainId: null }
  }
  const chainId = line.slice(21, 22 + count)
  if (!/^[A-Za-z0-9]+$/.test(chainId)) return null
  return { line: line.slice(0, 22) + line.slice(22 + count), chainId }
}

const coordinatesEnd = 54
const shiftMax = 3

export function countUnreadable(scan: Scan, lineNumber: number): void {
  scan.unreadableAtoms++
  if (scan.firstUnreadableLine === 0) scan.firstUnreadableLine = lineNumber
}

/** Adds an atom, other than water's, to its residue. */
export function placeAtom(scan: Scan, placed: PlacedAtom): void {
  const { atom, residueName, number, position, insertionCode, chainId, isHetero } = placed
  scan.atoms++
  const run = runFor(scan, chainId, { position, atom })
  const residue = residueAt(run, { position, name: residueName, atom }, () => ({
    name: residueName,
    number,
    insertionCode,
    isHetero,
    atoms: [],
    order: scan.atoms,
    hasAnchor: false,
  }))
  if (!residue.hasAnchor && (atom.name === 'CA' || atom.name === "C3'")) {
    residue.order = scan.atoms
    residue.hasAnchor = true
  }
  residue.atoms.push(atom)
  run.sites.get(position)?.add(siteOf(atom))
  scan.lastRun = run
}

function readAtom(line: string, residueName: string): LocatedAtom | null {
  const x = decimalBetween(line, 30, 38)
  const y = decimalBetween(line, 38, 46)
  const z = decimalBetween(line, 46, 54)
  if (
    !(Math.abs(x) < coordinateMax && Math.abs(y) < coordinateMax && Math.abs(z) < coordinateMax)
  ) {
    return null
  }
  const rawName = line.slice(12, 16)
  const occupancy = line.length < 60 ? 1 : decimalBetween(line, 54, 60)
  return {
    name: nameOf(rawName),
    element: elementOf(line.slice(76, 78), rawName, residueName),
    x,
    y,
    z,
    altloc: line.slice(16, 17).trim(),
    occupancy: Number.isNaN(occupancy) ? 1 : occupancy,
  }
}

/** Some programs write 9999.000 for an atom without a position. */
export const coordinateMax = 9_990

/** Old files write `C3*` instead of `C3'`. */
function nameOf(rawName: string): string {
  const name = rawName.trim()
  return name.endsWith('*') ? `${name.slice(0, -1)}'` : name
}

/** Water numbers wrap around in large files, so a water is counted when its label changes. */
export function countWater(scan: Scan, label: string): void {
  if (label !== scan.lastWater) scan.waters++
  scan.lastWater = label
}

/** Columns 18-20, and 21 where force fields use four letters; very large files begin the chain id there. */
function residueNameOf(line: string): string {
  const name = line.slice(17, 21).trim().toUpperCase()
  if (name.length < 4 || line.charAt(21) === ' ' || isPolymerName(name)) return name
  const short = name.slice(0, 3)
  return isPolymerName(short) ? short : name
}

/** Whether it is an amino acid or a nucleotide, also modified. */
export function isPolymerName(name: string): boolean {
  return (aminoAcidParent(name, noNames) ?? nucleotideParent(name, noNames)) !== null
}

const noNames: NameTable = new Map()

/** Column 22, or if it is blank the segment id of columns 73-76, which contains the PDB code in old files. */
function chainIdOf(scan: Scan, line: string, residueName: string): string {
  const id = line.slice(residueName.length === 3 ? 20 : 21, 22).trim()
  if (id !== '') return id
  const segment = line.slice(72, 76).trim()
  return /^[A-Za-z]\w*$/.test(segment) && segment !== scan.pdbCode ? segment : ''
}

function newRun(scan: Scan, chainId: string, followsTer: boolean): Run {
  const run: Run = {
    chainId,
    residues: [],
    positions: new Map(),
    byLabel: new Map(),
    sites: new Map(),
    lastPosition: '',
    isClosedByTer: false,
    followsTer,
  }
  scan.runs.push(run)
  scan.openRuns.set(chainId, run)
  return run
}

type AtomAt = { position: string; atom: LocatedAtom }

/** A repeated position with an atom that exists already belongs to another copy of the chain. */
function runFor(scan: Scan, chainId: string, { position, atom }: AtomAt): Run {
  const open = scan.openRuns.get(chainId) ?? newRun(scan, chainId, scan.hasTer.has(chainId))
  if (position === open.lastPosition) return open
  const run = sitesAt(open, position).has(siteOf(atom)) ? newRun(scan, chainId, false) : open
  run.lastPosition = position
  return run
}

const noSites: ReadonlySet<string> = new Set()

/** Built when a position first repeats, which is rare. */
function sitesAt(run: Run, position: string): ReadonlySet<string> {
  const residues = run.positions.get(position)
  if (residues === undefined) return noSites
  const known = run.sites.get(position)
  if (known !== undefined) return known
  const sites = new Set(residues.flatMap((residue) => residue.atoms.map(siteOf)))
  run.sites.set(position, sites)
  return sites
}

function siteOf(atom: LocatedAtom): string {
  return `${atom.name} ${atom.altloc}`
}

type Label = { position: string; name: string; atom: LocatedAtom }

function residueAt(
  run: Run,
  { position, name, atom }: Label,
  create: () => ScannedResidue,
): ScannedResidue {
  const label = position + name
  const known = run.byLabel.get(label)
  if (known !== undefined && !isNextOfNumber(known, atom)) return known
  const residue = create()
  run.residues.push(residue)
  run.byLabel.set(label, residue)
  const here = run.positions.get(position)
  if (here === undefined) run.positions.set(position, [residue])
  else here.push(residue)
  return residue
}

/** Without its insertion codes a chain has several residues of one number: each begins with its N. */
function isNextOfNumber({ name, atoms }: ScannedResidue, atom: LocatedAtom): boolean {
  const [first] = atoms
  if (atom.name !== 'N' || first?.name !== 'N' || first.altloc !== atom.altloc) return false
  if (aminoAcidParent(name, noNames) === null) return false
  const last = atoms.findLast((other) => other.name === 'N') ?? first
  return Math.hypot(last.x - atom.x, last.y - atom.y, last.z - atom.z) > neighboursMin
}

/** In Å: the nitrogens of neighbours are further apart, those of alternate locations closer. */
const neighboursMin = 2
