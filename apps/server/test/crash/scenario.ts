/** Runs rounds of faults under a mixed load, and compares the acknowledged data with the data that remains. */
import { setTimeout as sleep } from 'node:timers/promises'
import { drain } from './acknowledged.ts'
import { inDatabaseOf } from './in-database.ts'
import { makeRandom } from '#test/made-input.ts'
import { type LoadOptions, type MixedLoad, openMixedLoad } from './mixed-load.ts'
import type { Product } from './products.ts'

const seed = Number(process.env.PKDEX_CRASH_SEED ?? Math.floor(Math.random() * 1e6))
/** A round ends after this many acknowledged calls and a short pause, so that a slow machine tests as much. */
const ROUND_CALLS_MAX = 60
const ROUND_MS_MAX = 8000
const MOMENT_MS_MAX = 500
const ANSWER_MS_MAX = 60_000

/** One form of the product, and the fault that a scenario causes. */
type Victim = Omit<Product, 'end'> & {
  /** Resolves to the function that restarts it. `round` counts from 1. */
  strike(round: number, load: MixedLoad): Promise<() => Promise<void>>
}

type Round = { load: MixedLoad; url: string; round: number; random: () => number }

/** Resolves when it is time for the fault; returns the work to do once the product is back. */
export type Moment = (round: Round) => Promise<(url: string) => Promise<void>>

export type Scenario = LoadOptions & {
  title: string
  rounds: number
  open: (random: () => number) => Promise<Victim>
  moment?: Moment
  /** Maximum time of a call. */
  answerMsMax?: number
  /** Whether some requests must be refused. */
  mustRefuse?: boolean
}

/** Prints a summary, and returns a description of everything lost or wrong. */
export async function findFaultsOf(scenario: Scenario): Promise<string[]> {
  const random = makeRandom(seed)
  const victim = await scenario.open(random)
  try {
    const load = await openMixedLoad(victim.chooseUrl(), random, scenario)
    const backMs = await strikeUnder(load, scenario, victim, random)
    const faults = await load.findFaults(victim.chooseUrl())
    const inDatabase = inDatabaseOf(victim.where)
    await drain(victim.asOne(), load.session, load, { start: victim.startAgain, inDatabase })
    faults.push(...(await inDatabase((db) => load.findFaultsInDatabase(db))))
    console.log(
      `measured: ${scenario.title}, seed ${seed}, ${scenario.rounds} rounds: ${load.describe()}; ` +
        `${faults.length} of it lost or wrong; answered and complete again after ${Math.round(backMs)} ms at the longest`,
    )
    return [...faults, ...findTooLittle(scenario, load)]
  } finally {
    await victim.close()
  }
}

/** The longest time in milliseconds from a fault until calls are answered and all processes are ready again. */
async function strikeUnder(
  load: MixedLoad,
  { rounds, moment = untilPressed }: Scenario,
  victim: Victim,
  random: () => number,
): Promise<number> {
  let [isOver, longestMs] = [false, 0]
  const pressed = load.press(
    () => victim.chooseUrl(),
    () => isOver,
  )
  for (let round = 1; round <= rounds; round += 1) {
    const afterwards = await moment({ load, url: victim.chooseUrl(), round, random })
    const startAgain = await victim.strike(round, load)
    const struck = performance.now()
    const { calls } = load
    await Promise.all([startAgain(), untilAnswered(load, calls)])
    longestMs = Math.max(longestMs, performance.now() - struck)
    await afterwards(victim.chooseUrl())
  }
  await untilCalled(load, random)
  isOver = true
  await pressed
  return longestMs
}

/** Every other round lasts until its worker is working. */
const untilPressed: Moment = async ({ load, round, random }) => {
  await untilCalled(load, random)
  if (round % 2 === 0) await isPredictedWithin(load, ROUND_MS_MAX)
  return async () => undefined
}

async function untilCalled(load: MixedLoad, random: () => number): Promise<void> {
  const wanted = load.calls + 5 + Math.floor(random() * ROUND_CALLS_MAX)
  const deadline = Date.now() + ROUND_MS_MAX
  while (load.calls < wanted && Date.now() < deadline) await sleep(5)
  await sleep(random() * MOMENT_MS_MAX)
}

/** Throws if nothing is predicted for this long. */
export async function untilPredicted(load: MixedLoad, ms: number): Promise<void> {
  if (!(await isPredictedWithin(load, ms))) throw new Error(`nothing was predicted for ${ms} ms`)
}

async function isPredictedWithin(load: MixedLoad, ms: number): Promise<boolean> {
  const before = load.predictions
  const deadline = Date.now() + ms
  while (load.predictions === before && Date.now() < deadline) await sleep(5)
  return load.predictions > before
}

async function untilAnswered(load: MixedLoad, calls: number): Promise<void> {
  const deadline = Date.now() + ANSWER_MS_MAX
  while (load.calls === calls) {
    if (Date.now() > deadline) throw new Error(`no call was answered for ${ANSWER_MS_MAX} ms`)
    await sleep(10)
  }
}

function findTooLittle(
  { rounds, answerMsMax = Infinity, mustRefuse = false }: Scenario,
  load: MixedLoad,
): string[] {
  return [
    ...(load.calls > rounds * 5 ? [] : ['too little happened']),
    // On a busy machine a prediction arrives after its response, as a task.
    ...(load.predictions + load.taskIds.length > 0 ? [] : ['nothing was predicted']),
    ...(load.longestMs < answerMsMax ? [] : [`a call took ${load.longestMs} ms`]),
    ...(mustRefuse && load.refusals === 0 ? ['nothing was refused'] : []),
  ]
}
