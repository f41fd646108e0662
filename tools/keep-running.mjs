// Runs a program until it is told to end, and starts it again after any other end: a crash inside the engine
// or a native library, a lack of memory, an error that nobody caught. What was acknowledged is in the database.
import { spawn } from 'node:child_process'
import { constants } from 'node:os'

/** Doubles with every end in the time below. */
const firstPauseMs = 1000
/** As many ends in so short a time will not stop by themselves. */
const endsMax = 6
const endsMs = 5 * 60_000

/** The program's own word that starting it again would change nothing: its settings are refused. */
const refusedCode = 78

/** Signals that a person or a service manager sends; the program ends by them in order. */
const told = ['SIGINT', 'SIGTERM', 'SIGHUP']

/**
 * Answers the exit code to end with.
 * @param {string} command
 * @param {string[]} args
 * @param {import('node:child_process').SpawnOptions} options
 * @param {number} pauseMs
 * @returns {Promise<number>}
 */
export async function keepRunning(command, args, options, pauseMs = firstPauseMs) {
  let child = null
  const stopped = new AbortController()
  for (const signal of told) {
    process.on(signal, () => {
      stopped.abort()
      child?.kill(signal)
    })
  }
  let ends = []
  for (;;) {
    child = spawn(command, args, options)
    const { code, signal } = await endOf(child)
    const answer = signal === null ? code : 128 + constants.signals[signal]
    if (stopped.signal.aborted || isInOrder(code, signal)) return answer
    ends = [...ends, Date.now()].filter((at) => Date.now() - at < endsMs)
    const cause = signal === null ? `ended with code ${code}` : `was ended by ${signal}`
    if (ends.length >= endsMax) {
      console.error(
        `The process ${cause}, ${ends.length} times in ${endsMs / 60_000} minutes. Giving up: the reason stands above.`,
      )
      return answer
    }
    console.error(`The process ${cause}. Starting it again.`)
    await pause(pauseMs * 2 ** (ends.length - 1), stopped.signal)
    if (stopped.signal.aborted) return 0
  }
}

/** Code 0 is the answer to a signal that was sent to the program itself. */
function isInOrder(code, signal) {
  return signal === null ? code === 0 || code === refusedCode : told.includes(signal)
}

/** @param {import('node:child_process').ChildProcess} child */
function endOf(child) {
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('exit', (code, signal) => resolve({ code, signal }))
  })
}

/** @param {number} milliseconds @param {AbortSignal} stopped */
function pause(milliseconds, stopped) {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds)
    stopped.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve(undefined)
    })
  })
}
