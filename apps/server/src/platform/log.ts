/** Where the server writes what happens. Keys, tokens and file contents never go there. */
import { pino } from 'pino'

export type Log = Pick<pino.Logger, 'fatal' | 'error' | 'warn' | 'info' | 'debug'>

export function openLog(level: string): pino.Logger {
  return pino({ level })
}
