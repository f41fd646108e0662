/** Caches the latest results by request, so that nothing is computed twice, or twice at the same time. */
import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'

const CACHED_ANSWERS = 200

export type AnswerCache<T> = { read(key: unknown, make: () => Promise<T>): Promise<T> }

export function openAnswerCache<T>(most = CACHED_ANSWERS): AnswerCache<T> {
  const answers = new LRUCache<string, Promise<T>>({ max: most })
  return {
    read(key, make) {
      const id = createHash('sha256').update(JSON.stringify(key)).digest('base64')
      const answer = answers.get(id) ?? make()
      answers.set(id, answer)
      // Failures are not cached.
      answer.catch(() => answers.get(id) === answer && answers.delete(id))
      return answer
    },
  }
}
