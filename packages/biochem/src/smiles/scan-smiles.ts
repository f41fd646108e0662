/**
 * Checks a SMILES before RDKit.js gets it, and rejects text that would make RDKit.js hang, corrupt its memory or
 * silently stop early. Runs in linear time on any text.
 */
import { explainCharacter, readBracketAtom } from './explain-smiles.ts'
import { smilesLimits } from './rdkit.ts'

/** `position` counts characters from 1; 0 means the SMILES as a whole. */
export type SmilesScan =
  | { ok: true; heavyAtoms: number }
  | { ok: false; position: number; reason: string }

/** A `first bond` begins a branch: an atom must follow, not a ring number. */
type Token = 'start' | 'atom' | 'bond' | 'first bond' | 'ring' | 'open' | 'close' | 'dot'

type Scan = {
  smiles: string
  /** Index of the next character. */
  at: number
  last: Token
  atoms: number
  heavyAtoms: number
  /** The atom from which the next bond starts, and those to return to at each closing parenthesis. */
  previous: number
  branches: { atom: number; at: number }[]
  rings: RingBonds
}

type Refusal = { ok: false; position: number; reason: string }

/** `smiles` without an extension or a name. Accepts what is safe for RDKit; RDKit decides whether it is a molecule. */
export function scanSmiles(smiles: string): SmilesScan {
  if (smiles === '') return refuse(-1, 'The SMILES is missing')
  if (smiles.length > smilesLimits.characters) return tooLong(smiles.length)
  const scan = startScan(smiles)
  while (scan.at < smiles.length) {
    const refusal = readToken(scan) ?? checkSize(scan)
    if (refusal) return refusal
  }
  return checkEnd(scan) ?? { ok: true, heavyAtoms: scan.heavyAtoms }
}

function startScan(smiles: string): Scan {
  const rings: RingBonds = { open: new Map(), bonded: new Set(), degrees: [], count: 0 }
  const counts = { atoms: 0, heavyAtoms: 0, previous: -1 }
  return { smiles, at: 0, last: 'start', ...counts, branches: [], rings }
}

/** Sticky: matches at `lastIndex` or not at all, and never looks back. */
const token =
  /Cl|Br|[BCNOPSFIbcnops]|\[[^[\]]*\]|\d|%[1-9]\d|%\([1-9]\d{0,4}\)|->|<-|[-=#$:/\\]|[().]/y

function readToken(scan: Scan): Refusal | undefined {
  token.lastIndex = scan.at
  const text = token.exec(scan.smiles)?.[0]
  if (text === undefined) return refuse(scan.at, explainCharacter(scan.smiles, scan.at))
  const refusal = chooseReader(text)(scan, text)
  scan.at += text.length
  return refusal
}

function chooseReader(text: string): (scan: Scan, text: string) => Refusal | undefined {
  const first = text.charAt(0)
  if (first === '[') return addBracketAtom
  if (first === '(') return openBranch
  if (first === ')') return closeBranch
  if (first === '.') return addDot
  if (first === '%' || (first >= '0' && first <= '9')) return addRing
  return '-=#$:/\\<'.includes(first) ? addBond : addOrganicAtom
}

function addOrganicAtom(scan: Scan): Refusal | undefined {
  return addAtom(scan, true)
}

function addBracketAtom(scan: Scan, text: string): Refusal | undefined {
  const atom = readBracketAtom(text)
  if (!atom.ok) return refuse(scan.at, atom.reason)
  return addAtom(scan, atom.symbol !== 'H')
}

function addAtom(scan: Scan, isHeavy: boolean): Refusal | undefined {
  const isBonded = scan.previous >= 0 && scan.last !== 'dot'
  const reason = isBonded ? addBondBetween(scan.rings, scan.previous, scan.atoms) : undefined
  if (reason) return refuse(scan.at, reason)
  scan.previous = scan.atoms
  scan.atoms += 1
  if (isHeavy) scan.heavyAtoms += 1
  scan.last = 'atom'
  return undefined
}

function addRing(scan: Scan, text: string): Refusal | undefined {
  if (scan.last === 'open' || scan.last === 'first bond') {
    return refuse(scan.at, 'A branch must start with an atom, not a ring number')
  }
  if (scan.last === 'start' || scan.last === 'dot') {
    return refuse(scan.at, `The ring number ${text} has no atom before it`)
  }
  const label = Number(text.replaceAll(/[%()]/g, ''))
  const reason = closeRing(scan.rings, label, { atom: scan.previous, at: scan.at })
  if (reason) return refuse(scan.at, reason)
  scan.last = 'ring'
  return undefined
}

function addBond(scan: Scan, text: string): Refusal | undefined {
  if (isBond(scan.last)) return refuse(scan.at, `Two bonds in a row: "${text}" follows a bond`)
  if (scan.last === 'start' || scan.last === 'dot') {
    return refuse(scan.at, `The bond "${text}" has no atom before it`)
  }
  scan.last = scan.last === 'open' ? 'first bond' : 'bond'
  return undefined
}

function isBond(last: Token): boolean {
  return last === 'bond' || last === 'first bond'
}

function openBranch(scan: Scan): Refusal | undefined {
  if (isBond(scan.last)) {
    return refuse(scan.at, 'Put the bond after “(”, not before it')
  }
  if (!['atom', 'ring', 'close'].includes(scan.last)) {
    return refuse(scan.at, 'The branch "(" has no atom before it')
  }
  scan.branches.push({ atom: scan.previous, at: scan.at })
  scan.last = 'open'
  return undefined
}

function closeBranch(scan: Scan): Refusal | undefined {
  const branch = scan.branches.pop()
  if (!branch) return refuse(scan.at, 'This ")" closes a branch that was never opened')
  if (scan.last === 'open') return refuse(scan.at, 'The branch "()" is empty')
  const dangling = checkDangling(scan)
  if (dangling) return dangling
  scan.previous = branch.atom
  scan.last = 'close'
  return undefined
}

function addDot(scan: Scan): Refusal | undefined {
  if (!['atom', 'ring', 'close'].includes(scan.last)) {
    return refuse(scan.at, 'Nothing comes before this dot')
  }
  scan.last = 'dot'
  return undefined
}

function checkDangling(scan: Scan): Refusal | undefined {
  if (isBond(scan.last)) return refuse(scan.at - 1, 'This bond has no atom after it')
  if (scan.last === 'dot') return refuse(scan.at - 1, 'Nothing comes after this dot')
  return undefined
}

function checkSize(scan: Scan): Refusal | undefined {
  const { heavyAtoms, atoms, ringClosures } = smilesLimits
  if (scan.heavyAtoms > heavyAtoms) {
    return refuse(-1, `The molecule has more than ${heavyAtoms} heavy atoms`)
  }
  if (scan.atoms > atoms) {
    return refuse(-1, `The SMILES has more than ${atoms} atoms, explicit hydrogens included`)
  }
  if (scan.rings.count > ringClosures) {
    return refuse(-1, `The molecule has more than ${ringClosures} rings`)
  }
  return undefined
}

function checkEnd(scan: Scan): Refusal | undefined {
  const dangling = checkDangling(scan)
  if (dangling) return dangling
  const branch = scan.branches.at(-1)
  if (branch) return refuse(branch.at, 'The branch opened here is never closed')
  for (const [label, ring] of scan.rings.open) {
    return refuse(ring.at, `Ring ${label} is opened here but never closed`)
  }
  return undefined
}

function tooLong(length: number): Refusal {
  const most = smilesLimits.characters
  return refuse(-1, `The SMILES is ${length} characters long; the maximum is ${most}`)
}

/** The sentence comes without its full stop; `index` -1 means the SMILES as a whole. */
function refuse(index: number, sentence: string): Refusal {
  const position = index + 1
  const place = position > 0 ? ` (character ${position})` : ''
  return { ok: false, position, reason: `${sentence}${place}.` }
}

// Ring closures and bonds.

export type RingBonds = {
  /** Rings opened and not yet closed, by their number. */
  open: Map<number, { atom: number; at: number }>
  /** Pairs of bonded atoms, by their `bondKey`. */
  bonded: Set<number>
  /** Bonds of each atom. */
  degrees: number[]
  /** Rings closed so far. */
  count: number
}

/** Records a bond; returns the reason if an atom has too many. */
export function addBondBetween(rings: RingBonds, a: number, b: number): string | undefined {
  rings.bonded.add(bondKey(a, b))
  for (const atom of [a, b]) {
    const degree = (rings.degrees[atom] ?? 0) + 1
    rings.degrees[atom] = degree
    const most = smilesLimits.atomBonds
    if (degree > most) return `Atom ${atom + 1} has more than ${most} bonds`
  }
  return undefined
}

/** Opens the ring with this number, or closes it; returns the reason if the bond is not possible. */
export function closeRing(
  rings: RingBonds,
  label: number,
  here: { atom: number; at: number },
): string | undefined {
  const start = rings.open.get(label)
  if (!start) {
    rings.open.set(label, here)
    return undefined
  }
  rings.open.delete(label)
  rings.count += 1
  if (start.atom === here.atom) return `Ring ${label} closes on the atom that opened it`
  if (rings.bonded.has(bondKey(start.atom, here.atom))) {
    return `Ring ${label} closes between two atoms that are already bonded`
  }
  return addBondBetween(rings, start.atom, here.atom)
}

/** The same for both directions of a bond. No SMILES that is read has a hundred thousand atoms. */
function bondKey(a: number, b: number): number {
  return Math.min(a, b) * 100_000 + Math.max(a, b)
}
