/** A screen as server-sent events: its state whenever it changes, and every block as it ends. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Screen, ScreenBlock } from '@pkdex/contract'
import { sql } from 'kysely'
import type { Database } from '#server/platform/db/schema.ts'
import { readMatrixRows } from './matrix.ts'
import type { BestEstimates } from './best-estimates.ts'
import { readFailed, readInput } from './screen-table.ts'
import { openTable } from './table-estimates.ts'

const LOOK_INTERVAL_MS = 400
/** Proxies close silent connections; clients reconnect when the stream ends. */
const COMMENT_INTERVAL_MS = 15_000
const STREAM_MS_MAX = 10 * 60_000
const BLOCKS_AT_ONCE = 20

type Dependencies = { db: Database; best: BestEstimates }

type Watch = {
  userId: string
  screen: Screen
  afterId: string | undefined
  signal: AbortSignal
  /** Fails once the session, the key or the share has ended, or the screen was deleted. */
  readAgain: () => Promise<Screen>
}

/** The id of an event: how many pairs were done after it, and the number of its block, such as `2560-9`. */
export async function* watchScreen(
  dependencies: Dependencies,
  { userId, screen: first, afterId, signal, readAgain }: Watch,
): AsyncGenerator<string> {
  const endsAt = performance.now() + STREAM_MS_MAX
  let position = readPosition(afterId)
  let [shown, spokeAt] = ['', performance.now()]
  let screen: Screen | null = first
  while (screen !== null && !signal.aborted && performance.now() < endsAt) {
    // Blocks are read after the state, so that none is missed when the screen has ended.
    for await (const block of endedBlocks(dependencies.db, screen.id, position)) {
      position = { done: block.done_after ?? 0, block: block.block }
      yield event(
        'block',
        await readBlock(dependencies, userId, { screen, ...block }),
        `${position.done}-${position.block}`,
      )
    }
    const words = nextWords(screen, shown, performance.now() - spokeAt)
    if (words !== null) {
      yield words
      spokeAt = performance.now()
    }
    if (hasEnded(screen)) return
    shown = JSON.stringify(screen)
    await sleep(LOOK_INTERVAL_MS, undefined, { signal }).catch(() => undefined)
    screen = await readAgain().catch(() => null)
  }
}

function nextWords(screen: Screen, shown: string, silentMs: number): string | null {
  if (JSON.stringify(screen) !== shown) return event('screen', screen)
  return silentMs > COMMENT_INTERVAL_MS ? ': still here\n\n' : null
}

function hasEnded({ status }: Screen): boolean {
  return status !== 'QUEUED' && status !== 'RUNNING'
}

async function* endedBlocks(db: Database, screenId: string, after: Position) {
  for (let position = after; ;) {
    const blocks = await pageOfEnded(db, screenId, position)
    yield* blocks
    const last = blocks.at(-1)
    if (last === undefined || blocks.length < BLOCKS_AT_ONCE) return
    position = { done: last.done_after ?? 0, block: last.block }
  }
}

type Position = { done: number; block: number }

function readPosition(id: string | undefined): Position {
  const [, done, block] = /^(\d{1,9})-(\d{1,9})$/.exec(id ?? '') ?? []
  return done === undefined ? { done: -1, block: -1 } : { done: Number(done), block: Number(block) }
}

function pageOfEnded(db: Database, screenId: string, { done, block }: Position) {
  return db
    .selectFrom('blocks')
    .select(['block', 'first_row', 'rows', 'done_after'])
    .where('order_id', '=', screenId)
    .where(sql<boolean>`(done_after, block) > (${done}, ${block})`)
    .orderBy('done_after')
    .orderBy('block')
    .limit(BLOCKS_AT_ONCE)
    .execute()
}

async function readBlock(
  dependencies: Dependencies,
  userId: string,
  { screen, first_row, rows }: { screen: Screen; first_row: number; rows: number },
): Promise<ScreenBlock> {
  const { db } = dependencies
  const table = await openTable(dependencies, userId, screen)
  const range = { from: first_row, to: first_row + rows }
  const failed = await readFailed(db, table, range)
  const isMoving = table.columns.some((column) => column !== null)
  const input = isMoving ? await readInput(db, table, range) : []
  const matrix = await readMatrixRows(db, table, { firstRow: first_row, rows, input, failed })
  return { first_row, rows, ...matrix }
}

function event(name: string, data: object, id?: string): string {
  const line = id === undefined ? '' : `id: ${id}\n`
  return `${line}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`
}
