/** The four moments of a screen at which faults happen, in turn. */
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import { asOwner } from './mixed-callers.ts'
import { type KnownScreen, noteNumbers } from './mixed-faults.ts'
import { PREDICTED, TARGET } from './mixed-load.ts'
import { makeMolecules } from '#test/made-input.ts'
import type { Moment } from './scenario.ts'
import { asUser, Refused } from './spawned-server.ts'

/** Enough rows for two blocks. */
const COMPOUNDS = 270
const MOMENT_MS_MAX = 400
const LOOK_MS = 20
const SECOND = 'lysozyme'
const lysozyme = new URL(
  '../../../../packages/biochem/src/pdb/fixtures/structures/103l.pdb.gz',
  import.meta.url,
)

/** Compounds that no other order contains, so that the cost equals the number of pairs. */
export const atScreenMoment: Moment = async ({ load, url, round, random }) => {
  const user = asUser(url, load.session)
  if (round === 1) {
    await user.upload('protein_pdb', `${SECOND}.pdb`, gunzipSync(readFileSync(lysozyme)).toString())
  }
  const molecules = makeMolecules(PREDICTED + round * COMPOUNDS, COMPOUNDS)
  const { names } = await user.upload('drug_smiles', `alcohols-${round}.txt`, molecules)
  const name = `round-${round}`
  const screen: KnownScreen = {
    targets: [TARGET, SECOND],
    compounds: names,
    isCancelled: false,
    isNew: true,
    seen: new Map(),
  }
  const at = (now: string) => {
    const owner = asOwner(now, load.session)
    return {
      start: async () => void (screen.id = (await owner.startScreen(name, screen)).id),
      cancel: () => owner.erase(`/screens/${screen.id}`),
      note: () => noteNumbers(owner, screen),
      countDone: async () => (await owner.screens()).reduce((sum, { done }) => sum + done, 0),
    }
  }
  load.watch(name, screen)
  const pause = (share = 1) => sleep(random() * MOMENT_MS_MAX * share)
  const moment = moments[round % moments.length] ?? whileItRuns
  const { ended } = await moment(at(url), screen, pause)
  return async (now) => {
    await ended
    // A request without a response is repeated, as the documentation says.
    await at(now).start()
    if (screen.isCancelled) await at(now).cancel()
    await at(now).note()
  }
}

type Caller = {
  start(): Promise<void>
  cancel(): Promise<void>
  note(): Promise<void>
  countDone(): Promise<number>
}
type Pause = (share?: number) => Promise<unknown>

/** Resolves at the given moment, with the requests that the fault cuts off. */
type ScreenMoment = (
  caller: Caller,
  screen: KnownScreen,
  pause: Pause,
) => Promise<{ ended?: Promise<void> }>

/** The order is being sent. */
const asItStarts: ScreenMoment = async (caller, _screen, pause) => {
  const ended = unlessCutOff(caller.start())
  await Promise.race([ended, pause()])
  return { ended }
}

/** A block of this or an earlier screen has finished. */
const afterABlock: ScreenMoment = async (caller, _screen, pause) => {
  await caller.start()
  const before = await caller.countDone()
  while ((await caller.countDone()) === before) await sleep(LOOK_MS)
  await caller.note()
  await pause(0.1)
  return {}
}

/** It is being cancelled; the cancellation is repeated afterwards. */
const asItIsCancelled: ScreenMoment = async (caller, screen, pause) => {
  await caller.start()
  screen.isCancelled = true
  const ended = unlessCutOff(caller.cancel())
  await Promise.race([ended, pause(0.1)])
  return { ended }
}

const whileItRuns: ScreenMoment = async (caller, _screen, pause) => {
  await caller.start()
  await pause()
  return {}
}

const moments = [asItStarts, afterABlock, asItIsCancelled, whileItRuns]

/** A refusal is a fault; a missing response is expected here. */
async function unlessCutOff(call: Promise<unknown>): Promise<void> {
  await call.catch((error: unknown) => {
    if (error instanceof Refused) throw error
  })
}
