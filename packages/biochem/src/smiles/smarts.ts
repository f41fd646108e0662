/**
 * Finds many fixed SMARTS patterns in one molecule, in a fraction of the time that RDKit takes. Conditions on an atom, and on two
 * bonded ones, are decided once per kind of atom. A pattern is searched for only if the molecule has enough of each of its
 * bonds, and the search begins with the atom of which the molecule has fewest.
 */
import {
  countHydrogens,
  type GraphAtom,
  type MoleculeGraph,
  type Neighbour,
  readRings,
} from './molecule-graph.ts'
import {
  type AtomFacts,
  type AtomTest,
  BOND_BITS,
  bondBit,
  nestedIn,
  readAtom,
  readSmarts,
  type SmartsBond,
} from './read-smarts.ts'

/** A pattern, and the atoms of all its matches, ascending. */
export type SmartsMatch = { pattern: number; atoms: number[] }

export type SmartsSearch = {
  /** Indices of the matching patterns, ascending. */
  find(graph: MoleculeGraph): number[]
  locate(graph: MoleculeGraph): SmartsMatch[]
  /** Tells whether a match of a pattern begins at an atom. */
  beginnings(graph: MoleculeGraph): (pattern: number, atom: number) => boolean
}

/** `isNested`: whether it depends on more than the atom. */
type Condition = { test: AtomTest; isNested: boolean }

/**
 * `needs`: kinds of bonds, and how many of each; `orders`: steps, by the atom that is first; `placed`: the molecule's atoms, by
 * step.
 */
type Pattern = {
  conditions: number[]
  bonds: SmartsBond[]
  needs: { bond: number; times: number }[]
  orders: Step[][]
  placed: Int32Array
}

/** An atom of a pattern, and its bonds to atoms before it: none if it begins a fragment. */
type Step = { condition: number; bonds: { to: number; mask: number }[] }

/** `fits`: by condition, 1 if an atom of this kind may meet it; `met`: these conditions. */
type Kind = { id: number; facts: AtomFacts; fits: Uint8Array; met: number[] }

/** Two conditions and a mask; equal ones of all patterns are one. */
type PatternBond = { one: number; other: number; mask: number }

/** Everything that patterns of one list share. `kinds` and `pairs`, what bonds of two kinds meet, are remembered. */
type Shared = {
  conditions: Listed<Condition>
  bonds: Listed<PatternBond>
  nested: Map<string, Pattern>
  kinds: Map<string, Kind>
  pairs: Map<number, number[]>
}

/** Distinct items with their names. */
type Listed<Item> = { places: Map<string, number>; items: Item[] }

/** By atom: its kind, the atoms it is bonded to, and bits of these bonds. */
type Molecule = { shared: Shared; kinds: Kind[]; neighbours: number[][]; bonds: number[][] }

/** `atomCounts`: by condition, atoms that may meet it; `bondCounts`: by bond of the patterns, bonds that may be it. */
type Counted = Molecule & { atomCounts: Int32Array; bondCounts: Int32Array }

export function openSmarts(patterns: readonly string[]): SmartsSearch {
  const shared: Shared = {
    conditions: { places: new Map(), items: [] },
    bonds: { places: new Map(), items: [] },
    nested: new Map(),
    kinds: new Map(),
    pairs: new Map(),
  }
  const compiled = patterns.map((smarts) => compile(shared, smarts))
  /** By pattern, in turn: a bond that it needs, and how many. What was missing is asked for first from then on. */
  const asked = new Int32Array(patterns.length * 2)

  function matching(molecule: Counted): number[] {
    const { bondCounts } = molecule
    const found: number[] = []
    for (let at = 0; at < compiled.length; at += 1) {
      const [bond, times] = [asked[2 * at] as number, asked[2 * at + 1] as number]
      if ((bondCounts[bond] as number) < times) continue
      const pattern = compiled[at] as Pattern
      const missing = pattern.needs.find((need) => (bondCounts[need.bond] as number) < need.times)
      if (missing === undefined && isFound(molecule, pattern, null)) found.push(at)
      if (missing !== undefined) asked.set([missing.bond, missing.times], 2 * at)
    }
    return found
  }

  return {
    find: (graph) => matching(countParts(readMolecule(shared, graph))),
    locate(graph) {
      const molecule = countParts(readMolecule(shared, graph))
      return matching(molecule).map((pattern) => {
        const atoms = new Set<number>()
        isFound(molecule, compiled[pattern] as Pattern, atoms)
        return { pattern, atoms: [...atoms].toSorted((one, other) => one - other) }
      })
    },
    beginnings(graph) {
      const molecule = readMolecule(shared, graph)
      return (pattern, atom) => isBegun(molecule, compiled[pattern] as Pattern, atom)
    },
  }
}

function compile(shared: Shared, smarts: string): Pattern {
  const { atoms, bonds } = readSmarts(smarts)
  const conditions = atoms.map((text) => {
    const inner = nestedIn(text)
    for (const one of inner) {
      if (!shared.nested.has(one)) shared.nested.set(one, compile(shared, one))
    }
    return placeIn(shared.conditions, text, () => ({
      test: readAtom(text),
      isNested: inner.length > 0,
    }))
  })
  const times = new Map<number, number>()
  for (const { one, other, mask } of bonds) {
    const ends = [conditions[one] ?? 0, conditions[other] ?? 0].toSorted((a, b) => a - b)
    const [first = 0, second = 0] = ends
    const bond = placeIn(shared.bonds, `${first} ${second} ${mask}`, () => ({
      one: first,
      other: second,
      mask,
    }))
    times.set(bond, (times.get(bond) ?? 0) + 1)
  }
  return {
    conditions,
    bonds,
    needs: Array.from(times, ([bond, count]) => ({ bond, times: count })),
    orders: [],
    placed: new Int32Array(conditions.length),
  }
}

function placeIn<Item>({ places, items }: Listed<Item>, name: string, make: () => Item): number {
  const known = places.get(name)
  if (known !== undefined) return known
  places.set(name, items.length)
  return items.push(make()) - 1
}

/** The steps that begin with an atom; each further one has as many bonds to atoms before it as possible. */
function stepsFrom(pattern: Pattern, first: number): Step[] {
  const known = pattern.orders[first]
  if (known !== undefined) return known
  const { conditions, bonds } = pattern
  const order = [first]
  const bondsTo = (atom: number) =>
    bonds.flatMap(({ one, other, mask }) => {
      const to = order.indexOf(one === atom ? other : other === atom ? one : -1)
      return to === -1 ? [] : [{ to, mask }]
    })
  const steps: Step[] = [{ condition: conditions[first] ?? 0, bonds: [] }]
  while (order.length < conditions.length) {
    const left = [...conditions.keys()].filter((atom) => !order.includes(atom))
    const next = left.reduce((best, atom) =>
      bondsTo(atom).length > bondsTo(best).length ? atom : best,
    )
    steps.push({ condition: conditions[next] ?? 0, bonds: bondsTo(next) })
    order.push(next)
  }
  pattern.orders[first] = steps
  return steps
}

/** Limits of what is remembered: drugs have some hundred kinds, an attacker's molecules any number. */
const [KINDS_MAX, PAIRS_MAX] = [5000, 50_000]

/** Between molecules, so that the kinds of one have different ids. */
function forgetMany({ kinds, pairs }: Shared, more: number): void {
  if (kinds.size + more <= KINDS_MAX && pairs.size <= PAIRS_MAX) return
  kinds.clear()
  pairs.clear()
}

function kindOf({ kinds, conditions }: Shared, facts: AtomFacts): Kind {
  const name = Object.values(facts).join()
  const known = kinds.get(name)
  if (known !== undefined) return known
  const atom = { facts, isStartOf: () => false }
  const fits = Uint8Array.from(conditions.items, ({ test, isNested }) =>
    Number(isNested || test(atom)),
  )
  const met = [...fits.keys()].filter((at) => fits[at] === 1)
  const kind = { id: kinds.size, facts, fits, met }
  kinds.set(name, kind)
  return kind
}

/** The bonds of patterns that a bond between atoms of two kinds may be. */
function bondsMet({ pairs, bonds }: Shared, a: Kind, b: Kind, bit: number): number[] {
  const name = (a.id * KINDS_MAX + b.id) * BOND_BITS + bit
  const known = pairs.get(name)
  if (known !== undefined) return known
  const isMet = ({ one, other, mask }: PatternBond) =>
    (mask & bit) !== 0 &&
    ((a.fits[one] === 1 && b.fits[other] === 1) || (a.fits[other] === 1 && b.fits[one] === 1))
  const met = [...bonds.items.keys()].filter((at) => isMet(bonds.items[at] as PatternBond))
  pairs.set(name, met)
  return met
}

function readMolecule(shared: Shared, graph: MoleculeGraph): Molecule {
  forgetMany(shared, graph.atoms.length)
  const rings = readRings(graph)
  const kinds = graph.atoms.map((atom, at) =>
    kindOf(shared, factsOf(atom, graph.neighbours[at] ?? [], rings.counts[at] ?? 0)),
  )
  const bonds = graph.neighbours.map((around, atom) =>
    around.map(({ index, order, isAromatic }) =>
      bondBit(order, isAromatic, rings.has(atom, index)),
    ),
  )
  const neighbours = graph.neighbours.map((around) => around.map(({ index }) => index))
  return { shared, kinds, neighbours, bonds }
}

function countParts(molecule: Molecule): Counted {
  const { shared, kinds, neighbours, bonds } = molecule
  const atomCounts = new Int32Array(shared.conditions.items.length)
  const bondCounts = new Int32Array(shared.bonds.items.length)
  for (const [atom, kind] of kinds.entries()) {
    countAll(atomCounts, kind.met)
    for (const [way, other] of (neighbours[atom] ?? []).entries()) {
      if (atom > other) continue
      const bit = bonds[atom]?.[way] ?? 0
      countAll(bondCounts, bondsMet(shared, kind, kinds[other] as Kind, bit))
    }
  }
  return { ...molecule, atomCounts, bondCounts }
}

function countAll(counts: Int32Array, places: number[]): void {
  for (const place of places) counts[place] = (counts[place] as number) + 1
}

function factsOf(atom: GraphAtom, around: Neighbour[], rings: number): AtomFacts {
  const { element, isAromatic, charge } = atom
  return {
    element,
    isAromatic,
    charge,
    rings,
    hydrogens: countHydrogens(atom, around),
    degree: around.length,
    connections: around.length + atom.hydrogens,
    valence: around.reduce((sum, { order }) => sum + order, atom.hydrogens),
  }
}

/** `atoms`: gets the atoms of all matches; with null, the first match ends the search. */
function isFound(molecule: Counted, pattern: Pattern, atoms: Set<number> | null): boolean {
  const { conditions } = pattern
  const counts = conditions.map((condition) => molecule.atomCounts[condition] as number)
  const first = counts.indexOf(Math.min(...counts))
  const search = { molecule, steps: stepsFrom(pattern, first), placed: pattern.placed, atoms }
  for (let atom = 0; atom < molecule.kinds.length; atom += 1) {
    if (isPlaced(search, 0, atom)) return true
  }
  return atoms !== null && atoms.size > 0
}

type Search = {
  molecule: Molecule
  steps: Step[]
  placed: Int32Array
  atoms: Set<number> | null
}

/** Places an atom and then all others; false if that fails, or if every match is wanted. */
function isPlaced(search: Search, at: number, atom: number): boolean {
  const { molecule, steps, placed, atoms } = search
  const { condition, bonds } = steps[at] as Step
  if (!isMet(molecule, atom, condition)) return false
  for (let before = 0; before < at; before += 1) if (placed[before] === atom) return false
  for (let one = 1; one < bonds.length; one += 1) {
    const { to, mask } = bonds[one] as Step['bonds'][number]
    if (!isBonded(molecule, atom, placed[to] as number, mask)) return false
  }
  placed[at] = atom
  if (at + 1 < steps.length) return isExtended(search, at + 1)
  if (atoms === null) return true
  for (const one of placed) atoms.add(one)
  return false
}

/** Index loops on purpose: they run for every pattern. */
function isExtended(search: Search, at: number): boolean {
  const { molecule, steps, placed } = search
  const [bond] = (steps[at] as Step).bonds
  if (bond === undefined) {
    for (let atom = 0; atom < molecule.kinds.length; atom += 1) {
      if (isPlaced(search, at, atom)) return true
    }
    return false
  }
  const origin = placed[bond.to] as number
  const around = molecule.neighbours[origin] as number[]
  const ways = molecule.bonds[origin] as number[]
  for (let way = 0; way < around.length; way += 1) {
    if (((ways[way] as number) & bond.mask) === 0) continue
    if (isPlaced(search, at, around[way] as number)) return true
  }
  return false
}

function isMet(molecule: Molecule, atom: number, condition: number): boolean {
  const { fits, facts } = molecule.kinds[atom] as Kind
  if (fits[condition] !== 1) return false
  const { test, isNested } = molecule.shared.conditions.items[condition] as Condition
  if (!isNested) return true
  const isStartOf = (smarts: string) =>
    isBegun(molecule, molecule.shared.nested.get(smarts) as Pattern, atom)
  return test({ facts, isStartOf })
}

function isBegun(molecule: Molecule, pattern: Pattern, atom: number): boolean {
  if (molecule.kinds[atom]?.fits[pattern.conditions[0] ?? 0] !== 1) return false
  const search = { molecule, steps: stepsFrom(pattern, 0), placed: pattern.placed, atoms: null }
  return isPlaced(search, 0, atom)
}

function isBonded(
  { neighbours, bonds }: Molecule,
  one: number,
  other: number,
  mask: number,
): boolean {
  const way = (neighbours[one] as number[]).indexOf(other)
  return way !== -1 && ((bonds[one]?.[way] ?? 0) & mask) !== 0
}
