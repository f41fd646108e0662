import { readFile } from 'node:fs/promises'
import { afterAll, expect, test, vi } from 'vitest'
import { startProduct } from '../e2e/start-product.ts'
import { at, openLoadUser, pressOn } from './load.ts'

const SECONDS = Number(process.env['PKDEX_LOAD_SECONDS'] ?? 20)
/** A load that the product serves without long waits; four times this load is too much. */
const CALLERS = 100

const product = await startProduct({ LOG_LEVEL: 'fatal' })
const user = await openLoadUser(product.url, 'load@example.org', 4000)
afterAll(() => product.stop())

test('at four times its capacity, responses are correct or 503 with Retry-After, /healthz responds, and it recovers', async () => {
  const read = () => user.get('/dta/credits')
  const alone = await pressOn(CALLERS, read, AbortSignal.timeout(SECONDS * 500))
  const before = await residentMegabytes()
  const health = pressOn(
    1,
    () => fetch(`${product.url}/healthz`),
    AbortSignal.timeout(SECONDS * 1000),
  )
  const load = await pressOn(4 * CALLERS, read, AbortSignal.timeout(SECONDS * 1000))
  const [healthy, after] = [await health, await residentMegabytes()]
  const started = performance.now()
  await vi.waitFor(async () => expect((await read()).status).toBe(200), 10_000)
  const recovered = performance.now() - started
  console.log(
    `measured: reads by ${CALLERS} callers: ${JSON.stringify(alone.answers)} in ${SECONDS / 2} s, p99 ${at(alone, 0.99)} ms; ` +
      `by ${4 * CALLERS}: ${JSON.stringify(load.answers)} in ${SECONDS} s, p99 ${at(load, 0.99)} ms; ` +
      `health meanwhile p99 ${at(healthy, 0.99)} ms; memory ${before} to ${after} MB; read again after ${Math.round(recovered)} ms`,
  )
  const expected = ['200', '503 with Retry-After']
  expect(Object.keys(load.answers).filter((answer) => !expected.includes(answer))).toEqual([])
  expect(load.answers['200']).toBeGreaterThan(0)
  expect(Object.keys(healthy.answers)).toEqual(['200'])
  expect(after).toBeLessThan(1536)
})

async function residentMegabytes(): Promise<number> {
  const status = await readFile(`/proc/${product.pid}/status`, 'utf8')
  const kilobytes = /VmRSS:\s+(\d+)/.exec(status)?.[1]
  if (kilobytes === undefined) throw new Error('the memory of the product cannot be read')
  return Math.round(Number(kilobytes) / 1024)
}
