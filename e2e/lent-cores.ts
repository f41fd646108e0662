/**
 * How much longer everything takes while the cores of this machine are lent to another as well: 1 on a
 * machine of one's own, 2 where every second moment is taken. Linux counts those moments; elsewhere it is 1.
 */
import { readFileSync } from 'node:fs'

/** Starts to count; what comes back answers for the time since. */
export function watchLentCores(): () => number {
  const before = readMoments()
  return () => {
    const after = readMoments()
    const stolen = after.stolen - before.stolen
    const own = after.own - before.own
    return own > 0 ? (own + stolen) / own : 1
  }
}

/** Moments of all cores: at work for this machine, and taken from it while it wanted to work. */
function readMoments(): { own: number; stolen: number } {
  try {
    const [, first = ''] = /^cpu +(.*)$/m.exec(readFileSync('/proc/stat', 'utf8')) ?? []
    const [user = 0, nice = 0, system = 0, , , irq = 0, softIrq = 0, stolen = 0] = first
      .split(' ')
      .map(Number)
    return { own: user + nice + system + irq + softIrq, stolen }
  } catch {
    return { own: 0, stolen: 0 }
  }
}
