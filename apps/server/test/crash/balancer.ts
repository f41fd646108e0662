/**
 * A load balancer in front of API processes, as operators use it: it uses `/readyz` only, rotates among ready
 * processes, keeps its connections, and never repeats a request.
 */
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'

export type Balancer = {
  url: string
  /** Resolves when requests are sent to this process. */
  add(url: string): Promise<void>
  /** Removes a process that has ended. */
  remove(url: string): void
  close(): Promise<void>
}

type Backend = { url: string; isReady: boolean }

const LOOK_MS_MAX = 4000

/** `lookMs`: time between two requests to `/readyz`. */
export async function openBalancer(lookMs: number): Promise<Balancer> {
  const agent = new Agent({ keepAlive: true })
  let backends: Backend[] = []
  let turn = 0
  const isOver = new AbortController()
  const server = createServer((asked, answer) => {
    const ready = backends.filter(({ isReady }) => isReady)
    const backend = ready[turn++ % ready.length]
    if (backend === undefined) answer.writeHead(502).end()
    else forward(backend, { asked, answer, agent })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  if (typeof address === 'string' || address === null) throw new Error('no port')
  const pause = () => sleep(lookMs, undefined, { signal: isOver.signal }).catch(() => undefined)
  const looking = (async () => {
    while (!isOver.signal.aborted) {
      await Promise.all(backends.map(look))
      await pause()
    }
  })()
  const until = async (isSo: () => boolean) => {
    while (!isSo() && !isOver.signal.aborted) await sleep(10)
  }
  const find = (url: string) => backends.find((backend) => backend.url === url)
  return {
    url: `http://127.0.0.1:${address.port}`,
    add(url) {
      backends.push({ url, isReady: false })
      return until(() => find(url)?.isReady ?? true)
    },
    remove: (url) => void (backends = backends.filter((backend) => backend.url !== url)),
    async close() {
      isOver.abort()
      await looking
      server.close()
      server.closeAllConnections()
      agent.destroy()
    },
  }
}

/** A process too busy to respond in time keeps its state. */
async function look(backend: Backend): Promise<void> {
  try {
    const signal = AbortSignal.timeout(LOOK_MS_MAX)
    const answer = await fetch(`${backend.url}/readyz`, { signal })
    await answer.arrayBuffer()
    backend.isReady = answer.ok
  } catch (error) {
    if (!(error instanceof DOMException)) backend.isReady = false
  }
}

type Exchange = { asked: IncomingMessage; answer: ServerResponse; agent: Agent }

function forward(backend: Backend, { asked, answer, agent }: Exchange): void {
  const { connection: _ofCaller, ...headers } = asked.headers
  const { method } = asked
  const onward = request(new URL(asked.url ?? '/', backend.url), { method, headers, agent })
  onward.on('error', () => answer.destroy())
  onward.on('response', (got) => {
    const { connection: _ofBackend, 'keep-alive': _asLong, ...kept } = got.headers
    got.on('error', () => answer.destroy())
    got.pipe(answer.writeHead(got.statusCode ?? 502, kept))
  })
  asked.pipe(onward)
}
