/**
 * How `npm run backup` asks a running product, which alone may touch the files of its database: over a socket
 * in the data folder. Who can reach that can read the database anyway; nobody else can, and nothing is on the network.
 */
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { join, relative } from 'node:path'
import { text } from 'node:stream/consumers'
import { z } from 'zod'
import type { Log } from '#server/platform/log.ts'
import { BackupError } from './backup-error.ts'

const Request = z.object({ target: z.string().min(1) })
const Answer = z.union([z.object({ bytes: z.number() }), z.object({ refusal: z.string() })])

const SOCKET = 'backup.sock'

/** `backUp` answers how many bytes it has written. */
export async function answerBackupRequests(
  dataDir: string,
  backUp: (target: string) => Promise<number>,
  log: Log,
): Promise<{ close(): Promise<void> }> {
  const path = socketIn(dataDir)
  // One that a process left when it was killed; the folder is ours alone now.
  await rm(path, { force: true })
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', (error) => log.warn({ err: error }, 'a request for a backup broke off'))
    void answer(socket, backUp, log)
  })
  // Windows has no sockets in folders, and a very long path is none either: there one stops the product first.
  server.on('error', (error) =>
    log.warn({ err: error }, 'no backup can be asked for while running'),
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
  backUp: (target: string) => Promise<number>,
  log: Log,
): Promise<void> {
  try {
    const { target } = Request.parse(JSON.parse(await text(socket)))
    const bytes = await backUp(target)
    log.info({ target, bytes }, 'backed up')
    socket.end(JSON.stringify({ bytes }))
  } catch (error) {
    log.error({ err: error }, 'a backup could not be made')
    socket.end(JSON.stringify({ refusal: error instanceof Error ? error.message : String(error) }))
  }
}

/** Answers how many bytes the running product wrote, or null where none is running. */
export async function askForBackup(dataDir: string, target: string): Promise<number | null> {
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
  if (answered === '') throw new BackupError('The product ended before the backup was made.')
  const result = Answer.parse(JSON.parse(answered))
  if ('refusal' in result) throw new BackupError(result.refusal)
  return result.bytes
}

/** A path of a socket may have a hundred characters only. */
function socketIn(dataDir: string): string {
  const whole = join(dataDir, SOCKET)
  const short = relative(process.cwd(), whole)
  return short.length < whole.length ? short : whole
}
