/** A proxy in front of a PostgreSQL server, as operators use: it can be switched to another server, or fall silent. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export async function openTestProxy(url: string) {
  let { hostname, port } = new URL(url)
  let isSilent = false
  const open = new Set<Socket>()
  const proxy = createServer((caller) => {
    const server = connect(Number(port || 5432), hostname)
    for (const [one, other] of [
      [caller, server],
      [server, caller],
    ] as const) {
      open.add(one)
      one.on('data', (data) => void other.write(data))
      one.on('error', () => undefined)
      one.on('close', () => {
        open.delete(one)
        other.destroy()
      })
      if (isSilent) one.pause()
    }
  })
  await once(proxy.listen(0, '127.0.0.1'), 'listening')
  const own = new URL(url)
  own.host = `127.0.0.1:${(proxy.address() as AddressInfo).port}`
  return {
    url: own.href,
    /** Existing connections are not moved. */
    turnTo: (next: string) => void ({ hostname, port } = new URL(next)),
    /** Keeps connections open (all, or those open now) but forwards nothing on them. */
    falls(silent: 'all' | 'old' | 'none') {
      isSilent = silent === 'all'
      for (const socket of open) socket[silent === 'none' ? 'resume' : 'pause']()
    },
    close() {
      proxy.close()
      for (const socket of open) socket.destroy()
    },
  }
}
