/** The cores of a series: scaffolds that most of its compounds share. */
import { type RdkitModule, trapped } from '../smiles/rdkit.ts'
import { listScaffolds, type WrittenScaffolds } from './scaffolds.ts'

/** `compounds`: how many have it. */
export type SeriesCore = { smiles: string; atoms: number; compounds: number }

/** A series' core is the largest scaffold shared by this fraction of its compounds. */
const SHARE_MIN = 0.75
/** Other cores have at least this many atoms and compounds; a lone benzene is not informative. */
const OTHER_ATOMS_MIN = 9
const OTHER_COMPOUNDS_MIN = 3
const CORES_MAX = 6

/**
 * At most six, the default first: the largest shared by 75% or, without one, the one that covers most atoms. `smiles`
 * are standard ones, null is skipped. `beginStep` is called before each molecule.
 */
export function findCores(
  rdkit: RdkitModule,
  smiles: (string | null)[],
  beginStep: () => void = () => undefined,
): SeriesCore[] {
  return orderCores(listCores(rdkit, smiles, beginStep), smiles.length)
}

/** A core with the indices of the compounds that have it. */
export type FoundCore = Omit<SeriesCore, 'compounds'> & { members: number[] }

/** All of them, in no order. */
export function listCores(
  rdkit: RdkitModule,
  smiles: (string | null)[],
  beginStep: () => void = () => undefined,
): FoundCore[] {
  const found = new Map<string, FoundCore>()
  const keys = new Map<string, string>()
  const written: WrittenScaffolds = new Map()
  for (const [at, one] of smiles.entries()) {
    if (one === null) continue
    beginStep()
    trapped(() => {
      using molecule = rdkit.get_mol(one)
      if (molecule === null) return
      const own = listScaffolds(rdkit, molecule, written).map((scaffold) => {
        return [keyOf(rdkit, scaffold.smiles, keys), scaffold] as const
      })
      for (const [key, scaffold] of new Map(own)) {
        const core = found.get(key) ?? { ...scaffold, members: [] }
        core.members.push(at)
        found.set(key, core)
      }
    })
  }
  return [...found.values()]
}

/** The same for tautomers of one scaffold: InChI treats their hydrogens as mobile. */
function keyOf(rdkit: RdkitModule, smiles: string, keys: Map<string, string>): string {
  if (!smiles.includes('[nH]')) return smiles
  const known = keys.get(smiles)
  if (known !== undefined) return known
  using scaffold = rdkit.get_mol(smiles)
  const key = scaffold?.get_inchi() || smiles
  keys.set(smiles, key)
  return key
}

/** `own`: indices of compounds whose best core comes before that of all. */
export function orderCores(
  found: FoundCore[],
  count: number,
  own: readonly number[] = [],
): SeriesCore[] {
  const rank = (isCounted: (member: number) => boolean, most: number) =>
    rankCores(
      found.map(({ members, ...core }) => {
        return { ...core, compounds: members.filter(isCounted).length }
      }),
      most,
    )
  const isOwn = new Set(own)
  const [first] = rank((member) => isOwn.has(member), own.length)
  const all = rank(() => true, count)
  const leads = found.filter(({ smiles }) => smiles === first?.smiles).map(countMembers)
  const others = all.filter(({ smiles }) => smiles !== first?.smiles)
  return [...leads, ...others].slice(0, CORES_MAX)
}

function countMembers({ members, ...core }: FoundCore): SeriesCore {
  return { ...core, compounds: members.length }
}

function rankCores(cores: SeriesCore[], count: number): SeriesCore[] {
  const [shared] = cores
    .filter(({ compounds }) => compounds > 0 && compounds >= SHARE_MIN * count)
    .toSorted((a, b) => b.atoms - a.atoms || b.compounds - a.compounds)
  const explained = ({ compounds, atoms }: SeriesCore) => compounds * (atoms - 5)
  const others = cores
    .filter((core) => core !== shared)
    .filter(({ atoms }) => atoms >= OTHER_ATOMS_MIN)
    .filter(({ compounds }) => compounds >= OTHER_COMPOUNDS_MIN)
    .toSorted((a, b) => explained(b) - explained(a))
  const isTooSmall = shared !== undefined && shared.atoms < OTHER_ATOMS_MIN && others.length > 0
  const first = shared === undefined ? [] : [shared]
  return isTooSmall ? [...others, ...first] : [...first, ...others]
}
