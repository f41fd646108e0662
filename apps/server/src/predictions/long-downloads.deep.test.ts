/** A table of 250,000 rows is downloaded over a connection that is read as fast as it is written, and others are served meanwhile. */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { Worker } from 'node:worker_threads'
import { afterAll, expect, test } from 'vitest'
import { openTestParsing } from '#test/open-test-files.ts'
import { openTestPredictions } from '#test/open-test-predictions.ts'

const TARGETS = 25
const COMPOUNDS = 10_000
/** Without giving way, a download takes the thread for seconds. */
const STALL_MS_MAX = 1000

const t = await openTestPredictions({
  creditsPerPrediction: 0.001,
  parsingWorkers: openTestParsing(),
})
t.work()
const user = await t.addUser({ credits: 100, targets: TARGETS, compounds: 2 })
afterAll(() => t.close())

test('a long download in any format lets others in, however fast it is read', async () => {
  const invented = Array.from({ length: COMPOUNDS - 2 }, (_, at) => `invented ${at}`)
  const { id } = await user.started({
    targets: user.targets,
    compounds: ['C1', 'C2', ...invented],
  })
  await user.untilEnded(id)
  await t.app.listen({ host: '127.0.0.1', port: 0 })
  for (const file of ['results.csv', 'results.xlsx', 'results.sdf', 'results']) {
    const delays = monitorEventLoopDelay({ resolution: 10 })
    delays.enable()
    const bytes = await download(`/screens/${id}/${file}`)
    delays.disable()
    const stallMs = Math.round(delays.max / 1e6)
    console.log(
      `measured: ${file}, ${Math.round(bytes / 2 ** 20)} MiB, longest stall ${stallMs} ms`,
    )
    expect(bytes).toBeGreaterThan(500)
    expect(stallMs).toBeLessThan(STALL_MS_MAX)
  }
})

/** On a thread of its own: on this one, the reader would wait for the writer and so make it wait. */
async function download(url: string): Promise<number> {
  const { port } = t.app.server.address() as AddressInfo
  const headers = { ...user.headers, accept: 'application/x-ndjson', connection: 'close' }
  const workerData = { port, url, headers }
  const [bytes] = await once(new Worker(reader, { eval: true, workerData }), 'message')
  return bytes
}

const reader = `
  const { parentPort, workerData: { port, url, headers } } = require('node:worker_threads')
  require('node:http').get({ host: '127.0.0.1', port, path: url, headers }, (answer) => {
    let bytes = 0
    answer.on('data', (data) => (bytes += data.length))
    answer.on('close', () => parentPort.postMessage(answer.statusCode === 200 ? bytes : -answer.statusCode))
  })
`
