/** Answers by what was asked, the latest of them, so that nothing is computed twice, nor twice at the same time. */
import { createHash } from 'node:crypto'

const ANSWERS_KEPT = 200

export type KeptAnswers<T> = { kept(key: unknown, make: () => Promise<T>): Promise<T> }

export function openKeptAnswers<T>(most = ANSWERS_KEPT): KeptAnswers<T> {
  const answers = new Map<string, Promise<T>>()
  return {
    kept(key, make) {
      const id = createHash('sha256').update(JSON.stringify(key)).digest('base64')
      const answer = answers.get(id) ?? make()
      answers.delete(id)
      answers.set(id, answer)
      // A failure is not kept: the next one asks again.
      answer.catch(() => answers.get(id) === answer && answers.delete(id))
      const [oldest] = answers.keys()
      if (answers.size > most && oldest !== undefined) answers.delete(oldest)
      return answer
    },
  }
}
