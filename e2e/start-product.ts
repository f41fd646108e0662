/** Starts the real product in its own process on its own data folder. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

export type Product = {
  url: string
  pid: number
  /** Throws where it has ended by itself, with what it printed. */
  expectAlive: () => void
  stop: () => Promise<void>
}

/**
 * Starts the product and answers when it is ready. `settings` are environment variables; `command` is
 * what starts it, where not its own process alone.
 */
export async function startProduct(
  settings: Record<string, string> = {},
  command?: [program: string, ...args: string[]],
): Promise<Product> {
  const folder = await mkdtemp(join(tmpdir(), 'pkdex-journey-'))
  const [program, ...args] = command ?? (await ownProcess())
  const child = spawn(program, args, {
    cwd: root,
    // The product picks a port that is free; one picked for it may be taken until it gets there.
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

async function ownProcess(): Promise<[program: string, ...args: string[]]> {
  const flags = await readServerJson('node-flags')
  return [process.execPath, ...flags, 'apps/server/src/main/all.ts']
}

/** With what `npm start` starts the product, too. */
async function readServerJson(name: 'node-flags' | 'malloc') {
  return JSON.parse(await readFile(join(root, `apps/server/${name}.json`), 'utf8'))
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null
}

function endOf({ exitCode, signalCode }: ChildProcess): string {
  return `The product has ended (${signalCode ?? exitCode})`
}

/** As the product says it, when it is ready. */
async function addressOf(child: ChildProcess, output: () => string): Promise<string> {
  const ready = Promise.withResolvers<string>()
  const fail = (reason: string) =>
    ready.reject(new Error(`${reason} before the product was ready:\n${output()}`))
  const look = () => {
    const [, url] = /ready at (http\S+)/.exec(output()) ?? []
    if (url) ready.resolve(url)
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

/** The product gives itself 20 s. */
const STOP_MS_MAX = 25_000

async function stopProcess(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return
  const gone = once(child, 'exit')
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS_MAX)
  await gone
  clearTimeout(timer)
}

/** The product reads its settings from the environment; a journey must not inherit the developer's. */
function inherited(): Record<string, string> {
  const kept = ['PATH', 'HOME', 'TMPDIR', 'LANG', 'SystemRoot']
  return Object.fromEntries(
    kept.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  )
}
