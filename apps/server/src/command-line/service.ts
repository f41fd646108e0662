/**
 * Predicts every compound of a table on every requested chain, without a server or a database. Files are read like
 * uploads, and the predictions are the same as on the server.
 */
import { availableParallelism } from 'node:os'
import {
  type CompoundProperties,
  ligandEfficiency,
  lipophilicEfficiency,
  noPrediction,
  type OwnAlert,
  type ProfileCondition,
  type ScreenRow,
  screenRowColumns,
} from '@pkdex/contract'
import { readFacts } from '#server/files/service.ts'
import {
  openParsingWorkers,
  type ParsingWorkers,
  type ReadTarget,
} from '#server/files/parsing/service.ts'
import {
  domainStateIn,
  gridColumns,
  GRID_COLUMNS,
  openPredictor,
  type Predictor,
} from '#server/inference/service.ts'
import type { InputCompound } from './read-compounds.ts'
import { expectUsable, matchAlerts, type scoreColumns, scoreRow } from './row-options.ts'
import { OperatorError } from '#server/platform/errors.ts'

export { type CompoundTable, readCompounds } from './read-compounds.ts'
export { openResumableFile, type ResumableFile } from './resumable-file.ts'
export { readAlertFile, readProfileOption, scoreColumns } from './row-options.ts'

type TargetFile = { name: string; bytes: Uint8Array }

/** One chain of a structure: the model's input. */
type ChosenTarget = { name: string; chain: string; segments: string[] }

/** Excludes selectivity: it needs all targets of a compound, but rows are written batch by batch. */
export const predictedColumns = screenRowColumns.filter(
  (column) => column !== 'selectivity' && column !== 'measured_pk',
)

/** The fields of a screen's rows that can be computed batch by batch. */
export type PredictedRow = Pick<ScreenRow, (typeof predictedColumns)[number]> &
  Partial<Pick<ScreenRow, (typeof scoreColumns)[number]>>

export type OfflinePredictor = {
  modelVersion: string
  /**
   * Rows in input order, compound by compound, each with all targets. `chain` applies to every structure;
   * without it the longest protein chain of each structure is used. `alerts`: the user's own, beside the catalogue.
   * With a `profile`, rows have the score columns. `from`: number of compounds to pass over.
   */
  predict(work: {
    targets: TargetFile[]
    chain?: string | undefined
    compounds: InputCompound[]
    alerts?: OwnAlert[]
    profile?: ProfileCondition[] | null
    from?: number
  }): AsyncGenerator<PredictedRow[]>
  close(): Promise<void>
}

/** Number of compounds that are read and then predicted together. */
const BATCH = 64

export async function openOfflinePredictor(modelDirectory: string): Promise<OfflinePredictor> {
  const threads = availableParallelism()
  const parsing = openParsingWorkers({ threads })
  const predictor = await openPredictor({ modelDirectory, threads })

  async function* predict({
    targets,
    chain,
    compounds,
    alerts = [],
    profile = null,
    from: first = 0,
  }: Parameters<OfflinePredictor['predict']>[0]) {
    await expectUsable(parsing, alerts)
    const chosen = await Promise.all(targets.map((target) => chooseChain(parsing, target, chain)))
    const batches = Array.from(
      { length: Math.ceil((compounds.length - first) / BATCH) },
      (_, at) => {
        const from = first + at * BATCH
        return { from, compounds: compounds.slice(from, from + BATCH) }
      },
    )
    yield* inOrder(batches, threads + 1, async (batch) => {
      const rows = await predictBatch({ parsing, predictor, alerts }, chosen, batch)
      return profile === null ? rows : rows.map((row) => ({ ...row, ...scoreRow(profile, row) }))
    })
  }

  return {
    modelVersion: predictor.modelVersion,
    predict,
    close: async () => {
      await Promise.all([parsing.close(), predictor.close()])
    },
  }
}

async function chooseChain(
  parsing: ParsingWorkers,
  { name, bytes }: TargetFile,
  wanted: string | undefined,
): Promise<ChosenTarget> {
  const read = await parsing.readTarget(name, bytes)
  if (!read.ok) throw new OperatorError(`${name}: ${read.reason}`)
  const target: ReadTarget = read.value
  const chosen = target.chains.find(({ id }) => id === (wanted ?? target.chain))
  if (chosen !== undefined) return { name, chain: chosen.id, segments: chosen.segments }
  const known = target.chains.map(({ id }) => id).join(', ')
  throw new OperatorError(`${name} has no protein chain ${wanted}. It has ${known}.`)
}

type Tools = { parsing: ParsingWorkers; predictor: Predictor; alerts: OwnAlert[] }
type Batch = { from: number; compounds: InputCompound[] }

async function predictBatch(
  { parsing, predictor, alerts }: Tools,
  targets: ChosenTarget[],
  { from, compounds }: Batch,
): Promise<PredictedRow[]> {
  const standard = await readSmiles(parsing, from, compounds)
  const readable = standard.flatMap((one) => (one.ok ? [one] : []))
  const smiles = readable.map((one) => one.smiles)
  const flat = readable.map((one) => one.flat)
  const described = await parsing.describeCompounds(`rows ${from}`, flat)
  const own = await matchAlerts(parsing, alerts, smiles)
  const numbers = await predictor.predictGrid({
    targets: targets.map(({ segments }) => segments),
    smiles,
    features: described.map((one) => one?.features),
  })
  let place = 0
  return compounds.flatMap(({ name, smiles }, at) => {
    const one = standard[at]
    const row = { row: from + at + 1, compound: name, alerts: null }
    if (one?.ok !== true) {
      const reason = one?.reason ?? unreadable
      return targets.map((target) => withoutNumber({ ...row, smiles }, target, reason))
    }
    const record = described[place]?.record
    const facts = record ? readFacts(record) : null
    const known = {
      ...row,
      smiles: one.smiles,
      ...facts?.properties,
      alerts: facts && [...facts.alerts, ...(own[place] ?? [])],
    }
    const cells = numbers[place++] ?? null
    return targets.map((target, column) =>
      cells === null
        ? withoutNumber(known, target, 'The model could not predict this compound.')
        : withNumber(known, target, cells.subarray(column * GRID_COLUMNS)),
    )
  })
}

/** `flat`: the standard SMILES without stereochemistry. */
type ReadSmiles = { ok: true; smiles: string; flat: string } | { ok: false; reason: string }

/** Rows are lines from 1. */
async function readSmiles(
  parsing: ParsingWorkers,
  from: number,
  compounds: InputCompound[],
): Promise<ReadSmiles[]> {
  const answers: ReadSmiles[] = compounds.map(({ reason = unreadable }) => ({ ok: false, reason }))
  const molecules = compounds.flatMap(({ smiles, block, reason }, at) =>
    reason === undefined
      ? [{ line: at + 1, smiles, name: '', ...(block !== undefined && { block }) }]
      : [],
  )
  const read = await parsing.readMolecules(`rows ${from}`, molecules)
  for (const { line, reason } of read.rejected) answers[line - 1] = { ok: false, reason }
  for (const { line, report, flat } of read.compounds) {
    const smiles = report.standard_smiles
    answers[line - 1] = { ok: true, smiles, flat: flat ?? smiles }
  }
  return answers
}

const unreadable = 'This compound could not be read.'

type RowStart = Pick<PredictedRow, 'row' | 'compound' | 'smiles' | 'alerts'> &
  Partial<CompoundProperties>

function withoutNumber(row: RowStart, { name, chain }: ChosenTarget, reason: string): PredictedRow {
  return { ...row, target: name, chain, ...noPrediction, reason }
}

function withNumber(
  row: RowStart,
  { name, chain }: ChosenTarget,
  cells: Float32Array,
): PredictedRow {
  const value = (column: keyof typeof gridColumns) =>
    Number((cells[gridColumns[column]] ?? Number.NaN).toFixed(3))
  // Rounded to as many digits as a screen stores, so that both show the same number.
  const affinity = (column: 'predicted' | 'lower' | 'upper') =>
    Number((cells[gridColumns[column]] ?? Number.NaN).toFixed(6))
  const [predicted, lower, upper] = [affinity('predicted'), affinity('lower'), affinity('upper')]
  const { heavy_atoms: heavyAtoms, log_p: logP } = row
  const known = heavyAtoms !== undefined && logP !== undefined
  return {
    ...row,
    ligand_efficiency: known ? rounded(ligandEfficiency(predicted, heavyAtoms)) : null,
    lipophilic_efficiency: known ? rounded(lipophilicEfficiency(predicted, logP)) : null,
    target: name,
    chain,
    // There are no poses and measured values here, so the prediction is the best estimate.
    best_kd: predicted,
    best_lower: lower,
    best_upper: upper,
    own_values: null,
    predicted_kd: predicted,
    lower,
    upper,
    in_domain: value('isInside') === 1,
    domain_state: domainStateIn(cells),
    is_ligand_driven: value('isLigandDriven') === 1,
    compound_similarity: value('compoundSimilarity'),
    target_similarity: value('targetSimilarity'),
    reason: null,
  }
}

function rounded(value: number | null): number | null {
  return value === null ? null : Number(value.toFixed(3))
}

/** Processes several items at the same time, and yields the results in input order. */
async function* inOrder<In, Out>(
  inputs: In[],
  atOnce: number,
  work: (input: In) => Promise<Out>,
): AsyncGenerator<Out> {
  const begun: Promise<Out>[] = []
  let next = 0
  const begin = () => {
    const input = inputs[next++]
    if (input === undefined) return
    const promise = work(input)
    // Errors surface when the promise is awaited; this prevents an unhandled rejection before that.
    promise.catch(() => undefined)
    begun.push(promise)
  }
  for (let at = 0; at < atOnce; at++) begin()
  for (let promise = begun.shift(); promise !== undefined; promise = begun.shift()) {
    const output = await promise
    begin()
    yield output
  }
}
