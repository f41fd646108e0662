/** Who sent a request: for the limits, and for the log. */
import { ADMIN_KEY_HEADER, API_KEY_HEADER } from '@pkdex/contract'
import type { FastifyRequest } from 'fastify'

/** For the log: ids that mean nothing to a stranger. */
type LoggedCaller = { user: string; key: string } | { administrator: string }

const loggedCallers = new WeakMap<FastifyRequest, LoggedCaller>()

export function noteCaller(request: FastifyRequest, caller: LoggedCaller): void {
  loggedCallers.set(request, caller)
}

/** Undefined if the request was not authenticated. */
export function loggedCaller(request: FastifyRequest): LoggedCaller | undefined {
  return loggedCallers.get(request)
}

export function readHeader(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name.toLowerCase()]
  return Array.isArray(value) ? value[0] : value
}

const credentialHeaders = [API_KEY_HEADER, ADMIN_KEY_HEADER, 'Authorization']

/** Whether a request contains any kind of key; a browser that follows a link sends none. */
export function hasCredential(request: FastifyRequest): boolean {
  return credentialHeaders.some((name) => readHeader(request, name) !== undefined)
}

/** The user, or until authenticated the credential or address. */
export function callerOf(request: FastifyRequest): string {
  const caller = loggedCaller(request)
  if (caller !== undefined) return 'user' in caller ? caller.user : caller.administrator
  const credential = credentialHeaders
    .map((name) => readHeader(request, name))
    .find((value) => value !== undefined)
  return credential ?? request.ip
}
