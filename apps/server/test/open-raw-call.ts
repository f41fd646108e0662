/** Writes a request to a listening server as raw bytes, for bodies that are cut off, stall or never end. */
import { type AddressInfo, connect, type Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

export type RawCall = {
  socket: Socket
  /** The bytes that have arrived so far. */
  answer: () => string
  isOpen: () => boolean
  /** Resolves with the whole response when the connection is closed. */
  closed: Promise<string>
}

/** `head`: the request line and headers, without `Host`. */
export function openRawCall(
  { server }: FastifyInstance,
  head: string[],
  body = '',
  host = 'x',
): RawCall {
  const { port } = server.address() as AddressInfo
  const socket = connect(port, '127.0.0.1')
  let [answer, isOpen] = ['', true]
  socket.on('error', () => undefined)
  socket.on('data', (data) => (answer += data.toString()))
  const [line = '', ...headers] = head
  socket.write([line, `host: ${host}`, ...headers, '', body].join('\r\n'))
  const closed = new Promise<string>((resolve) =>
    socket.once('close', () => {
      isOpen = false
      resolve(answer)
    }),
  )
  return { socket, answer: () => answer, isOpen: () => isOpen, closed }
}
