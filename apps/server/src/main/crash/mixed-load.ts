/**
 * Callers who do everything at once, note what was acknowledged, and afterwards look for it: uploads, predictions,
 * screens, keys, deletions, and an administrator who sets credits.
 */
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeMolecules } from '#server/predictions/crash/made-input.ts'
import { asUser, Refused, signIn } from '#server/predictions/crash/spawned-server.ts'
import {
  type Acknowledged,
  administrator,
  asAdministrator,
  type Caller,
  callsOf,
  findLosses,
  GRANTED,
  signInAdministrator,
  TARGET,
  USER,
} from './mixed-losses.ts'

/** What the product is started with. */
export const mixedSettings = {
  ADMIN_EMAIL: administrator.email,
  ADMIN_PASSWORD: administrator.password,
  INITIAL_CREDITS: '1000000',
  LOG_LEVEL: 'warn',
  WORKERS: '1',
}

const PREDICTED = 4000
/** Some stay to the end, to be looked for. */
const UPLOADS_KEPT = 20
const KEYS_KEPT = 8
const PREDICTING = 3
const CANCELLED_SHARE = 0.3
const PAUSE_MS = 20
const COMPOUNDS_A_SCREEN = 40
const structure = readFileSync(new URL('../../../../../samples/1hpv.pdb', import.meta.url), 'utf8')

/** A user with things to ask for, and an administrator who sets another user's credits. */
export async function openMixedLoad(url: string, random: () => number): Promise<MixedLoad> {
  const session = await signIn(url, USER)
  await signIn(url, GRANTED)
  const owner = asUser(url, session)
  await owner.upload('protein_pdb', `${TARGET}.pdb`, structure)
  const { names } = await owner.upload('drug_smiles', 'known.txt', makeMolecules(0, PREDICTED))
  const token = await signInAdministrator(url)
  const grantedId = await asAdministrator(url, token).idOf(GRANTED)
  return new MixedLoad({ session, token, names, grantedId, random })
}

type Opened = {
  session: string
  /** The administrator's. */
  token: string
  names: string[]
  grantedId: string
  random: () => number
}

export class MixedLoad {
  /** How many were acknowledged. */
  calls = 0
  readonly #opened: Opened
  readonly #done: Acknowledged = {
    uploaded: [],
    deleted: [],
    doubted: new Set(),
    predicted: new Map(),
    tasks: [],
    screens: new Map(),
    keys: [],
    revoked: [],
    credits: [],
  }
  #made = 0
  #predicted = 0

  constructor(opened: Opened) {
    this.#opened = opened
  }

  /** All turns at once, each again and again. `choose`: where the next call goes. */
  async press(choose: () => string, isOver: () => boolean): Promise<void> {
    const turns = [this.#upload, this.#erase, this.#screen, this.#turnKeys, this.#setCredits]
    const callers = [...turns, ...Array.from({ length: PREDICTING }, () => this.#predict)]
    await Promise.all(callers.map((turn) => this.#pressOne(turn, choose, isOver)))
  }

  async #pressOne(
    turn: (url: string) => Promise<void>,
    choose: () => string,
    isOver: () => boolean,
  ): Promise<void> {
    while (!isOver()) {
      try {
        await turn(choose())
        this.calls += 1
      } catch (error) {
        // Being told to wait is an answer; any other refusal is a fault of the product.
        if (error instanceof Refused && !/answered 503/.test(error.message)) throw error
      }
      await sleep(PAUSE_MS)
    }
  }

  #upload = async (url: string): Promise<void> => {
    const name = `mixed-${this.#made++}`
    await asUser(url, this.#opened.session).upload('drug_smiles', `${name}.txt`, `CCO ${name}`)
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
    if ('task_id' in answer) this.#done.tasks.push(answer.task_id)
    else this.#done.predicted.set(compound, answer.predicted_kd)
  }

  #screen = async (url: string): Promise<void> => {
    const { names, random } = this.#opened
    const name = `screen-${this.#made++}`
    const from = Math.floor(random() * (names.length - COMPOUNDS_A_SCREEN))
    const compounds = names.slice(from, from + COMPOUNDS_A_SCREEN)
    const { id } = await this.#at(url).startScreen(name, { targets: [TARGET], compounds })
    const isCancelled = random() < CANCELLED_SHARE
    this.#done.screens.set(name, { id, compounds, isCancelled })
    if (isCancelled) await this.#at(url).erase(`/screens/${id}`)
  }

  #turnKeys = async (url: string): Promise<void> => {
    const { keys, revoked, doubted } = this.#done
    const found = await this.#at(url).keys()
    // Made, and the answer cut off: nobody has them.
    const unknown = found.filter(({ prefix }) => !keys.some((key) => key.startsWith(prefix)))
    for (const { id } of unknown) await this.#at(url).erase(`/account/keys/${id}`)
    const { key } = await this.#at(url).makeKey(`key ${this.#made++}`)
    keys.push(key)
    if (keys.length < KEYS_KEPT) return
    const doomed = keys[0] ?? ''
    const id = found.find(({ prefix }) => doomed.startsWith(prefix))?.id
    doubted.add(doomed)
    if (id !== undefined) await this.#at(url).erase(`/account/keys/${id}`)
    keys.shift()
    revoked.push(doomed)
  }

  #setCredits = async (url: string): Promise<void> => {
    const credits = 1000 + this.#made++
    this.#done.credits.push(credits)
    const { token, grantedId } = this.#opened
    await asAdministrator(url, token).setCredits(grantedId, credits)
    this.#done.credits = [credits]
  }

  findLosses(url: string): Promise<string[]> {
    return findLosses(url, this.#opened.session, this.#done)
  }

  describe(): string {
    const { uploaded, deleted, predicted, tasks, screens, keys, revoked } = this.#done
    return (
      `${this.calls} calls acknowledged: ${uploaded.length + deleted.length} uploads and ${deleted.length} deletions, ` +
      `${predicted.size} predictions, ${tasks.length} tasks, ${screens.size} screens, ` +
      `${keys.length + revoked.length} keys, ${revoked.length} of them revoked`
    )
  }

  #at(url: string): Caller {
    return callsOf(url, this.#opened.session)
  }
}
