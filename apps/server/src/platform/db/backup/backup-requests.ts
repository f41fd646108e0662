/**
 * How `npm run backup` asks a running server for a backup: over a socket in the data folder, because only the server
 * may touch its database files. Only users who can read the database can reach it, and nothing is on the network.
 */
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { join, relative } from 'node:path'
import { text } from 'node:stream/consumers'
import { z } from 'zod'
import type { Log } from '#server/platform/log.ts'
import { OperatorError } from '#server/platform/errors.ts'

const Request = z.object({ target: z.string().min(1) })
const Saved = z.object({
  bytes: z.number(),
  users: z.number(),
  files: z.number(),
  pairs: z.number(),
})
/** Size and contents of a backup. */
export type Saved = z.infer<typeof Saved>
const Answer = z.union([Saved, z.object({ refusal: z.string() })])

const SOCKET = 'backup.sock'

export async function answerBackupRequests(
  dataDir: string,
  backUp: (target: string) => Promise<Saved>,
  log: Log,
): Promise<{ close(): Promise<void> }> {
  const path = socketIn(dataDir)
  // Left behind by a killed process; this process now has the folder to itself.
  await rm(path, { force: true })
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', (error) => log.warn({ err: error }, 'a backup request was interrupted'))
    void answer(socket, backUp, log)
  })
  // Windows has no socket files, and very long paths fail too: there, stop the server before a backup.
  server.on('error', (error) =>
    log.warn({ err: error }, 'no backup can be requested while this server runs'),
  )
  server.listen(path)
  return {
    async close() {
      if (!server.listening) return
      server.close()
      await once(server, 'close')
    },
  }
}

async function answer(
  socket: Socket,
  backUp: (target: string) => Promise<Saved>,
  log: Log,
): Promise<void> {
  try {
    const { target } = Request.parse(JSON.parse(await text(socket)))
    const saved = await backUp(target)
    log.info({ target, ...saved }, 'backed up')
    socket.end(JSON.stringify(saved))
  } catch (error) {
    log.error({ err: error }, 'a backup failed')
    socket.end(JSON.stringify({ refusal: error instanceof Error ? error.message : String(error) }))
  }
}

/** Null if no server is running. */
export async function askForBackup(dataDir: string, target: string): Promise<Saved | null> {
  const path = socketIn(dataDir)
  if (!existsSync(path)) return null
  const socket = connect({ path, allowHalfOpen: true })
  try {
    await once(socket, 'connect')
  } catch {
    return null
  }
  socket.end(JSON.stringify({ target }))
  const answered = await text(socket).catch(() => '')
  if (answered === '') throw new OperatorError('pKdex stopped before the backup was complete.')
  const result = Answer.parse(JSON.parse(answered))
  if ('refusal' in result) throw new OperatorError(result.refusal)
  return result
}

/** Socket paths are limited to about a hundred characters. */
function socketIn(dataDir: string): string {
  const whole = join(dataDir, SOCKET)
  const short = relative(process.cwd(), whole)
  return short.length < whole.length ? short : whole
}
