/** A server for component tests: responds by `METHOD /path`, and records every request, by fetch or XMLHttpRequest. */
import { vi } from 'vitest'

export type Call = {
  name: string
  headers: Headers
  body: unknown
  keepalive: boolean
}
type Handlers = Record<string, (call: Call) => Response | Promise<Response>>

/** A request that is not listed fails as if the server could not be reached. */
export function serveCalls(handlers: Handlers): Call[] {
  const calls: Call[] = []
  const answer = async (call: Call): Promise<Response> => {
    calls.push(call)
    const handler = handlers[call.name]
    if (handler === undefined) throw new TypeError('Failed to fetch')
    return handler(call)
  }
  vi.stubGlobal('fetch', (url: string, { method = 'GET', headers, body, keepalive }: RequestInit) =>
    answer({
      name: `${method} ${url}`,
      headers: new Headers(headers),
      body: typeof body === 'string' ? JSON.parse(body) : body,
      keepalive: keepalive ?? false,
    }),
  )
  vi.stubGlobal('XMLHttpRequest', fakeRequests(answer))
  return calls
}

export function refuse(status: number, message?: string): Response {
  return message === undefined
    ? new Response(null, { status })
    : Response.json({ code: 'test', message, detail: message }, { status })
}

function fakeRequests(answer: (call: Call) => Promise<Response>) {
  return class extends EventTarget {
    upload = new EventTarget()
    status = 0
    statusText = ''
    responseText = ''
    #name = ''
    #headers = new Headers()

    open(method: string, url: string) {
      this.#name = `${method} ${url}`
    }

    setRequestHeader(name: string, value: string) {
      this.#headers.set(name, value)
    }

    abort() {
      this.dispatchEvent(new Event('abort'))
    }

    send(body: unknown) {
      const call = { name: this.#name, headers: this.#headers, body, keepalive: false }
      void this.#answer(call)
    }

    async #answer(call: Call) {
      try {
        const response = await answer(call)
        this.status = response.status
        this.responseText = await response.text()
        this.dispatchEvent(new Event('load'))
      } catch {
        this.dispatchEvent(new Event('error'))
      }
    }
  }
}
