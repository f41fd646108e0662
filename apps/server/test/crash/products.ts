/** The product as the scenarios run it: one embedded process, or API and worker processes on one server. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Drained } from './acknowledged.ts'
import { openOwnPostgres } from './own-postgres.ts'
import { spawnServer, type SpawnedServer, spawnWorker } from './spawned-server.ts'

type End = 'kill' | 'stop'

export type Product = {
  chooseUrl(): string
  /** Resolves to the function that restarts it. */
  end(how: End): Promise<() => Promise<void>>
  /** All its processes, to call and to stop. */
  asOne(): Drained
  startAgain(): Promise<Drained>
  where: { databaseUrl: string | undefined; dataDir: string }
  close(): Promise<void>
}

/** Uses a new folder unless one is given. */
export async function openEmbedded(
  settings: Record<string, string>,
  dataDir?: string,
): Promise<Product & { restart(): Promise<void> }> {
  const own = mkdtempSync(join(tmpdir(), 'pkdex-kills-'))
  const folder = dataDir ?? own
  const start = () => spawnServer({ ...settings, DATA_DIR: folder })
  let product = await start()
  const restart = async () => void (product = await start())
  return {
    chooseUrl: () => product.url,
    restart,
    async end(how) {
      await product[how]()
      return restart
    },
    asOne: () => product,
    startAgain: start,
    where: { databaseUrl: undefined, dataDir: folder },
    close: async () => rmSync(own, { recursive: true, force: true }),
  }
}

export async function openProcesses(settings: Record<string, string>, count: number) {
  const postgres = await openOwnPostgres()
  if (postgres === null) throw new Error('no server')
  const processes = await startProcesses(settings, postgres.url, count)
  return { ...processes, postgres, close: () => postgres.close() }
}

/** `count` API and as many worker processes. */
export async function startProcesses(
  settings: Record<string, string>,
  databaseUrl: string,
  count: number,
) {
  const shared = { ...settings, DATABASE_URL: databaseUrl }
  const apis: SpawnedServer[] = []
  const workers: ReturnType<typeof spawnWorker>[] = []
  let turn = 0
  const chooseUrl = () => apis[turn++ % apis.length]?.url ?? ''
  const asOne = (): Drained => ({
    url: chooseUrl(),
    stop: async () => void (await Promise.all([...apis, ...workers].map((one) => one.stop()))),
  })
  const startApi = async (at: number) => void (apis[at] = await spawnServer(shared, 'api'))
  const startWorker = async (at: number) => void (workers[at] = spawnWorker(shared))
  const startAgain = async () => {
    for (let at = 0; at < count; at += 1) await startApi(at)
    for (let at = 0; at < count; at += 1) await startWorker(at)
    return asOne()
  }
  await startAgain()
  return {
    chooseUrl,
    asOne,
    startAgain,
    where: { databaseUrl, dataDir: '' },
    urlOf: (at: number) => apis[at]?.url ?? '',
    /** Resolves to the function that restarts it. */
    async end(kind: 'api' | 'worker', at: number, how: End): Promise<() => Promise<void>> {
      await (kind === 'api' ? apis : workers)[at]?.[how]()
      return () => (kind === 'api' ? startApi(at) : startWorker(at))
    },
  }
}
