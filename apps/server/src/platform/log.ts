/** The server's log. It never contains keys, tokens or file contents. */
import { pino } from 'pino'

export type Log = Pick<pino.Logger, 'fatal' | 'error' | 'warn' | 'info' | 'debug'>

export function openLog(level: string): pino.Logger {
  return pino({ level })
}
