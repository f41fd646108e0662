import { beforeEach, expect, test } from 'vitest'
import { catchSaved, type Saved } from '#web/test/saved.ts'
import { saveStream } from './save-stream.ts'

let saved: Saved[] = []

beforeEach(() => (saved = catchSaved()))

test('a stream is saved completely, with progress in bytes', async () => {
  const seen: number[] = []
  const pieces = [new Uint8Array(3_000_000), new Uint8Array(3_000_000), new Uint8Array(10)]
  const bytes = await saveStream(streamOf(pieces), {
    filename: 'tasks_export.json',
    onProgress: (now) => seen.push(now),
  })
  expect(bytes).toBe(6_000_010)
  expect(seen).toEqual([3_000_000, 6_000_000, 6_000_010])
  expect(saved.map(({ filename, content }) => [filename, content.size])).toEqual([
    ['tasks_export.json', 6_000_010],
  ])
})

test('a broken stream saves nothing', async () => {
  const broken = streamOf([new Uint8Array(10)], new TypeError('network error'))
  const saving = saveStream(broken, { filename: 'x.json', onProgress: () => undefined })
  await expect(saving).rejects.toThrow('network error')
  expect(saved).toEqual([])
})

test('an empty response is saved as an empty file', async () => {
  const bytes = await saveStream(new Response(null), {
    filename: 'x.csv',
    onProgress: () => undefined,
  })
  expect(bytes).toBe(0)
  expect(saved).toHaveLength(1)
})

function streamOf(pieces: Uint8Array[], failure?: Error): Response {
  const waiting = [...pieces]
  return new Response(
    new ReadableStream({
      pull(controller) {
        const piece = waiting.shift()
        if (piece !== undefined) controller.enqueue(piece)
        else if (failure !== undefined) controller.error(failure)
        else controller.close()
      },
    }),
  )
}
