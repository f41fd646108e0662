/** A PostgreSQL server for one test, to be restarted at will; null where this machine has none to start. */
import { execFile } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

export type OwnPostgres = {
  url: string
  /** Ends every connection and transaction, as an operator does for an update. */
  restart(): Promise<void>
  /** At once, as a crash does. */
  stop(): Promise<void>
  start(): Promise<void>
  /** To the server and every process of its connections. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void
  close(): Promise<void>
}

/** It refuses to run as root: there it runs as the user that its package has made. */
const isRoot = process.getuid?.() === 0
const asPostgres = '/usr/sbin/runuser'

export async function openOwnPostgres(): Promise<OwnPostgres | null> {
  const bin = globSync('/usr/lib/postgresql/*/bin').toSorted().at(-1)
  if (bin === undefined || (isRoot && !existsSync(asPostgres))) return null
  const folder = await mkdtemp(join(tmpdir(), 'pkdex-postgres-'))
  if (isRoot) await run('chown', ['postgres', folder])
  const data = join(folder, 'data')
  const call = (program: string, args: string[]) =>
    isRoot
      ? run(asPostgres, ['-u', 'postgres', '--', join(bin, program), ...args], { cwd: '/' })
      : run(join(bin, program), args)
  await call('initdb', ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync'])
  const port = await freePort()
  const options = `-p ${port} -c listen_addresses=127.0.0.1 -k ${folder}`
  const control = (...args: string[]) =>
    call('pg_ctl', ['-D', data, '-w', '-l', join(folder, 'log'), ...args])
  const start = async () => void (await control('start', '-o', options))
  await start()
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    restart: async () => void (await control('restart', '-m', 'fast', '-o', options)),
    stop: async () => void (await control('stop', '-m', 'immediate')),
    start,
    signal: (signal) => processesOf(data).forEach((id) => process.kill(id, signal)),
    async close() {
      await control('stop', '-m', 'immediate')
      await rm(folder, { recursive: true })
    },
  }
}

/** Linux only, as the folder of its programs is. */
function processesOf(data: string): number[] {
  const server = Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0])
  const children = readFileSync(`/proc/${server}/task/${server}/children`, 'utf8')
  return [server, ...children.trim().split(/\s+/).filter(Boolean).map(Number)]
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (typeof address === 'string' || address === null) throw new Error('no port')
  return address.port
}
