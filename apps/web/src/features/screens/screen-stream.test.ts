import type { Screen } from '@pkdex/contract'
import { expect, test, vi } from 'vitest'
import { type Call, serveCalls } from '#web/test/calls.ts'
import { followScreen } from './screen-stream.ts'

const screenOf = (done: number, status: Screen['status'] = 'RUNNING'): Screen => ({
  id: 's1',
  follow_up_of: null,
  shared_by: null,
  is_shared: false,
  comments: 0,
  commented_at: null,
  name: null,
  note: '',
  tags: [],
  status,
  total: 4,
  done,
  known: 0,
  credits_charged: 4,
  targets: [{ name: 'src', chain: 'A' }],
  target_count: 1,
  compounds: 4,
  model_version: '1',
  created_at: '2026-11-22T10:00:00Z',
  finished_at: null,
  message: null,
  structure_status: null,
  structure_total: null,
  structure_done: null,
  structure_message: null,
})
const block = (first_row: number) => ({ first_row, rows: 2, best_kd: '', flags: '' })

const stateOf = (screen: Screen) => `event: screen\ndata: ${JSON.stringify(screen)}\n\n`
const blockOf = (first_row: number, id: string) =>
  `id: ${id}\nevent: block\ndata: ${JSON.stringify(block(first_row))}\n\n`

const EVENTS = 'GET /screens/s1/events'
const STATE = 'GET /screens/s1'

/** In pieces of a few bytes, as on a slow connection, which also split events. */
function streamOf(text: string): Response {
  const bytes = new TextEncoder().encode(text)
  const pieces = Array.from({ length: Math.ceil(bytes.length / 7) }, (_, at) =>
    bytes.slice(7 * at, 7 * at + 7),
  )
  return new Response(
    new ReadableStream({
      pull: (controller) => {
        const piece = pieces.shift()
        if (piece === undefined) controller.close()
        else controller.enqueue(piece)
      },
    }),
  )
}

function follow(handlers: Record<string, (call: Call) => Response>) {
  vi.useFakeTimers()
  const calls = serveCalls(handlers)
  const seen: string[] = []
  const stopped = new AbortController()
  const ended = followScreen(
    's1',
    {
      onScreen: ({ done }) => seen.push(`state ${done}`),
      onBlock: ({ first_row }) => seen.push(`block ${first_row}`),
      onGap: ({ done }) => seen.push(`gap ${done}`),
    },
    stopped.signal,
  )
  return { calls, seen, ended, stopped }
}

test('reports every block and state, and ends with the screen', async () => {
  const words =
    stateOf(screenOf(0)) + blockOf(0, '2-0') + ': still here\n\n' + stateOf(screenOf(4, 'DONE'))
  const { seen, ended } = follow({ [EVENTS]: () => streamOf(words) })
  await ended
  expect(seen).toEqual(['state 0', 'block 0', 'state 4'])
})

test('continues after the last event when the connection breaks, without losses or repeats', async () => {
  const streams = [
    blockOf(0, '2-0') + 'id: 4-1\nevent: block\nda',
    blockOf(2, '4-1') + stateOf(screenOf(4, 'DONE')),
  ]
  const { calls, seen, ended } = follow({
    [EVENTS]: () => streamOf(streams.shift() ?? ''),
    [STATE]: () => Response.json(screenOf(2)),
  })
  await vi.advanceTimersByTimeAsync(3000)
  await ended
  expect(seen).toEqual(['block 0', 'gap 2', 'block 2', 'state 4'])
  const asked = calls.filter(({ name }) => name === EVENTS)
  expect(asked.map(({ headers }) => headers.get('Last-Event-ID'))).toEqual([null, '2-0'])
})

test('polls the state if no stream gets through', async () => {
  let done = 1
  const { seen, ended } = follow({
    [EVENTS]: () => new Response('no', { status: 502 }),
    [STATE]: () => Response.json(screenOf(done, done++ === 3 ? 'CANCELLED' : 'RUNNING')),
  })
  await vi.advanceTimersByTimeAsync(10_000)
  await ended
  expect(seen).toEqual(['gap 1', 'gap 2', 'gap 3'])
})

test('does not wait forever on a silent stream', async () => {
  const { seen, ended } = follow({
    [EVENTS]: () => new Response(new ReadableStream()),
    [STATE]: () => Response.json(screenOf(4, 'DONE')),
  })
  await vi.advanceTimersByTimeAsync(60_000)
  await ended
  expect(seen).toEqual(['gap 4'])
})

test('stops for an unknown screen', async () => {
  const { ended } = follow({
    [EVENTS]: () => Response.json({ code: 'not_found' }, { status: 404 }),
    [STATE]: () => Response.json({ code: 'not_found' }, { status: 404 }),
  })
  await expect(ended).rejects.toThrow('404')
})
