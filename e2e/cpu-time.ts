/**
 * CPU time of a process in milliseconds. Unlike wall time it does not include other processes, or another machine that
 * shares the cores (CPU steal).
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'

/** Linux counts in hundredths of a second. */
const TICK_MS = 10

export function readCpuMs(pid: number): number {
  const file = `/proc/${pid}/stat`
  if (!existsSync(file)) return askPs(pid)
  // The program's name, in parentheses, may contain spaces; user and system time are fields 14 and 15.
  const fields = readFileSync(file, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS
}

/** Elsewhere `ps` prints minutes:seconds.hundredths, with hours and days before that. */
function askPs(pid: number): number {
  const time = execFileSync('ps', ['-o', 'time=', '-p', String(pid)], { encoding: 'utf8' }).trim()
  const [seconds = 0, minutes = 0, hours = 0] = time.split(/[-:]/).map(Number).toReversed()
  return ((hours * 60 + minutes) * 60 + seconds) * 1000
}
