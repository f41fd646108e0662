/** Stands before a database server, as a virtual address does: who connects gets whichever server it is turned to. */
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

export type DatabaseProxy = {
  port: number
  /** Connections that are open stay with the server that they have. */
  turnTo(port: number): void
  close(): Promise<void>
}

export async function openDatabaseProxy(port: number): Promise<DatabaseProxy> {
  let target = port
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const database = connect(target, '127.0.0.1')
    for (const [one, other] of [
      [client, database],
      [database, client],
    ] as const) {
      sockets.add(one)
      one.pipe(other)
      one.on('error', () => other.destroy())
      one.on('close', () => {
        sockets.delete(one)
        other.destroy()
      })
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address === 'string' || address === null) throw new Error('no port')
  return {
    port: address.port,
    turnTo: (next) => void (target = next),
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
