/** Parses and validates the values of settings. */
import { z } from 'zod'

export const port = z.coerce.number<string>().int().min(0).max(65_535)
/** `9400`, or with an address `0.0.0.0:9400`. */
export const metricsPlace = z.union([
  z.literal('').transform(() => undefined),
  z
    .string()
    .regex(/^(.+:)?\d+$/, 'write a port, or an address and a port as 0.0.0.0:9400')
    .transform((place) => {
      const at = place.lastIndexOf(':')
      const host = at < 0 ? '127.0.0.1' : place.slice(0, at).replace(/^\[(.*)\]$/, '$1')
      return { host, port: place.slice(at + 1) }
    })
    .pipe(z.object({ host: z.string(), port })),
])
/** The ledger keeps three decimals. */
export const amount = z.coerce.number().min(0).max(1_000_000_000).multipleOf(0.001)
export const webAddress = z.url({ protocol: /^https?$/ })
const listed = z.string().transform((list) =>
  list
    .split(',')
    .map((entry) => entry.trim().toLowerCase())
    .filter((entry) => entry),
)
export const origins = listed.pipe(
  z.array(webAddress.refine((origin) => URL.parse(origin)?.origin === origin)),
)
export const domains = listed.pipe(
  z.array(
    z.string().regex(/^([a-z\d-]+\.)+[a-z\d-]+$/, 'write domains as example.org,example.com'),
  ),
)
export const text = z.string()
export const onOff = z.enum(['on', 'off']).transform((value) => value === 'on')
