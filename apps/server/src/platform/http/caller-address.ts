/** Where a request comes from, as limits count it: an IPv6 network of /64 is one caller, and IPv4 is IPv4 however written. */
import { normalizeIP } from '@fastify/rate-limit'

/** A caller who hung up has no address any more; all of these count as one. */
export function readCallerAddress({ ip }: { ip?: string }): string {
  return ip === undefined ? 'hung up' : normalizeIP(ip)
}
