/** The server's log. It never contains keys, tokens or file contents. */
import { pino } from 'pino'

export type Log = Pick<pino.Logger, 'fatal' | 'error' | 'warn' | 'info' | 'debug'>

export function openLog(level: string): pino.Logger {
  // Health checks have a level of their own, which would print even so.
  return level === 'silent' ? pino({ level }, { write: () => undefined }) : pino({ level })
}
