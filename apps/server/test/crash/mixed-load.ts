/**
 * Callers that mix all kinds of requests and record what was acknowledged: uploads, predictions, screens, measured
 * values, keys, deletions, downloads, and an administrator who sets one user's credits and toggles another user.
 */
import { readFileSync } from 'node:fs'
import type { Database } from '#server/platform/db/schema.ts'
import { Callers, type Excuses } from './callers.ts'
import { makeMolecules } from '#test/made-input.ts'
import { answerOf, asUser, signIn } from './spawned-server.ts'
import {
  administrator,
  asAdministrator,
  asOwner,
  type Owner,
  signInAdministrator,
} from './mixed-callers.ts'
import {
  type Acknowledged,
  findFaults,
  findFaultsInDatabase,
  type KnownScreen,
  type Others,
} from './mixed-faults.ts'

/** Settings of the product. */
export const mixedSettings = {
  ADMIN_EMAIL: administrator.email,
  ADMIN_PASSWORD: administrator.password,
  INITIAL_CREDITS: '1000000',
  LOG_LEVEL: 'warn',
  WORKERS: '1',
}

export const TARGET = 'protease'
/** Number of compounds, taken from the first alcohols. */
export const PREDICTED = 4000
/** These are never deleted, and are checked at the end. */
const UPLOADS_KEPT = 20
const KEYS_KEPT = 8
const MEASURED = 200
const PREDICTING = 3
const CANCELLED_SHARE = 0.3
const ASKED_AGAIN_SHARE = 0.3
const COMPOUNDS_A_SCREEN = 40
const structure = readFileSync(new URL('../../../../samples/1hpv.pdb', import.meta.url), 'utf8')

/** `loops`: all if undefined. */
export type LoadOptions = Excuses & { loops?: readonly Loop[] }

type Loop = (typeof singleCalls)[number] | 'screen' | 'turnKeys'

/** The loops that make one call per turn, so that the time of a turn is the response time. */
export const singleCalls = [
  'upload',
  'erase',
  'predict',
  'measure',
  'setCredits',
  'switch',
  'look',
  'download',
] as const

/** A user with targets and compounds, an administrator, and two users that the administrator changes. */
export async function openMixedLoad(
  url: string,
  random: () => number,
  options: LoadOptions = {},
): Promise<MixedLoad> {
  const session = await signIn(url, 'mixed@example.org')
  const [granted, switched] = ['granted@example.org', 'switched@example.org']
  const switchedSession = await signIn(url, switched)
  await signIn(url, granted)
  const owner = asUser(url, session)
  await owner.upload('protein_pdb', `${TARGET}.pdb`, structure)
  const { names } = await owner.upload('drug_smiles', 'known.txt', makeMolecules(0, PREDICTED))
  const token = await signInAdministrator(url)
  const admin = asAdministrator(url, token)
  const others = {
    token,
    grantedId: await admin.idOf(granted),
    switchedId: await admin.idOf(switched),
    switchedSession,
  }
  return new MixedLoad({ session, names, others, random, options })
}

type Opened = {
  session: string
  names: string[]
  others: Others
  random: () => number
  options: LoadOptions
}
type Order = { name: string; screen: KnownScreen }

export class MixedLoad extends Callers {
  readonly #opened: Opened
  readonly #done: Acknowledged = {
    target: TARGET,
    uploaded: [],
    deleted: [],
    predicted: new Map(),
    taskIds: [],
    screens: new Map(),
    measured: new Map(),
    keys: new Map(),
    revoked: [],
    doubted: new Set(),
    creditsAsked: [],
    creditsSet: [],
    isActive: [true],
  }
  /** Its start was cut off: it is repeated, as the documentation says. */
  #unanswered: Order | null = null
  #made = 0
  #predicted = 0
  #downloads = 0

  constructor(opened: Opened) {
    super(opened.options)
    this.#opened = opened
  }

  get session(): string {
    return this.#opened.session
  }

  /** How many returned a prediction. */
  get predictions(): number {
    return this.#done.predicted.size
  }

  get taskIds(): string[] {
    return this.#done.taskIds
  }

  /** All loops in parallel, each repeatedly. `choose` returns the address for the next request. */
  async press(choose: () => string, isOver: () => boolean): Promise<void> {
    const turns: Record<Loop, (url: string) => Promise<void>> = {
      upload: this.#upload,
      erase: this.#erase,
      screen: this.#screen,
      measure: this.#measure,
      turnKeys: this.#turnKeys,
      setCredits: this.#setCredits,
      switch: this.#switch,
      download: this.#download,
      look: this.#look,
      predict: this.#predict,
    }
    const { loops = Object.keys(turns) as Loop[] } = this.#opened.options
    const more = Array.from({ length: PREDICTING - 1 }, () => 'predict' as const)
    const pressed = [...loops, ...more].map((loop) => () => turns[loop](choose()))
    await this.repeat(pressed, isOver)
  }

  /** A screen whose pairs no other order contains. */
  watch(name: string, screen: KnownScreen): void {
    this.#done.screens.set(name, screen)
  }

  #upload = async (url: string): Promise<void> => {
    const name = `mixed-${this.#made++}`
    await asUser(url, this.session).upload('drug_smiles', `${name}.txt`, `CCO ${name}`)
    this.#done.uploaded.push(name)
  }

  #erase = async (url: string): Promise<void> => {
    const { uploaded, deleted } = this.#done
    if (uploaded.length < UPLOADS_KEPT) return this.#upload(url)
    const name = uploaded.shift() ?? ''
    await this.#at(url).erase(`/file_manager/compounds/${name}`)
    deleted.push(name)
  }

  #predict = async (url: string): Promise<void> => {
    const { session, names } = this.#opened
    const compound = names[this.#predicted++ % names.length] ?? ''
    const answer = await asUser(url, session).predict(TARGET, compound)
    if ('task_id' in answer) this.#done.taskIds.push(answer.task_id)
    else this.#done.predicted.set(compound, answer.predicted_kd)
  }

  #screen = async (url: string): Promise<void> => {
    const { name, screen } = (this.#unanswered ??= this.#nextOrder())
    const start = () => this.#at(url).startScreen(name, screen)
    const { id } = await start()
    this.#unanswered = null
    this.#done.screens.set(name, { ...screen, id })
    if (screen.isCancelled) await this.#at(url).erase(`/screens/${id}`)
    if (this.#opened.random() >= ASKED_AGAIN_SHARE) return
    if ((await start()).id !== id) this.faults.add(`${name}, asked for again, is another screen`)
  }

  #nextOrder(): Order {
    const { names, random } = this.#opened
    const from = Math.floor(random() * (names.length - COMPOUNDS_A_SCREEN))
    const compounds = names.slice(from, from + COMPOUNDS_A_SCREEN)
    const isCancelled = random() < CANCELLED_SHARE
    const screen = { targets: [TARGET], compounds, isCancelled, seen: new Map() }
    return { name: `screen-${this.#made++}`, screen }
  }

  #measure = async (url: string): Promise<void> => {
    const at = this.#made++
    const compound = this.#opened.names[at % MEASURED] ?? ''
    const value = (400 + (at % 500)) / 100
    const { measured } = this.#done
    measured.set(compound, [...(measured.get(compound) ?? [undefined]), value])
    await this.#at(url).measure(TARGET, compound, value)
    measured.set(compound, [value])
  }

  #turnKeys = async (url: string): Promise<void> => {
    const { keys, revoked, doubted } = this.#done
    const owner = this.#at(url)
    const name = `key ${this.#made++}`
    keys.set(name, await owner.makeKey(name))
    const found = new Map((await owner.keys()).map((key) => [key.name, key.id]))
    const toRevoke = [...keys.keys()].slice(0, -KEYS_KEPT)
    // Created, but the response was cut off: their secrets are unknown.
    const unknown = [...found.keys()].filter((one) => !keys.has(one))
    for (const one of [...toRevoke, ...unknown]) {
      const id = found.get(one)
      doubted.add(one)
      if (id !== undefined) await owner.erase(`/account/keys/${id}`)
      const key = keys.get(one)
      if (key !== undefined) revoked.push(key)
      keys.delete(one)
    }
  }

  /** Distinct amounts, so that each can be found in the ledger. */
  #setCredits = async (url: string): Promise<void> => {
    const credits = 1000 + this.#made++
    const { creditsAsked, creditsSet } = this.#done
    creditsAsked.push(credits)
    const { token, grantedId } = this.#opened.others
    await asAdministrator(url, token).setCredits(grantedId, credits)
    creditsSet.push(credits)
  }

  #switch = async (url: string): Promise<void> => {
    const { token, switchedId } = this.#opened.others
    const isActive = this.#made++ % 2 === 0
    this.#done.isActive.push(isActive)
    await asAdministrator(url, token).setActive(switchedId, isActive)
    this.#done.isActive = [isActive]
  }

  #look = async (url: string): Promise<void> => {
    const { get } = this.#at(url)
    await Promise.all([get('/healthz').then(answerOf), get('/dta/credits').then(answerOf)])
  }

  /** Downloads the whole account, the whole database and the newest screen in turn; a zip read to its end must be complete. */
  #download = async (url: string): Promise<void> => {
    const owner = this.#at(url)
    const id = [...this.#done.screens.values()].at(-1)?.id
    const files: [string, { download: Owner['download'] }][] = [
      ['/account/export', owner],
      ['/admin/database/export-all', asAdministrator(url, this.#opened.others.token)],
    ]
    if (id !== undefined) files.push([`/screens/${id}/results.xlsx`, owner])
    const [path, caller] = files[this.#downloads++ % files.length] ?? ['', owner]
    this.#expectZip(path, await caller.download(path))
  }

  #expectZip(path: string, bytes: Buffer): void {
    if (!bytes.subarray(-22).includes('PK\x05\x06')) this.faults.add(`${path} is no whole zip`)
  }

  /** Differences from everything that was acknowledged, and faults of every response. */
  async findFaults(url: string): Promise<string[]> {
    return [...this.faults, ...(await findFaults(url, this.#opened, this.#done))]
  }

  /** Differences after all work has ended. */
  findFaultsInDatabase(db: Database): Promise<string[]> {
    return findFaultsInDatabase(db, this.#opened.others, this.#done)
  }

  describe(): string {
    const { uploaded, deleted, predicted, taskIds, screens } = this.#done
    const { measured, keys, revoked, creditsSet } = this.#done
    const values = [...measured.values()].filter(([first]) => first !== undefined).length
    return (
      `${this.calls} calls acknowledged: ${uploaded.length + deleted.length} uploads and ${deleted.length} deletions, ` +
      `${predicted.size} predictions, ${taskIds.length} tasks, ${screens.size} screens, ${values} measured values, ` +
      `${keys.size + revoked.length} keys, ${revoked.length} of them revoked, ${creditsSet.length} balances set; ` +
      `${this.refusals} calls refused or cut off, the longest turn ${Math.round(this.longestMs)} ms`
    )
  }

  #at(url: string): Owner {
    return asOwner(url, this.session)
  }
}
