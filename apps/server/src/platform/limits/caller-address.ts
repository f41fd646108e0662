/** The address that limits count: an IPv6 /64 network is one caller, and all spellings of an IPv4 address are one. */
import { normalizeIP } from '@fastify/rate-limit'

/** A disconnected client has no address; all of these count as one. */
export function readCallerAddress({ ip }: { ip?: string }): string {
  return ip === undefined ? 'hung up' : normalizeIP(ip)
}
