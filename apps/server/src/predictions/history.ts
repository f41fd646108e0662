/** What a user has predicted pair by pair, newest first: a page of it, or all of it page by page. */
import type { PastPrediction, PredictionResult } from '@pkdex/contract'
import { sql } from 'kysely'
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

type Sought = { userId: string; search: string }

export async function pageOfHistory(
  db: Database,
  { page, page_size, ...sought }: Sought & { page: number; page_size: number },
): Promise<{ total: number; predictions: PastPrediction[] }> {
  const { total } = await matching(db, sought)
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const rows = await newestFirst(db, sought)
    .limit(page_size)
    .offset((page - 1) * page_size)
    .execute()
  return { total, predictions: rows.map(toPastPrediction) }
}

/** Rows in one go, so that the one embedded connection serves others in between. */
const PAGE_ROWS = 500

/** Goes on after the last row of each page: what is asked meanwhile moves nothing. */
export async function* pagesOfHistory(
  db: Database,
  sought: Sought,
): AsyncGenerator<PastPrediction[]> {
  let query = newestFirst(db, sought)
  for (;;) {
    const rows = await query.limit(PAGE_ROWS).execute()
    const last = rows.at(-1)
    if (last === undefined) return
    yield rows.map(toPastPrediction)
    query = newestFirst(db, sought).where(
      sql<boolean>`(tasks.created_at, tasks.id) < (${last.createdAt}, ${last.id})`,
    )
  }
}

/** Tasks of the user whose target or compound has a name that holds the text. */
function matching(db: Database, { userId, search }: Sought) {
  const text = search.normalize('NFC')
  return db
    .selectFrom('tasks')
    .leftJoin('targets', 'targets.id', 'tasks.target_id')
    .leftJoin('compounds', 'compounds.id', 'tasks.compound_id')
    .where('tasks.user_id', '=', userId)
    .$if(text !== '', (query) =>
      query.where((where) =>
        where.or([
          sql<boolean>`strpos(lower(targets.name), lower(${text})) > 0`,
          sql<boolean>`strpos(lower(compounds.name), lower(${text})) > 0`,
        ]),
      ),
    )
}

function newestFirst(db: Database, sought: Sought) {
  return matching(db, sought)
    .select(['tasks.id', 'targets.name as target', 'tasks.target_chain as chain'])
    .select(['compounds.name as compound', 'tasks.status', 'tasks.message', 'tasks.result'])
    .select(['tasks.model_version as modelVersion', 'tasks.credits_charged as creditsCharged'])
    .select('tasks.created_at as createdAt')
    .orderBy('tasks.created_at', 'desc')
    .orderBy('tasks.id', 'desc')
}

type Row = {
  id: string
  target: string | null
  chain: string
  compound: string | null
  status: string
  message: string | null
  result: PredictionResult | null
  modelVersion: string | null
  creditsCharged: number
  createdAt: Date
}

function toPastPrediction(row: Row): PastPrediction {
  const { id, target, chain, compound, status, message, result, createdAt } = row
  return {
    task_id: id,
    target,
    chain,
    compound,
    status,
    message,
    predicted_kd: result?.predicted_kd ?? null,
    lower: result?.interval.lower ?? null,
    upper: result?.interval.upper ?? null,
    model_version: row.modelVersion,
    credits_charged: status === 'FAILURE' ? 0 : row.creditsCharged,
    created_at: createdAt.toISOString(),
  }
}
