/** A user whose screens outlive the server: what was asked for, what was acknowledged, and what was read of it. */
import { Screen, ScreenQuote, ScreenRow } from '@pkdex/contract'
import { z } from 'zod'
import { answerOf, post } from '#server/predictions/crash/spawned-server.ts'

export type WatchedScreen = {
  idempotencyKey: string
  request: { targets: string[]; compounds: string[] }
  /** Null until its start was acknowledged. */
  id: string | null
  isCancelled: boolean
  /** pKd by pair, as it was read once: none of it may be lost or change. */
  seen: Map<string, number>
}

export const pairOf = ({ row, target }: Pick<ScreenRow, 'row' | 'target'>) => `${row} ${target}`

/** Each call throws where the server is gone. */
export function asScreener(url: string, key: string) {
  const headers = { 'API-Key': key }
  const get = async (path: string, more = {}) =>
    fetch(`${url}${path}`, { headers: { ...headers, ...more } })
  return {
    /** Asking again under the same key is no second order. */
    async start(screen: WatchedScreen): Promise<Screen> {
      const named = { ...headers, 'Idempotency-Key': screen.idempotencyKey }
      const started = Screen.parse(await post(`${url}/screens`, screen.request, named))
      screen.id = started.id
      return started
    },
    async cancel(screen: WatchedScreen): Promise<void> {
      const answer = await fetch(`${url}/screens/${screen.id}`, { method: 'DELETE', headers })
      Screen.parse(await answerOf(answer))
    },
    async quote(request: WatchedScreen['request']): Promise<ScreenQuote> {
      return ScreenQuote.parse(await post(`${url}/screens/quote`, request, headers))
    },
    async list(): Promise<Screen[]> {
      const answer = await answerOf(await get('/screens?page_size=200'))
      return z.object({ screens: z.array(Screen) }).parse(answer).screens
    },
    async rows(id: string): Promise<ScreenRow[]> {
      const answer = await get(`/screens/${id}/results`, { Accept: 'application/x-ndjson' })
      if (!answer.ok) await answerOf(answer)
      const lines = (await answer.text()).split('\n').filter((line) => line !== '')
      return lines.map((line) => ScreenRow.parse(JSON.parse(line)))
    },
  }
}

/** Everything of a screen that has ended that is not as it was acknowledged, in words. */
export function findFaults(watched: WatchedScreen, screen: Screen, rows: ScreenRow[]): string[] {
  const { request, seen, isCancelled } = watched
  const expected = request.compounds.flatMap((compound, at) =>
    request.targets.map((target) => `${at + 1} ${target} ${compound}`),
  )
  const found = rows.map((row) => `${pairOf(row)} ${row.compound}`)
  const numbers = rows.filter((row) => row.predicted_kd !== null)
  const byPair = new Map(rows.map((row) => [pairOf(row), row.predicted_kd]))
  const changed = [...seen].filter(([pair, pKd]) => byPair.get(pair) !== pKd)
  const unexplained = rows.filter(
    ({ predicted_kd, reason }) => (predicted_kd === null) === (reason === null),
  )
  const mayLack = isCancelled && screen.status === 'CANCELLED'
  return [
    ...(found.join('\n') === expected.join('\n')
      ? []
      : [`${found.length} rows for ${expected.length} pairs, or others`]),
    ...(screen.status === 'DONE' || mayLack ? [] : [`it is ${screen.status}: ${screen.message}`]),
    ...(numbers.length === expected.length || mayLack
      ? []
      : [`${numbers.length} numbers for ${expected.length} pairs`]),
    ...(unexplained.length === 0
      ? []
      : [`${unexplained.length} rows have no number and no reason, or both`]),
    ...(changed.length === 0
      ? []
      : [`${changed.length} numbers that were read are gone or others`]),
    ...(screen.credits_charged === numbers.length
      ? []
      : [`${screen.credits_charged} credits for ${numbers.length} numbers`]),
  ].map((fault) => `screen ${watched.idempotencyKey}: ${fault}`)
}
