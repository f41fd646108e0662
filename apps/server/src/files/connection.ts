/** Whether the one who sends an upload is still there: what nobody waits for holds nobody up. */
import type { FastifyRequest } from 'fastify'
import { AppError } from '#server/http/app-error.ts'

/** An upload that sends nothing for this long is cut off: a laptop asleep, a network that was left. */
export const STALL_MS_MAX = 20_000

/** `gone` is aborted when the connection ends; call `end` with the answer, since a connection outlives it. */
export function watchConnection({ raw }: FastifyRequest): { gone: AbortSignal; end: () => void } {
  const leaving = new AbortController()
  const leave = () =>
    leaving.abort(new AppError('invalid_request', 'The upload was broken off before its end.'))
  raw.socket.once('close', leave)
  if (raw.destroyed) leave()
  return { gone: leaving.signal, end: () => raw.socket.off('close', leave) }
}

/** Hangs up when no byte comes for too long; call `end` when the body is there. */
export function watchForStall({ raw }: FastifyRequest, stallMsMax: number): { end: () => void } {
  let read = raw.socket.bytesRead
  const look = () => {
    if (raw.socket.bytesRead === read) raw.socket.destroy()
    read = raw.socket.bytesRead
  }
  const timer = setInterval(look, stallMsMax).unref()
  return { end: () => clearInterval(timer) }
}
