/** A worker has no address to print, so it prints that it is ready, and how many predictions it runs in parallel. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test, vi } from 'vitest'
import { openTestDatabase } from '#test/open-test-database.ts'
import { readTestDatabaseUrl } from './settings.ts'

const onServer = readTestDatabaseUrl() === undefined ? null : await openTestDatabase()
afterAll(() => onServer?.close())

test.skipIf(onServer === null).each([
  ['1', 'pKdex worker is ready: 1 thread.\n'],
  ['2', 'pKdex worker is ready: 2 threads.\n'],
])(
  'a worker with %s threads says that it is ready (needs PKDEX_TEST_DATABASE_URL)',
  async (workers, line) => {
    if (onServer?.source.kind !== 'server') throw new Error('not on a server')
    const { PATH, HOME, TMPDIR, MODEL_DIR } = process.env
    const settings = { DATABASE_URL: onServer.source.url, LOG_LEVEL: 'fatal', WORKERS: workers }
    const worker = spawn(process.execPath, [fileURLToPath(new URL('worker.ts', import.meta.url))], {
      env: { PATH, HOME, TMPDIR, MODEL_DIR, NODE_NO_WARNINGS: '1', ...settings },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const ended = once(worker, 'exit')
    let said = ''
    worker.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()))
    await vi.waitFor(() => expect(said).toBe(line), { timeout: 100_000 })
    worker.kill('SIGTERM')
    await ended
  },
  120_000,
)
