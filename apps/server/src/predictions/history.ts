/** A user's single predictions, newest first: one page, or all of them page by page. */
import type { PastPrediction } from '@pkdex/contract'
import { type RawBuilder, sql } from 'kysely'
import { readExactValues } from '#server/measurements/service.ts'
import type { Best, BestEstimates } from './best-estimates.ts'
import { sequenceKey } from './pair-key.ts'
import type { Database } from '#server/platform/db/schema.ts'

const historyColumns = [
  'created_at',
  'target',
  'chain',
  'compound',
  'status',
  'best_kd',
  'best_lower',
  'best_upper',
  'predicted_kd',
  'lower',
  'upper',
  'model_version',
  'credits_charged',
  'message',
  'task_id',
] as const satisfies (keyof PastPrediction)[]

/** The same column order as in files of screens. */
const afterInterval = historyColumns.indexOf('upper') + 1
export const historyFileColumns: (keyof PastPrediction)[] = [
  ...historyColumns.slice(0, afterInterval),
  'measured_pk',
  ...historyColumns.slice(afterInterval),
]

type Sought = { userId: string; search: string }

type Dependencies = { db: Database; best: BestEstimates }

export async function pageOfHistory(
  { db, best }: Dependencies,
  { page, page_size, ...sought }: Sought & { page: number; page_size: number },
): Promise<{ total: number; predictions: PastPrediction[] }> {
  const { total } = await tasksOf(db, sought.userId)
    .where(isNamed(sought))
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const rows = await newestFirst(db, sought)
    .limit(page_size)
    .offset((page - 1) * page_size)
    .execute()
  return { total, predictions: await complete({ db, best }, sought.userId, rows) }
}

/** Adds the best estimates and the user's measured values. */
async function complete(
  { db, best }: Dependencies,
  userId: string,
  rows: Row[],
): Promise<PastPrediction[]> {
  const names = [...new Set(rows.flatMap(({ target }) => target ?? []))]
  const values = await readExactValues(db, userId, names)
  const measured = new Map(names.map((target, at) => [target, values[at]]))
  const estimates = await readEstimates(best, userId, rows)
  return rows.map((read) => {
    const { segments: _, ...row } = read
    const { target, smiles, created_at } = row
    const measured_pk = measured.get(target ?? '')?.get(smiles ?? '') ?? null
    const { predicted, lower, upper } = estimates.get(row.task_id) ?? spanOf(row)
    return {
      ...row,
      created_at: created_at.toISOString(),
      best_kd: predicted,
      best_lower: lower,
      best_upper: upper,
      measured_pk,
    }
  })
}

type Plain = Pick<Row, 'predicted_kd' | 'lower' | 'upper'>

function spanOf({ predicted_kd: predicted, lower, upper }: Plain) {
  return { predicted, lower, upper }
}

/** By task; those of deleted targets and compounds are missing. */
async function readEstimates(
  best: BestEstimates,
  userId: string,
  rows: Row[],
): Promise<Map<string, Best>> {
  const pairs = rows.flatMap((row) => {
    const { target: name, chain, segments, smiles: standard, model_version: modelVersion } = row
    const { predicted, lower, upper } = spanOf(row)
    if (name === null || segments === null || standard === null || modelVersion === null) return []
    if (predicted === null || lower === null || upper === null) return []
    const target = { name, chain, key: sequenceKey(segments[chain] ?? []) }
    return [
      { id: row.task_id, target, standard, modelVersion, number: { predicted, lower, upper } },
    ]
  })
  const found = new Map<string, Best>()
  const ofTarget = Map.groupBy(pairs, ({ target: { name, chain } }) =>
    JSON.stringify([name, chain]),
  )
  const columns = [...ofTarget.values()]
  const opened = await best.open({
    userId,
    targets: columns.flatMap(([first]) => first?.target ?? []),
    modelVersions: [...new Set(pairs.map(({ modelVersion }) => modelVersion))],
  })
  for (const [at, some] of columns.entries()) {
    const estimates = (await opened[at]?.read(some)) ?? []
    for (const [place, one] of estimates.entries()) found.set(some[place]?.id ?? '', one)
  }
  return found
}

/** Rows per query, so that others can use the single embedded connection in between. */
const PAGE_ROWS = 500

/** Keyset pagination: new predictions do not shift later pages. */
export async function* pagesOfHistory(
  { db, best }: Dependencies,
  sought: Sought,
): AsyncGenerator<PastPrediction[]> {
  const listed = newestFirst(db, sought)
  let query = listed
  for (;;) {
    const rows = await query.limit(PAGE_ROWS).execute()
    const last = rows.at(-1)
    if (last === undefined) return
    yield await complete({ db, best }, sought.userId, rows)
    query = listed.where(
      sql<boolean>`(tasks.created_at, tasks.id) < (${last.created_at}, ${last.task_id})`,
    )
  }
}

/** Names of deleted items are null. */
function newestFirst(db: Database, sought: Sought) {
  return (
    tasksOf(db, sought.userId)
      .where(isNamed(sought))
      .orderBy('tasks.created_at', 'desc')
      .orderBy('tasks.id', 'desc')
      .select(['tasks.created_at', 'targets.name as target', 'target_chain as chain'])
      .select(['compounds.name as compound', 'status', 'model_version', 'message'])
      .select([
        sql<number | null>`(result ->> 'predicted_kd')::float8`.as('predicted_kd'),
        sql<number | null>`(result -> 'interval' ->> 'lower')::float8`.as('lower'),
        sql<number | null>`(result -> 'interval' ->> 'upper')::float8`.as('upper'),
        sql<number>`case status when 'FAILURE' then 0 else credits_charged end`.as(
          'credits_charged',
        ),
      ])
      // The structure identifies a compound, whatever its name is.
      .select(['compounds.standard_smiles as smiles', 'targets.segments', 'tasks.id as task_id'])
  )
}

function tasksOf(db: Database, userId: string) {
  return db
    .selectFrom('tasks')
    .leftJoin('targets', 'targets.id', 'tasks.target_id')
    .leftJoin('compounds', 'compounds.id', 'tasks.compound_id')
    .where('tasks.user_id', '=', userId)
    .where('is_by_product', '=', false)
}

/** Matches if the name of the target or compound contains the text. */
function isNamed({ search }: Sought): RawBuilder<boolean> {
  const text = search.normalize('NFC')
  if (text === '') return sql`true`
  return sql`(strpos(lower(targets.name), lower(${text})) > 0
    or strpos(lower(compounds.name), lower(${text})) > 0)`
}

type Row = Omit<PastPrediction, 'created_at' | 'measured_pk' | `best_${string}`> & {
  created_at: Date
  segments: Record<string, string[]> | null
}
