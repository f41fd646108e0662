/** A PostgreSQL server for one test, which can be restarted; null if PostgreSQL is not installed. */
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
  /** A fast shutdown, as for an update: ends every connection and transaction. */
  restart(): Promise<void>
  /** Immediate shutdown, like a crash. */
  stop(): Promise<void>
  start(): Promise<void>
  /** Sends a signal to the server and to the process of every connection. A killed server is not restarted. */
  signal(signal: 'SIGSTOP' | 'SIGCONT' | 'SIGKILL'): void
  /** Resolves when the standby follows this server, which then acknowledges only what the standby has on its disk. */
  openStandby(): Promise<Standby>
  close(): Promise<void>
}

type Standby = OwnPostgres & {
  /** Resolves when it accepts writes. */
  promote(): Promise<void>
}

type Call = (program: string, args: string[]) => Promise<unknown>

/** PostgreSQL refuses to run as root: for root it runs as the user that its package created. */
const isRoot = process.getuid?.() === 0
const asPostgres = '/usr/sbin/runuser'

const bin = globSync('/usr/lib/postgresql/*/bin').toSorted().at(-1)

export const hasPostgres = bin !== undefined && (!isRoot || existsSync(asPostgres))

export async function openOwnPostgres(): Promise<OwnPostgres | null> {
  if (bin === undefined || !hasPostgres) return null
  const call: Call = (program, args) =>
    isRoot
      ? run(asPostgres, ['-u', 'postgres', '--', join(bin, program), ...args], { cwd: '/' })
      : run(join(bin, program), args)
  return openServer(call, (data) =>
    call('initdb', ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync']),
  )
}

/** `fill` creates its data folder. */
async function openServer(call: Call, fill: (data: string) => Promise<unknown>): Promise<Standby> {
  const folder = await mkdtemp(join(tmpdir(), 'pkdex-postgres-'))
  if (isRoot) await run('chown', ['postgres', folder])
  const data = join(folder, 'data')
  await fill(data)
  const port = await freePort()
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  const options = `-p ${port} -c listen_addresses=127.0.0.1 -k ${folder}`
  const control = (...args: string[]) =>
    call('pg_ctl', ['-D', data, '-w', '-l', join(folder, 'log'), ...args])
  const start = async () => void (await control('start', '-o', options))
  let isKilled = false
  const signal = (name: NodeJS.Signals) => {
    for (const id of processesOf(data)) tell(id, name)
    isKilled ||= name === 'SIGKILL'
  }
  await start()
  return {
    url,
    restart: async () => void (await control('restart', '-m', 'fast', '-o', options)),
    stop: async () => void (await control('stop', '-m', 'immediate')),
    start,
    signal,
    promote: async () => void (await control('promote')),
    async openStandby() {
      const from = ['-d', url, '-R', '-X', 'stream', '--checkpoint=fast', '--no-sync']
      const standby = await openServer(call, (copy) => call('pg_basebackup', ['-D', copy, ...from]))
      await waitForStandby(url)
      return standby
    },
    async close() {
      if (!isKilled && existsSync(join(data, 'postmaster.pid'))) {
        signal('SIGCONT')
        await control('stop', '-m', 'immediate')
      }
      await rm(folder, { recursive: true })
    },
  }
}

/** From now on commits wait for the standby. */
async function waitForStandby(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query("alter system set synchronous_standby_names = '*'")
    await client.query('select pg_reload_conf()')
    const following = "select from pg_stat_replication where sync_state = 'sync'"
    while ((await client.query(following)).rowCount === 0) await sleep(50)
  } finally {
    await client.end()
  }
}

/** Works only on Linux, as does the path of its programs. */
function processesOf(data: string): number[] {
  const server = Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0])
  const children = readFileSync(`/proc/${server}/task/${server}/children`, 'utf8')
  return [server, ...children.trim().split(/\s+/).filter(Boolean).map(Number)]
}

/** A process that has ended meanwhile needs no signal. */
function tell(id: number, name: NodeJS.Signals): void {
  try {
    process.kill(id, name)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
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
