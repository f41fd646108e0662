/** Detects senders who disconnected or stopped, so that abandoned uploads do not block others. */
import type { FastifyRequest } from 'fastify'
import { AppError } from '#server/platform/errors.ts'

/** An upload that sends nothing for this long is cut off: a sleeping laptop, a lost network. */
export const STALL_MS_MAX = 20_000

/**
 * Detects a disconnected sender, so abandoned uploads do not block others. `gone` aborts when the connection
 * closes; call `end` after responding, because the connection outlives the request.
 */
export function watchConnection({ raw }: FastifyRequest): { gone: AbortSignal; end: () => void } {
  const leaving = new AbortController()
  const leave = () => leaving.abort(new AppError('invalid_request', 'The upload was interrupted.'))
  raw.socket.once('close', leave)
  if (raw.destroyed) leave()
  return { gone: leaving.signal, end: () => raw.socket.off('close', leave) }
}

/** After a pause of the process the check runs before received bytes are read, so one failed check proves nothing. */
const STALL_LOOKS = 4

/** Disconnects if no byte arrives for too long; call `end` once the body is complete. */
export function watchForStall({ raw }: FastifyRequest, stallMsMax: number): { end: () => void } {
  let read = raw.socket.bytesRead
  let vainLooks = 0
  const look = () => {
    vainLooks = raw.socket.bytesRead === read ? vainLooks + 1 : 0
    read = raw.socket.bytesRead
    if (vainLooks === STALL_LOOKS) raw.socket.destroy()
  }
  const timer = setInterval(look, stallMsMax / STALL_LOOKS).unref()
  return { end: () => clearInterval(timer) }
}
