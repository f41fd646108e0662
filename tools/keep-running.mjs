// Runs a program until it gets a stop signal, and restarts it after any other end (a crash in the engine or a native
// library, no memory, an uncaught error), however often: acknowledged data are in the database.
import { spawn } from 'node:child_process'
import { constants } from 'node:os'

const FIRST_PAUSE_MS = 1000
const PAUSE_MS_MAX = 60_000
/** A program that ran this long works, so its next crash counts as the first of a new series. */
const STEADY_MS = 5 * 60_000

/** Exit code for invalid settings: a restart would change nothing. */
const refusedCode = 78

/** Stop signals from a person or a service manager; the program shuts down cleanly on them. */
const told = ['SIGINT', 'SIGTERM', 'SIGHUP']

/**
 * Returns the exit code to end with.
 * @param {string} command
 * @param {string[]} args
 * @param {import('node:child_process').SpawnOptions} options
 * @param {number} pauseMs
 * @returns {Promise<number>}
 */
export async function keepRunning(command, args, options, pauseMs = FIRST_PAUSE_MS) {
  let child = null
  const stopped = new AbortController()
  for (const signal of told) {
    process.on(signal, () => {
      stopped.abort()
      child?.kill(signal)
    })
  }
  let ends = 0
  for (;;) {
    const startedAt = Date.now()
    child = spawn(command, args, options)
    const { code, signal } = await endOf(child)
    const answer = answerTo({ code, signal })
    if (stopped.signal.aborted || isInOrder(code, signal)) return answer
    ends = Date.now() - startedAt > STEADY_MS ? 1 : ends + 1
    const cause = signal === null ? `exited with code ${code}` : `was killed by ${signal}`
    const waitMs = pauseAfter(ends, pauseMs)
    console.error(`The process ${cause}. Restarting in ${Math.ceil(waitMs / 1000)} s.`)
    await pause(waitMs, stopped.signal)
    if (stopped.signal.aborted) return 0
  }
}

/**
 * How long to wait after this many consecutive crashes.
 * @param {number} ends
 * @param {number} firstPauseMs
 */
export function pauseAfter(ends, firstPauseMs) {
  return Math.min(firstPauseMs * 2 ** (ends - 1), PAUSE_MS_MAX)
}

/** Whether no restart is needed; also true if the signal was sent to the program itself. */
function isInOrder(code, signal) {
  return signal === null ? code === 0 || code === refusedCode : told.includes(signal)
}

/** A program that stopped on a signal exits with 0: a service manager counts any other code as a failure. */
function answerTo({ code, signal }) {
  if (signal === null) return code
  return told.includes(signal) ? 0 : 128 + constants.signals[signal]
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
