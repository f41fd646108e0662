/** The whole server in a separate process that can be killed, and a user who calls it over HTTP. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  ConnectionConfig,
  PredictAnswer,
  Task,
  UploadAnswer,
  verifyGoogle,
  type FileType,
} from '@pkdex/contract'

/** Avoids compiling the same program at each start. */
const NODE_COMPILE_CACHE = join(tmpdir(), 'pkdex-compile-cache')

const flags: string[] = JSON.parse(
  readFileSync(new URL('../../node-flags.json', import.meta.url), 'utf8'),
)

type Entry = 'all' | 'api' | 'worker'

const READY_MS_MAX = 150_000

export type SpawnedServer = {
  url: string
  /** SIGKILL: no warning, no clean-up. */
  kill(): Promise<void>
  /** SIGTERM, as an operator stops it. */
  stop(): Promise<void>
}

export async function spawnServer(
  settings: Record<string, string>,
  entry: 'all' | 'api' = 'all',
): Promise<SpawnedServer> {
  // The server picks a free port itself; one chosen here may be taken before the server uses it.
  const server = spawnEntry(entry, { PORT: '0', ...settings })
  const deadline = Date.now() + READY_MS_MAX
  while (server.isAlive() && Date.now() < deadline) {
    const [, url] = /ready at (http\S+)/.exec(server.output()) ?? []
    if (url) return { url, ...endsOf(server) }
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  await server.end('SIGKILL')
  throw new Error(`the server did not become ready:\n${server.output()}`)
}

const spawned = new Set<{ end(signal: 'SIGKILL'): Promise<void> }>()

/** Kills the processes that a failed test left running. */
export async function killSpawned(): Promise<void> {
  await Promise.all([...spawned].map((process) => process.end('SIGKILL')))
}

/** Starts a process without endpoints, whose work shows only in the database. */
export function spawnWorker(settings: Record<string, string>): Omit<SpawnedServer, 'url'> {
  const worker = spawnEntry('worker', settings)
  return endsOf(worker)
}

function endsOf(one: ReturnType<typeof spawnEntry>): Omit<SpawnedServer, 'url'> {
  return {
    kill: () => one.end('SIGKILL'),
    stop: () => one.end('SIGTERM'),
  }
}

function spawnEntry(entry: Entry, settings: Record<string, string>) {
  const { PATH, HOME, TMPDIR, MODEL_DIR } = process.env
  const file = fileURLToPath(new URL(`../../src/main/${entry}.ts`, import.meta.url))
  const child = spawn(process.execPath, [...flags, file], {
    env: { PATH, HOME, TMPDIR, MODEL_DIR, NODE_COMPILE_CACHE, RATE_LIMIT: 'off', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  }
  const gone = once(child, 'exit')
  const self = {
    isAlive: () => child.exitCode === null && child.signalCode === null,
    output: () => output,
    /** Throws if the process has exited already. */
    async end(signal: 'SIGKILL' | 'SIGTERM') {
      const wasAlive = self.isAlive()
      child.kill(signal)
      await gone
      spawned.delete(self)
      if (wasAlive) return
      const cause = child.signalCode ?? child.exitCode
      throw new Error(`${entry} has ended by itself (${cause}):\n${output}`)
    },
  }
  spawned.add(self)
  return self
}

/** Returns the API key. */
export async function signIn(url: string, email: string): Promise<string> {
  const config = await answerOf(await fetch(`${url}/connection/config`))
  const { nonce } = ConnectionConfig.parse(config)
  const token = await post(`${url}/dev/identity/token`, { email, name: 'Test', nonce })
  const { id_token } = verifyGoogle.body.parse(token)
  const key = await post(`${url}/connection/verify-google`, { id_token })
  return verifyGoogle.answer.parse(key).api_key
}

/** Calls that return were acknowledged; one that is cut off throws. */
export function asUser(url: string, key: string) {
  const headers = { 'API-Key': key }
  return {
    async upload(type: FileType, name: string, text: string): Promise<UploadAnswer> {
      const form = new FormData()
      form.set('file_type', type)
      form.set('file', new Blob([text]), name)
      const body = { method: 'POST', headers, body: form }
      return UploadAnswer.parse(await answerOf(await fetch(`${url}/file_manager/upload`, body)))
    },
    async predict(protein_id: string, compound_id: string): Promise<PredictAnswer> {
      return PredictAnswer.parse(
        await post(`${url}/dta/predict`, { protein_id, compound_id }, headers),
      )
    },
    async task(taskId: string): Promise<Task> {
      return Task.parse(await answerOf(await fetch(`${url}/dta/predict/${taskId}`, { headers })))
    },
  }
}

export async function post(url: string, body: object, headers: Record<string, string> = {}) {
  return answerOf(
    await fetch(url, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  )
}

export class Refused extends Error {}

export async function answerOf(answer: Response): Promise<unknown> {
  if (answer.ok) return answer.json()
  const wait = answer.headers.get('retry-after')
  const status = wait === null ? answer.status : `${answer.status} with Retry-After ${wait}`
  throw new Refused(`${answer.url} answered ${status}: ${await answer.text()}`)
}

/** The response began but did not end. */
export class BrokenOff extends Error {}

export async function download(url: string, headers: Record<string, string>): Promise<Buffer> {
  const answer = await fetch(url, { headers })
  if (!answer.ok) await answerOf(answer)
  const content = answer.arrayBuffer().catch((cause: unknown) => {
    throw new BrokenOff(url, { cause })
  })
  return Buffer.from(await content)
}
