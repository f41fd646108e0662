/** Properties, alerts and features of compounds, computed by the parsing threads. */
import type { DescribedCompound, Parsed } from '@pkdex/biochem'
import type { Theme } from '@pkdex/contract'
import type { ThreadPool } from '#server/platform/jobs/thread-pool.ts'
import type { LocatedAlerts } from './alert-tasks.ts'
import type * as tasks from './parsing-tasks.ts'
import { inPortions, type InTurn, parsedOr } from './portions.ts'

export type AlertWorkers = {
  /** Properties, alerts and features of standard SMILES, in order; null for one that breaks its thread. */
  describeCompounds(userId: string, smiles: string[]): Promise<(DescribedCompound | null)[]>
  /** Per pattern: null, or why it cannot be used. */
  checkPatterns(userId: string, smarts: string[]): Promise<(string | null)[]>
  /** Per standard SMILES: the positions of the patterns that match it; null for one that breaks its thread, or came after `goesOn` ended. */
  matchPatterns(
    userId: string,
    search: { patterns: string[]; smiles: string[] },
    goesOn?: () => boolean,
  ): Promise<(number[] | null)[]>
  /** The alerts of one compound, with their atoms and its picture. */
  locateCompoundAlerts(
    userId: string,
    search: { smiles: string; patterns: string[]; theme: Theme },
  ): Promise<Parsed<LocatedAlerts>>
}

/** Each compound takes about 2 ms, so a turn ends soon enough for other users. */
const PORTION = 25
/** A thread opens the catalogue in its first step. */
const STEP_MS_MAX = 3000

export function openAlertWork(pool: ThreadPool<typeof tasks>, inTurn: InTurn): AlertWorkers {
  return {
    describeCompounds: (userId, smiles) =>
      inPortions(
        smiles,
        (some) => inTurn(userId, false, () => pool.run('describeCompounds', some, STEP_MS_MAX)),
        { portion: PORTION },
      ),
    async checkPatterns(userId, smarts) {
      const checked = await inPortions<{ reason: string | null }>(smarts, (some) =>
        inTurn(userId, false, async () => {
          const outcome = await pool.run('checkPatterns', some, STEP_MS_MAX)
          if (outcome.kind !== 'done') return outcome
          return { kind: 'done', output: outcome.output.map((reason) => ({ reason })) }
        }),
      )
      return checked.map((one) =>
        one === null ? 'This SMARTS takes too long to read.' : one.reason,
      )
    },
    matchPatterns: (userId, { patterns, smiles }, goesOn = () => true) =>
      inPortions(
        smiles,
        (some) =>
          inTurn(userId, false, () =>
            pool.run('matchPatterns', { patterns, smiles: some }, STEP_MS_MAX),
          ),
        { portion: PORTION, goesOn },
      ),
    async locateCompoundAlerts(userId, search) {
      const run = () => pool.run('locateCompoundAlerts', search, STEP_MS_MAX)
      return parsedOr(await inTurn(userId, false, run), 'This compound cannot be drawn.')
    },
  }
}
