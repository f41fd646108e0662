/** How a heavy user affects others: response times of another user alone, and under each kind of load. */
import { afterAll, expect, test } from 'vitest'
import type { ApiUser } from '../e2e/api-user.ts'
import { startProduct } from '../e2e/start-product.ts'
import { at, type Load, openLoadUser, pressOn } from './load.ts'

const SECONDS = Number(process.env['PKDEX_LOAD_SECONDS'] ?? 20)
const COMPOUNDS = 4000
/** Maximum for 99 of 100 requests of the other user, whatever the heavy user does. */
const P99_MS_MAX: Record<string, number> = { read: 2000, prediction: 3000, upload: 2000 }

const product = await startProduct({ LOG_LEVEL: 'fatal', INITIAL_CREDITS: '10000000' })
const greedy = await openLoadUser(product.url, 'greedy@example.org', COMPOUNDS)
const other = await openLoadUser(product.url, 'other@example.org', COMPOUNDS)
afterAll(() => product.stop())

type Call = (round: number) => Promise<Response>

const predict =
  (user: () => ApiUser): Call =>
  (round) =>
    user().post('/dta/predict', { protein_id: 'hiv', compound_id: `alcohol-${round % COMPOUNDS}` })

let files = 0
const upload = (user: ApiUser, lines: number) => {
  const file = files++
  const content = Array.from({ length: lines }, (_, line) => `${'C'.repeat(1 + (line % 40))}O`)
  const named = content.map((smiles, line) => `${smiles} of-${file}-${line}`).join('\n')
  return user.upload({ name: `${file}.txt`, type: 'drug_smiles', content: named })
}

/** Small requests, as from a page; each prediction is a new pair. */
let predicted = 0
const small: Record<string, Call> = {
  read: () => other.get('/dta/credits'),
  prediction: () => predict(() => other)(predicted++),
  upload: () => upload(other, 1),
}

const loads: [name: string, callers: number, call: Call][] = [
  ['predictions', 50, predict(() => greedy)],
  ['uploads of 1,000 molecules', 50, () => upload(greedy, 1000)],
  ['exports of an account', 50, () => greedy.get('/account/export')],
  [
    'screens of 4,000 pairs',
    20,
    () => greedy.post('/screens', { targets: ['hiv'], compounds: 'all' }),
  ],
  ['lists of compounds', 200, () => greedy.get('/dta/get_compound_names')],
]

test('all requests of a user alone succeed', async () => {
  const alone = await callAll(AbortSignal.timeout((SECONDS * 1000) / 2))
  report('nobody', null, alone)
  expect(kindsOf(alone)).toEqual(['200'])
})

test.each(loads)(
  '99 of 100 requests are answered in time while another user floods the server with %s',
  async (name, callers, call) => {
    const over = new AbortController()
    const pressing = pressOn(callers, call, over.signal)
    const beside = await callAll(AbortSignal.timeout(SECONDS * 1000))
    over.abort()
    report(`${callers} callers with ${name}`, await pressing, beside)
    // Never 429 or 503: one user's requests must not use up shared limits.
    expect(kindsOf(beside)).toEqual(['200'])
    for (const [kind, load] of Object.entries(beside)) {
      expect(load.milliseconds.length, `${kind}: calls`).toBeGreaterThan(3)
      expect(at(load, 0.99), `${kind}: p99`).toBeLessThan(P99_MS_MAX[kind] ?? 0)
    }
  },
)

function kindsOf(loads: Record<string, Load>): string[] {
  return [...new Set(Object.values(loads).flatMap(({ answers }) => Object.keys(answers)))]
}

async function callAll(signal: AbortSignal): Promise<Record<string, Load>> {
  const entries = Object.entries(small).map(
    async ([name, call]) => [name, await pressOn(1, call, signal)] as const,
  )
  return Object.fromEntries(await Promise.all(entries))
}

function report(beside: string, pressed: Load | null, loads: Record<string, Load>): void {
  const words = Object.entries(loads).map(
    ([name, load]) =>
      `${name} p50 ${at(load, 0.5)} ms, p99 ${at(load, 0.99)} ms ${JSON.stringify(load.answers)}`,
  )
  const pressing = pressed === null ? '' : ` (${JSON.stringify(pressed.answers)})`
  console.log(`measured: another user beside ${beside}${pressing}: ${words.join('; ')}`)
}
