/** Tasks of the series thread. RDKit cannot be interrupted, so the tasks have their own thread. */
import {
  type AppliedChange,
  applyChanges,
  buildSeriesTable,
  countGaps,
  type DrawingTheme,
  drawGroup,
  enumerateSeries,
  findCliffs,
  findClusters,
  findMatchedPairs,
  type FoundSeries,
  openRdkit,
  pickDiverse,
  PRODUCTS_MAX,
  type RdkitModule,
  readContexts,
  withoutOpposites,
  flatSmiles,
  readFingerprints,
  type SeriesTable,
  type SeriesTableRequest,
  standardise,
} from '@pkdex/biochem'
import {
  CHANGES_MAX,
  CLIFFS_MAX,
  type SeriesClusters,
  type SeriesPairs,
  type SeriesProducts,
} from '@pkdex/contract'
import { beginStep, expectSteps, type TaskCall } from '#server/platform/jobs/thread-pool.ts'
import { comparePairs } from './compare-pairs.ts'
import { chooseHelpful } from './helpful-changes.ts'
import { openTrainingChanges, type TrainingChanges } from './training-changes.ts'
import { round } from '#server/platform/round.ts'

const USUAL_GAPS_MAX = 600

/** `smiles` as sent by the caller. Null if the core cannot be read. */
export async function buildTable({
  input,
  steps,
}: TaskCall<
  Omit<SeriesTableRequest, 'smiles'> & { smiles: string[] }
>): Promise<SeriesTable | null> {
  const rdkit = await healthyRdkit()
  // Each compound is read, searched for cores and divided; the gaps follow.
  expectSteps(steps, 3 * input.smiles.length + Math.min(input.smiles.length, USUAL_GAPS_MAX))
  try {
    const { smiles, found } = readList(rdkit, input.smiles, () => beginStep(steps))
    const core = input.core === undefined ? undefined : readCore(rdkit, input.core)
    if (core === null) return null
    return buildSeriesTable(rdkit, { ...input, core, smiles }, () => beginStep(steps), found)
  } catch (error) {
    openedRdkit = null
    throw error
  }
}

/** `segments`: those of the protein on which the values were measured. */
export type PairsRequest = {
  compounds: { smiles: string; pk: number | null }[]
  segments: string[] | null
  modelDirectory: string
}

export async function findPairs({
  input,
  steps,
}: TaskCall<PairsRequest & { theme: DrawingTheme }>): Promise<SeriesPairs> {
  const rdkit = await healthyRdkit()
  const { compounds, segments, modelDirectory, theme } = input
  expectSteps(steps, 3 * compounds.length + CHANGES_MAX)
  try {
    const step = () => beginStep(steps)
    const requested = compounds.map(({ smiles }) => smiles)
    const { smiles: all } = readList(rdkit, requested, step)
    const contexts = readContexts(rdkit, all, step)
    step()
    openedChanges ??= openTrainingChanges(modelDirectory)
    const values = compounds.map(({ pk }) => pk)
    const gapsOf = (from: string, to: string) => countGaps(contexts, from, to)
    const about = { training: openedChanges, segments, gapsOf }
    const pairs = withoutOpposites(rdkit, { pairs: findMatchedPairs(contexts), smiles: all }, step)
    const { changes, total, trainingTarget } = comparePairs(pairs, values, about)
    const groups = new Set(changes.flatMap(({ from, to }) => [from, to]))
    const drawings = [...groups].flatMap((group) => {
      step()
      const drawing = drawGroup(rdkit, group, theme)
      return drawing === null ? [] : [[group, drawing] as const]
    })
    const training_target = trainingTarget
    return { changes, total, training_target, drawings: Object.fromEntries(drawings) }
  } catch (error) {
    openedRdkit = null
    throw error
  }
}

export type ProductsRequest = PairsRequest & {
  by: 'groups' | 'changes'
  core?: string | undefined
  change?: AppliedChange | undefined
}

/** Products in the order in which they are enumerated, each new molecule once. */
export type MadeProducts = Pick<
  SeriesProducts,
  | 'core'
  | 'changes'
  | 'combinations'
  | 'skipped_groups'
  | 'skipped_changes'
  | 'known'
  | 'impossible'
> & { products: Pick<SeriesProducts['products'][number], 'smiles' | 'from' | 'change'>[] }

/** Null if the core cannot be read. */
export async function findProducts({
  input,
  steps,
}: TaskCall<ProductsRequest>): Promise<MadeProducts | null> {
  const rdkit = await healthyRdkit()
  const step = () => beginStep(steps)
  // Each compound is read and divided. The number of molecules is not known in advance, so the maximum is assumed.
  expectSteps(steps, 3 * input.compounds.length + PRODUCTS_MAX)
  try {
    const requested = input.compounds.map(({ smiles }) => smiles)
    const { smiles } = readList(rdkit, requested, step)
    if (input.by === 'changes') return changeGroups(rdkit, { input, smiles }, step)
    const core = input.core === undefined ? undefined : readCore(rdkit, input.core)
    if (core === null) return null
    const found = enumerateSeries(rdkit, { core, smiles }, step)
    if (found === null) return null
    const { skippedGroups, ...made } = found
    const products = made.products.map((product) => ({ smiles: product, from: null, change: null }))
    const skipped = { skipped_groups: skippedGroups, skipped_changes: 0 }
    return { ...made, ...skipped, changes: [], products }
  } catch (error) {
    openedRdkit = null
    throw error
  }
}

function changeGroups(
  rdkit: RdkitModule,
  { input, smiles }: { input: ProductsRequest; smiles: (string | null)[] },
  step: () => void,
): MadeProducts {
  const { compounds, segments, modelDirectory, change } = input
  openedChanges ??= openTrainingChanges(modelDirectory)
  const values = compounds.map(({ pk }) => pk)
  const about = { training: openedChanges, segments }
  const compared = () => {
    const found = findMatchedPairs(readContexts(rdkit, smiles, step))
    const pairs = withoutOpposites(rdkit, { pairs: found, smiles }, step)
    return comparePairs(pairs, values, about).changes
  }
  const changes = change === undefined ? chooseHelpful(compared()) : [{ ...change, lower: 0 }]
  const made = applyChanges(rdkit, { smiles, changes, most: PRODUCTS_MAX }, step)
  const { tried, known, skippedChanges, products } = made
  const skipped = { skipped_groups: 0, skipped_changes: skippedChanges }
  return { core: null, changes, combinations: tried, ...skipped, known, impossible: 0, products }
}

export type ClustersRequest = {
  compounds: { smiles: string; pk: number | null }[]
  similarity: number
  cliff: { similarity: number; change: number }
  pick: number
}

export async function findClustersOf({
  input,
  steps,
}: TaskCall<ClustersRequest>): Promise<SeriesClusters> {
  const rdkit = await healthyRdkit()
  const { compounds, similarity, cliff, pick } = input
  expectSteps(steps, 2 * compounds.length + 3)
  const step = () => beginStep(steps)
  try {
    const requested = compounds.map((compound) => compound.smiles)
    const { smiles } = readList(rdkit, requested, step)
    const fingerprints = readFingerprints(rdkit, smiles, step)
    const values = compounds.map(({ pk }) => pk)
    step()
    const clusters = findClusters(fingerprints, similarity)
    step()
    const picked = pickDiverse(fingerprints, pick, clusters[0]?.centre ?? 0)
    step()
    const limits = { similarityMin: cliff.similarity, changeMin: cliff.change }
    const cliffs = findCliffs(fingerprints, values, limits)
    return {
      clusters: clusters.map((cluster) => ({
        ...cluster,
        best: strongestOf(cluster.members, values),
      })),
      picked,
      cliffs: cliffs.slice(0, CLIFFS_MAX).map((one) => {
        const flat = (place: number) => flatSmiles(rdkit, smiles[place] ?? '')
        const stereoisomers = flat(one.weaker) === flat(one.stronger)
        const rounded = { similarity: round(one.similarity, 3), change: round(one.change, 3) }
        return { ...one, ...rounded, stereoisomers }
      }),
      cliffs_total: cliffs.length,
      left_out: [...fingerprints.keys()].filter((place) => fingerprints[place] === null),
    }
  } catch (error) {
    openedRdkit = null
    throw error
  }
}

function strongestOf(members: number[], values: (number | null)[]): number | null {
  const measured = members.filter((place) => values[place] != null)
  return measured.toSorted((a, b) => (values[b] ?? 0) - (values[a] ?? 0))[0] ?? null
}

let openedChanges: TrainingChanges | null = null

/** Standard SMILES, null for those that cannot be read; `found`: cached results about them. */
type CompoundList = { requested: string[]; smiles: (string | null)[]; found: FoundSeries }

/** All pages of a series read the same compounds, so the last list is cached. */
let lastList: CompoundList | null = null

function readList(rdkit: RdkitModule, requested: string[], step: () => void): CompoundList {
  if (lastList !== null && isSame(lastList.requested, requested)) return lastList
  const smiles = requested.map((one) => {
    step()
    const standard = standardise(rdkit, one)
    return standard.ok ? standard.standardSmiles : null
  })
  lastList = { requested, smiles, found: {} }
  return lastList
}

function isSame(one: string[], other: string[]): boolean {
  return one.length === other.length && one.every((smiles, place) => smiles === other[place])
}

/** The size is checked before RDKit parses the SMILES. */
function readCore(rdkit: RdkitModule, smiles: string): string | null {
  const standard = standardise(rdkit, smiles)
  return standard.ok ? standard.standardSmiles : null
}

let openedRdkit: Promise<RdkitModule> | null = null

/** An exception inside WebAssembly leaves the module in an unknown state, so the next task opens a new one. */
function healthyRdkit(): Promise<RdkitModule> {
  openedRdkit ??= openRdkit()
  return openedRdkit
}
