/** Places many compounds on one ligand, on separate threads; used by the worker of screens. */
import { openThreadPool } from '#server/platform/jobs/thread-pool.ts'
import type * as tasks from './pose-tasks.ts'
import type { ManyAnswer, ManyQuestion, SiteQuestion } from './pose-tasks.ts'

export type Placer = {
  threads: number
  /**
   * Per compound its features, or why it has no pose; only a reason if the structure cannot be used. Fewer compounds than
   * asked for if they are slow, but at least one: a turn takes seconds, and `STEP_MS_MAX` more if a compound is given up.
   */
  place(question: SiteQuestion & { smiles: string[] }): Promise<ManyAnswer>
  close(): Promise<void>
}

/** A large structure is read and its pocket prepared in under a second; on a busy machine, in several. */
export const STEP_MS_MAX = 20_000
export const THREAD_MEMORY_MB_MAX = 1024
/** RDKit uses about 100 MB, which idle threads release. */
export const IDLE_MS = 60_000

export function openPlacer({ threads }: { threads: number }): Placer {
  const pool = openThreadPool<typeof tasks>({
    file: new URL('pose-tasks.ts', import.meta.url),
    threads,
    memoryMbMax: THREAD_MEMORY_MB_MAX,
    idleMs: IDLE_MS,
  })
  return {
    threads,
    async place(question) {
      let many: ManyQuestion = { ...question, skipped: null }
      for (;;) {
        const outcome = await pool.run('placeMany', many, STEP_MS_MAX)
        if (outcome.kind === 'done') return outcome.output
        // The first step opens the structure.
        const at = outcome.step - 2
        const slow = many.smiles[at]
        if (slow === undefined || slow === many.skipped) {
          throw new Error('a structure could not be prepared for poses', { cause: outcome })
        }
        // Those behind it wait for the next turn.
        many = { ...many, smiles: many.smiles.slice(0, at + 1), skipped: slow }
      }
    },
    close: () => pool.close(),
  }
}
