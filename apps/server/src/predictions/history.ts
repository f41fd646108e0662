/** A user's single predictions, newest first: one page, or all of them page by page. */
import type { PastPrediction } from '@pkdex/contract'
import { type RawBuilder, sql } from 'kysely'
import { readExactValues } from '#server/measurements/service.ts'
import type { Database } from '#server/platform/db/schema.ts'

export const historyColumns = [
  'created_at',
  'target',
  'chain',
  'compound',
  'status',
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

export async function pageOfHistory(
  db: Database,
  { page, page_size, ...sought }: Sought & { page: number; page_size: number },
): Promise<{ total: number; predictions: PastPrediction[] }> {
  const { total } = await tasksOf(db, sought.userId)
    .where(isNamed(sought))
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const rows = await newestFirst(db, sought)
    // The structure identifies a compound, whatever its name is.
    .select('compounds.standard_smiles as smiles')
    .limit(page_size)
    .offset((page - 1) * page_size)
    .execute()
  return { total, predictions: await withMeasured(db, sought.userId, rows) }
}

type Drawn = Row & { smiles: string | null }

async function withMeasured(
  db: Database,
  userId: string,
  rows: Drawn[],
): Promise<PastPrediction[]> {
  const targets = [...new Set(rows.flatMap(({ target }) => target ?? []))]
  const values = await readExactValues(db, userId, targets)
  const measured = new Map(targets.map((target, at) => [target, values[at]]))
  return rows.map(({ smiles, ...row }) => {
    const measured_pk = measured.get(row.target ?? '')?.get(smiles ?? '') ?? null
    return { ...toPast(row), smiles, measured_pk }
  })
}

/** Rows per query, so that others can use the single embedded connection in between. */
const PAGE_ROWS = 500

/** Keyset pagination: new predictions do not shift later pages. */
export async function* pagesOfHistory(
  db: Database,
  sought: Sought,
): AsyncGenerator<PastPrediction[]> {
  const listed = newestFirst(db, sought).select('compounds.standard_smiles as smiles')
  let query = listed
  for (;;) {
    const rows = await query.limit(PAGE_ROWS).execute()
    const last = rows.at(-1)
    if (last === undefined) return
    yield await withMeasured(db, sought.userId, rows)
    query = listed.where(
      sql<boolean>`(tasks.created_at, tasks.id) < (${last.created_at}, ${last.task_id})`,
    )
  }
}

/** Every single prediction of a user as a row of `historyColumns`; names of deleted items are null. */
export function pastPredictions(db: Database, userId: string) {
  return tasksOf(db, userId)
    .select(['tasks.created_at', 'targets.name as target', 'target_chain as chain'])
    .select(['compounds.name as compound', 'status', 'model_version', 'message'])
    .select([
      sql<number | null>`(result ->> 'predicted_kd')::float8`.as('predicted_kd'),
      sql<number | null>`(result -> 'interval' ->> 'lower')::float8`.as('lower'),
      sql<number | null>`(result -> 'interval' ->> 'upper')::float8`.as('upper'),
      sql<number>`case status when 'FAILURE' then 0 else credits_charged end`.as('credits_charged'),
    ])
    .select('tasks.id as task_id')
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

function newestFirst(db: Database, sought: Sought) {
  return pastPredictions(db, sought.userId)
    .where(isNamed(sought))
    .orderBy('tasks.created_at', 'desc')
    .orderBy('tasks.id', 'desc')
}

type Listed = Pick<PastPrediction, (typeof historyColumns)[number]>
type Row = Omit<Listed, 'created_at'> & { created_at: Date }

function toPast(row: Row): Listed {
  return { ...row, created_at: row.created_at.toISOString() }
}
