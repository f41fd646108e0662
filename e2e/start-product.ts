/** Starts the real product in a separate process on its own data folder. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

export type Product = {
  url: string
  pid: number
  /** Throws if it has exited, with its output. */
  expectAlive: () => void
  stop: () => Promise<void>
}

/**
 * Starts the product and returns when it is ready. `settings` are environment variables; `command` starts
 * it; by default it is a process of its own.
 */
export async function startProduct(
  settings: Record<string, string> = {},
  command?: [program: string, ...args: string[]],
): Promise<Product> {
  const folder = await mkdtemp(join(tmpdir(), 'pkdex-journey-'))
  const template = process.env['PKDEX_TEMPLATE']
  if (template !== undefined) await cp(template, folder, { recursive: true })
  const [program, ...args] = command ?? (await ownProcess('all'))
  const child = spawn(program, args, {
    cwd: root,
    // The product picks a free port itself; one chosen here may be taken before the product uses it.
    env: {
      ...inherited(),
      ...(await readServerJson('malloc')),
      PORT: '0',
      DATA_DIR: folder,
      RATE_LIMIT: 'off',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  }
  const url = await addressOf(child, () => output)
  const expectAlive = () => {
    if (hasEnded(child)) throw new Error(`${endOf(child)} by itself:\n${output}`)
  }
  const stop = async () => {
    await stopProcess(child)
    await rm(folder, { recursive: true, force: true })
  }
  return { url, pid: child.pid ?? 0, expectAlive, stop }
}

/** The command that starts the whole product, or one half of it on a PostgreSQL server; a worker has no address. */
export async function ownProcess(
  entry: 'all' | 'api' | 'worker' | 'impatient',
): Promise<[program: string, ...args: string[]]> {
  const flags = await readServerJson('node-flags')
  const path = entry === 'impatient' ? 'test/all-impatient.ts' : `src/main/${entry}.ts`
  return [process.execPath, ...flags, `apps/server/${path}`]
}

/** The settings with which `npm start` starts the product, too. */
async function readServerJson(name: 'node-flags' | 'malloc') {
  return JSON.parse(await readFile(join(root, `apps/server/${name}.json`), 'utf8'))
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null
}

function endOf({ exitCode, signalCode }: ChildProcess): string {
  return `The product has ended (${signalCode ?? exitCode})`
}

/** Reads the address from the product's output once it is ready. */
async function addressOf(child: ChildProcess, output: () => string): Promise<string> {
  const ready = Promise.withResolvers<string>()
  const fail = (reason: string) =>
    ready.reject(new Error(`${reason} before the product was ready:\n${output()}`))
  const look = () => {
    const [words, url = ''] = /(?:ready at (http\S+)|worker is ready)/.exec(output()) ?? []
    if (words) ready.resolve(url)
  }
  child.stdout?.on('data', look)
  child.once('exit', () => fail(endOf(child)))
  const timer = setTimeout(() => fail('Three minutes have passed'), 180_000)
  try {
    return await ready.promise
  } catch (error) {
    child.kill('SIGKILL')
    throw error
  } finally {
    clearTimeout(timer)
    child.stdout?.off('data', look)
  }
}

/** The product allows itself 20 s. */
const STOP_MS_MAX = 25_000

async function stopProcess(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return
  const gone = once(child, 'exit')
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS_MAX)
  await gone
  clearTimeout(timer)
}

/** The product reads its settings from the environment; a test must not inherit the developer's. */
function inherited(): Record<string, string> {
  const kept = ['PATH', 'HOME', 'TMPDIR', 'LANG', 'SystemRoot']
  return Object.fromEntries(
    kept.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  )
}
