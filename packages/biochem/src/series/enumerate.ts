/** New molecules of a series: every combination of the groups of its compounds at the positions of their core. */
import type { RdkitModule } from '../smiles/rdkit.ts'
import { decompose, type Decomposition, isBridged, type SeriesRow } from './decompose.ts'
import { findCores } from './find-cores.ts'
import { type Joiner, openJoiner } from './join-groups.ts'

export type Enumeration = {
  core: string | null
  /** Combinations tried. */
  combinations: number
  /** The rarest groups, skipped where all of them would make more combinations. */
  skippedGroups: number
  /** How many of these are compounds of the series, or do not fit together. */
  known: number
  impossible: number
  /** SMILES of the new molecules, each once. */
  products: string[]
}

/** Each takes a few milliseconds, and other users wait for the thread. */
export const PRODUCTS_MAX = 5000

type Molecules = { smiles: (string | null)[]; core?: string | undefined; most?: number }

/** Null if the given core cannot be read. `smiles` are standard ones, null is skipped. */
export function enumerateSeries(
  rdkit: RdkitModule,
  { smiles, core, most = PRODUCTS_MAX }: Molecules,
  beginStep: () => void = () => undefined,
): Enumeration | null {
  const used = core ?? findCores(rdkit, smiles, beginStep)[0]?.smiles
  const answer: Enumeration = {
    core: used ?? null,
    combinations: 0,
    skippedGroups: 0,
    known: 0,
    impossible: 0,
    products: [],
  }
  if (used === undefined) return answer
  const found = decompose(rdkit, { core: used, smiles }, beginStep)
  if (found === null) return null
  return { ...answer, ...recombine(rdkit, { found, known: new Set(smiles), most }, beginStep) }
}

type Recombination = {
  found: Decomposition
  known: ReadonlySet<string | null>
  most: number
}

function recombine(
  rdkit: RdkitModule,
  { found, known, most }: Recombination,
  beginStep: () => void,
): Omit<Enumeration, 'core'> {
  const joiner = openJoiner(rdkit)
  const { positions, skipped } = listGroups(found, most)
  const all = [...combine(positions)].map((groups) => {
    beginStep()
    return makeProduct(joiner, found.rows, groups)
  })
  joiner.delete()
  const made = all.filter((smiles) => smiles !== null)
  return {
    combinations: all.length,
    skippedGroups: skipped,
    known: made.filter((smiles) => known.has(smiles)).length,
    impossible: all.length - made.length,
    products: [...new Set(made.filter((smiles) => !known.has(smiles)))],
  }
}

type Position = { label: string; groups: string[] }

/** The groups of each position, most common first; the rarest are skipped until the combinations are few enough. */
function listGroups(
  { rows, varying }: Decomposition,
  most: number,
): { positions: Position[]; skipped: number } {
  const positions = varying.map((label): Position => {
    const counts = new Map<string, number>()
    for (const { groups } of rows) {
      const group = groups[label]
      if (group !== undefined && !isBridged(group)) counts.set(group, (counts.get(group) ?? 0) + 1)
    }
    const groups = [...counts].toSorted((one, other) => other[1] - one[1]).map(([group]) => group)
    return { label, groups }
  })
  const product = () => positions.reduce((all, { groups }) => all * Math.max(groups.length, 1), 1)
  let skipped = 0
  while (product() > most) {
    const longest = positions.reduce((one, other) =>
      other.groups.length > one.groups.length ? other : one,
    )
    longest.groups.pop()
    skipped += 1
  }
  return { positions: positions.filter(({ groups }) => groups.length > 0), skipped }
}

function* combine(positions: Position[]): Generator<Record<string, string>> {
  const [first, ...others] = positions
  if (first === undefined) return
  for (const group of first.groups) {
    if (others.length === 0) yield { [first.label]: group }
    else for (const rest of combine(others)) yield { [first.label]: group, ...rest }
  }
}

/** Cores tried per product: another compound's may differ in bond order or stereo. */
const TEMPLATES_MAX = 3

function makeProduct(
  joiner: Joiner,
  rows: SeriesRow[],
  groups: Record<string, string>,
): string | null {
  const likeness = ({ groups: own }: SeriesRow) =>
    Object.entries(groups).filter(([label, group]) => own[label] === group).length
  const nearest = rows.reduce<SeriesRow | undefined>(
    (one, other) => (one === undefined || likeness(other) > likeness(one) ? other : one),
    undefined,
  )
  const templates = nearest === undefined ? [] : [nearest, ...rows.filter((row) => row !== nearest)]
  for (const { core, groups: own } of templates.slice(0, TEMPLATES_MAX)) {
    const made = joiner.join({ core, groups: { ...own, ...groups } })
    if (made !== null) return made
  }
  return null
}
