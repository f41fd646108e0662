/** A PostgreSQL server for one test, to be restarted at will; null where this machine has none to start. */
import { execFile } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'

const run = promisify(execFile)

export type OwnPostgres = {
  url: string
  port: number
  /** Ends every connection and transaction, as an operator does for an update. */
  restart(): Promise<void>
  /** At once, as a crash does. */
  stop(): Promise<void>
  start(): Promise<void>
  /** To the server and every process of its connections. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void
  /** A second server that has what this one has; from its start on a commit here waits until it is there as well. */
  openStandby(): Promise<Standby>
  close(): Promise<void>
}

/** Not to be written to before it is promoted. */
export type Standby = Pick<OwnPostgres, 'url' | 'port' | 'close'> & { promote(): Promise<void> }

/** It refuses to run as root: there it runs as the user that its package has made. */
const isRoot = process.getuid?.() === 0
const asPostgres = '/usr/sbin/runuser'

export async function openOwnPostgres(): Promise<OwnPostgres | null> {
  const bin = globSync('/usr/lib/postgresql/*/bin').toSorted().at(-1)
  if (bin === undefined || (isRoot && !existsSync(asPostgres))) return null
  const call: Call = (program, args) =>
    isRoot
      ? run(asPostgres, ['-u', 'postgres', '--', join(bin, program), ...args], { cwd: '/' })
      : run(join(bin, program), args)
  const initialise = (data: string) =>
    call('initdb', ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync'])
  const { data, control, start, options, ...server } = await openServer(call, initialise)
  return {
    ...server,
    restart: async () => void (await control('restart', '-m', 'fast', '-o', options)),
    stop: async () => void (await control('stop', '-m', 'immediate')),
    start,
    signal: (signal) => processesOf(data).forEach((id) => process.kill(id, signal)),
    async openStandby() {
      const standby = await openServer(call, (copy) =>
        call('pg_basebackup', ['-d', server.url, '-D', copy, '-R', '-X', 'stream', '--no-sync']),
      )
      await waitForStandby(server.url)
      const { url, port, close } = standby
      return { url, port, close, promote: async () => void (await standby.control('promote')) }
    },
  }
}

type Call = (program: string, args: string[]) => Promise<unknown>

/** `make` puts a data folder where it is told to. */
async function openServer(call: Call, make: (data: string) => Promise<unknown>) {
  const folder = await mkdtemp(join(tmpdir(), 'pkdex-postgres-'))
  if (isRoot) await run('chown', ['postgres', folder])
  const data = join(folder, 'data')
  await make(data)
  const port = await freePort()
  const options = `-p ${port} -c listen_addresses=127.0.0.1 -k ${folder}`
  const control = (...args: string[]) =>
    call('pg_ctl', ['-D', data, '-w', '-l', join(folder, 'log'), ...args])
  const start = async () => void (await control('start', '-o', options))
  await start()
  const close = async () => {
    if (existsSync(join(data, 'postmaster.pid'))) await control('stop', '-m', 'immediate')
    await rm(folder, { recursive: true })
  }
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  return { url, port, data, options, control, start, close }
}

async function waitForStandby(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(`alter system set synchronous_standby_names = '*'`)
  await client.query('select pg_reload_conf()')
  const attached = `select from pg_stat_replication where sync_state = 'sync'`
  while ((await client.query(attached)).rowCount === 0) await sleep(50)
  await client.end()
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
