/**
 * Maps atoms of a compound to atoms of the reference ligand: the largest connected common part, whole rings, bond
 * orders ignored. A branch-and-bound search limited in steps, so that results are the same on every machine; RDKit's
 * search hit its shortest limit, 1 s, for one compound in nine.
 */
import { environmentsOf } from './environments.ts'
import type { Mapping } from './grow.ts'
import { linksOf, neighboursOf, type Parts } from './molecule-parts.ts'
import { at } from './points.ts'
import { largestPiece, ringBonds } from './ring-bonds.ts'

/** A smaller core says too little about the compound's position. */
export const coreAtomsMin = 5

const STEPS_PER_START = 300
const STEPS_MAX = 3_000
const MAPPINGS_KEPT = 24

type Pair = { i: number; j: number }
type Search = {
  compound: Parts
  reference: Parts
  /** Per pair of atoms: number of bonds up to which their environments are equal, plus one; 0 if they cannot match. */
  likeness: Uint8Array[]
  /** Class of each atom: atoms of different classes never match. */
  classes: { compound: number[]; reference: number[]; count: number }
  found: { size: number; mappings: Map<string, Pair[]> }
  steps: number
}

/** At most `max` mappings of the largest core; none if fewer than five atoms are common. */
export function mapOntoReference(compound: Parts, reference: Parts, max: number): Mapping[] {
  const exact = searchCore(compound, reference, false)
  const { size, mappings } =
    exact.size < coreAtomsMin ? searchCore(compound, reference, true) : exact
  if (size < coreAtomsMin) return []
  // Consecutive mappings differ least, so the choice is spread over all of them.
  const all = [...mappings.values()]
  const step = Math.max(1, all.length / max)
  return Array.from({ length: Math.min(max, all.length) }, (_, k) => {
    const pairs = all[Math.floor(k * step)] ?? []
    return { compound: pairs.map(({ i }) => i), reference: pairs.map(({ j }) => j) }
  })
}

function searchCore(compound: Parts, reference: Parts, anyElement: boolean): Search['found'] {
  const classOf = (parts: Parts, i: number) =>
    `${anyElement ? '' : parts.elements[i]}${parts.isInRing[i] === true ? '*' : ''}`
  const labels = {
    compound: compound.elements.map((_, i) => classOf(compound, i)),
    reference: reference.elements.map((_, j) => classOf(reference, j)),
  }
  const names = [...new Set([...labels.compound, ...labels.reference])]
  const classes = {
    compound: labels.compound.map((name) => names.indexOf(name)),
    reference: labels.reference.map((name) => names.indexOf(name)),
    count: names.length,
  }
  const environments = {
    compound: environmentsOf(compound, labels.compound),
    reference: environmentsOf(reference, labels.reference),
  }
  const search: Search = {
    compound,
    reference,
    classes,
    likeness: likenessOf(environments),
    found: { size: 0, mappings: new Map() },
    steps: 0,
  }
  for (const start of startsOf(search)) {
    if (search.steps > STEPS_MAX) break
    const [best] = search.found.mappings.values()
    if (best?.some(({ i, j }) => i === start.i && j === start.j) === true) continue
    searchFrom(search, start)
  }
  return search.found
}

function likenessOf(environments: Record<'compound' | 'reference', string[][]>): Uint8Array[] {
  return environments.compound.map((own) =>
    Uint8Array.from(environments.reference, (theirs) => {
      const differing = own.findIndex((text, radius) => text !== theirs[radius])
      return differing < 0 ? own.length : differing
    }),
  )
}

/** Pairs to grow a core from, the likeliest first. */
function startsOf({ likeness }: Search): Pair[] {
  const pairs = likeness.flatMap((row, i) =>
    [...row].flatMap((score, j) => (score > 0 ? [{ i, j, score }] : [])),
  )
  return pairs.toSorted((one, other) => other.score - one.score)
}

type State = { pairs: Pair[]; images: Map<number, number>; used: Set<number>; leftOut: Set<number> }

function searchFrom(search: Search, start: Pair): void {
  const limit = search.steps + STEPS_PER_START
  const state: State = {
    pairs: [start],
    images: new Map([[start.i, start.j]]),
    used: new Set([start.j]),
    leftOut: new Set(),
  }

  function extend(): void {
    search.steps += 1
    if (search.steps > limit || isHopeless(search, state)) return
    const next = nextAtom(search, state)
    if (next === null) return keep(search, state.pairs)
    for (const j of next.images) {
      state.pairs.push({ i: next.i, j })
      state.images.set(next.i, j)
      state.used.add(j)
      extend()
      state.pairs.pop()
      state.images.delete(next.i)
      state.used.delete(j)
    }
    state.leftOut.add(next.i)
    extend()
    state.leftOut.delete(next.i)
  }
  extend()
}

/** Whether even all remaining additions could not reach the best size so far. */
function isHopeless({ classes, found }: Search, { pairs, images, used, leftOut }: State): boolean {
  if (found.size === 0) return false
  const free = new Int32Array(classes.count)
  for (const [j, name] of classes.reference.entries()) {
    if (!used.has(j)) free[name] = at(free, name) + 1
  }
  let most = pairs.length
  for (const [i, name] of classes.compound.entries()) {
    if (images.has(i) || leftOut.has(i) || at(free, name) === 0) continue
    free[name] = at(free, name) - 1
    most += 1
  }
  return most < found.size || (most === found.size && found.mappings.size >= MAPPINGS_KEPT)
}

/** The atom beside the core that looks most like one beside its image, with all its possible images. */
function nextAtom(search: Search, state: State): { i: number; images: number[] } | null {
  const { likeness } = search
  let best = { i: -1, from: -1, score: 0 }
  for (const pair of state.pairs) {
    for (const { i, j } of neighbourPairs(search, state, pair)) {
      const score = at(likeness[i] ?? [], j)
      if (score <= best.score || !canMap(search, state, { i, j })) continue
      best = { i, from: pair.j, score }
    }
  }
  const { i, from } = best
  if (i < 0) return null
  const row = likeness[i] ?? []
  const images = neighboursOf(search.reference, from).filter((j) => canMap(search, state, { i, j }))
  return { i, images: images.toSorted((one, other) => at(row, other) - at(row, one)) }
}

function neighbourPairs({ compound, reference }: Search, state: State, from: Pair): Pair[] {
  return neighboursOf(compound, from.i)
    .filter((i) => !state.images.has(i) && !state.leftOut.has(i))
    .flatMap((i) => neighboursOf(reference, from.j).map((j) => ({ i, j })))
}

/** Both fit and are bonded to the same mapped atoms, ring bond to ring bond. */
function canMap(
  { compound, reference, likeness }: Search,
  { images, used }: State,
  { i, j }: Pair,
) {
  if (used.has(j) || at(likeness[i] ?? [], j) === 0) return false
  const theirs = linksOf(reference, j)
  let bonds = 0
  for (const { atom, bond } of linksOf(compound, i)) {
    const image = images.get(atom)
    if (image === undefined) continue
    bonds += 1
    const link = theirs.find((their) => their.atom === image)
    if (link?.bond.isInRing !== bond.isInRing) return false
  }
  return theirs.filter(({ atom }) => used.has(atom)).length === bonds
}

function keep({ compound, found }: Search, pairs: Pair[]): void {
  if (pairs.length < found.size) return
  const whole = withoutOpenRings(compound, pairs)
  if (whole.length < Math.max(found.size, 1)) return
  if (whole.length > found.size) found.mappings.clear()
  found.size = whole.length
  const key = whole
    .map(({ i, j }) => `${i}:${j}`)
    .toSorted()
    .join()
  if (found.mappings.size < MAPPINGS_KEPT) found.mappings.set(key, whole)
}

/** Drops ring bonds whose ring the core does not close, and keeps the largest remaining piece. */
function withoutOpenRings(compound: Parts, pairs: Pair[]): Pair[] {
  const members = new Set(pairs.map(({ i }) => i))
  const inner = compound.bonds.filter(({ a, b }) => members.has(a) && members.has(b))
  const isClosed = ringBonds(inner)
  const kept = inner.filter(({ isInRing }, place) => !isInRing || isClosed[place] === true)
  if (kept.length === inner.length) return [...pairs]
  const largest = largestPiece(members, kept)
  return pairs.filter(({ i }) => largest.has(i))
}
