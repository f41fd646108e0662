// Runs a program until it ends by itself or is told to, and starts it again where the system ended it:
// a crash inside the engine or a native library, or a lack of memory. What was acknowledged is in the database.
import { spawn } from 'node:child_process'
import { constants } from 'node:os'

const pauseMs = 1000
/** As many crashes in so short a time will not end by themselves. */
const crashesMax = 3
const crashesMs = 5 * 60_000

/** Signals that a person or a service manager sends; the program ends by them in order. */
const told = ['SIGINT', 'SIGTERM', 'SIGHUP']

/**
 * Answers the exit code to end with.
 * @param {string} command
 * @param {string[]} args
 * @param {import('node:child_process').SpawnOptions} options
 * @returns {Promise<number>}
 */
export async function keepRunning(command, args, options) {
  let child = null
  let isTold = false
  for (const signal of told) {
    process.on(signal, () => {
      isTold = true
      child?.kill(signal)
    })
  }
  const crashes = []
  for (;;) {
    child = spawn(command, args, options)
    const { code, signal } = await endOf(child)
    if (signal === null) return code
    if (isTold || told.includes(signal)) return 128 + constants.signals[signal]
    crashes.push(Date.now())
    const isHopeless = crashes.filter((at) => Date.now() - at < crashesMs).length >= crashesMax
    console.error(
      `The process was ended by ${signal}. ${isHopeless ? 'Giving up.' : 'Starting it again.'}`,
    )
    if (isHopeless) return 128 + constants.signals[signal]
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
    if (isTold) return 0
  }
}

/** @param {import('node:child_process').ChildProcess} child */
function endOf(child) {
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('exit', (code, signal) => resolve({ code: code ?? 1, signal }))
  })
}
