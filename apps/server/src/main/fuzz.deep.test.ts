/**
 * Sends generated requests and corrupted files: none may cause a server error or remain unanswered. PKDEX_FUZZ_CALLS
 * and PKDEX_FUZZ_FILES (of each kind) set their numbers, and PKDEX_FUZZ_SEED repeats a run.
 */
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import { SHARED_SCREEN_HEADER } from '@pkdex/contract'
import { afterAll, expect, test } from 'vitest'
import { openTestAdministrator, openTestSession } from '#test/factories.ts'
import { generateCall, openRandom, readDocument, type Random } from './fixtures/generate-calls.ts'
import { mutateText } from './fixtures/mutate-text.ts'
import { openTestProduct } from '#test/open-test-product.ts'

const CALLS = Number(process.env.PKDEX_FUZZ_CALLS ?? 400)
const FILES = Number(process.env.PKDEX_FUZZ_FILES ?? 60)
const SEED = Number(process.env.PKDEX_FUZZ_SEED ?? 20_261_122)
/** Maximum response time; the short run also has to pass on busy machines. */
const HANG_MS = CALLS > 1000 ? 3000 : 30_000
/** An export takes longer the more data there is. */
const EXPORT_MS = 30_000
/** Maximum time of 99% of another user's requests; the short run also has to pass on busy machines. */
const OTHERS_MS = CALLS > 1000 ? 200 : 5000
const OTHERS_PAUSE_MS = 20
/** A new user is created after this many files, because storage per user is limited. */
const FILES_OF_A_USER = 200

const t = await openTestProduct()
afterAll(() => t.close())

test(
  `${CALLS} generated requests: no server error, every response within ${HANG_MS / 1000} s`,
  { timeout: 3_600_000 },
  async () => {
    const random = openRandom(SEED)
    const document = readDocument((await t.app.inject({ url: '/openapi.json' })).body)
    let everybody = await openEverybody()
    const watch = openWatch()
    for (let round = 0; round < CALLS; round++) {
      const call = generateCall(document, random, everybody.known)
      const isEverybody = random.next() < 0.8
      // Viewers often name the screen that is shared with them.
      const others = random.next() < 0.5 ? everybody.viewers : everybody.less
      const credentials = isEverybody ? everybody.headers : random.pick(others)
      const headers = { ...credentials, ...call.headers }
      const what = `${call.method} ${call.url.slice(0, 200)} ${call.payload?.slice(0, 300) ?? ''}`
      const request = { ...call, headers, method: call.method as 'GET' }
      const isStream = call.method === 'GET' && /^\/screens\/[^/]+\/events/.test(call.url)
      const status = await watch.note(what, () =>
        isStream ? peek(request) : t.app.inject(request),
      )
      // Some requests sign out, deactivate or delete their caller.
      if (status === 401 && isEverybody) everybody = await openEverybody()
    }
    expect(watch.report(`${CALLS} generated calls, seed ${SEED}`)).toEqual([])
  },
)

test(
  `${FILES} corrupted structures and ${FILES} corrupted compound files: no server error, every response within ${HANG_MS / 1000} s`,
  { timeout: 3_600_000 },
  async () => {
    const random = openRandom(SEED)
    const structure = await readSample()
    const compounds =
      'CC(=O)Oc1ccccc1C(=O)O aspirin\nCn1cnc2c1c(=O)n(C)c(=O)n2C\n[Na+].[O-]C(=O)C[C@H](N)C\tsalt\nC1CC1/C=C/C#N'
    const watch = openWatch()
    const other = callAsSomebodyElse()
    let session = await openTestSession(t.db, { now: t.clock.now() })
    for (let round = 0; round < FILES; round++) {
      if (round % FILES_OF_A_USER === 0) {
        session = await openTestSession(t.db, { now: t.clock.now() })
      }
      const send = (type: 'protein_pdb' | 'drug_smiles', name: string, text: string) =>
        watch.note(`${name} of round ${round}`, () => t.upload(session.headers, type, name, text))
      await send('protein_pdb', 'spoilt.pdb', mutateText(partOf(structure, random), random))
      await send('drug_smiles', 'spoilt.txt', mutateText(compounds, random))
      if (round % 20 > 0) continue
      const list = { url: '/dta/get_protein_names', headers: session.headers }
      await watch.note('list', () => t.app.inject(list))
    }
    const beside = await other.end()
    expect(watch.report(`${2 * FILES} spoilt files, seed ${SEED}`)).toEqual([])
    expect(beside.report('calls of another user beside corrupted files')).toEqual([])
    expect(Object.keys(beside.statuses)).toEqual(['200'])
    expect(beside.at(0.99)).toBeLessThan(OTHERS_MS)
  },
)

/** An event stream stays open until its reader leaves. */
async function peek(request: InjectOptions): Promise<LightMyRequestResponse> {
  const answer = await t.app.inject({ ...request, payloadAsStream: true })
  answer.stream().destroy()
  return answer
}

/** A user with data, an administrator, and the credentials of both; and two viewers, by email and by link. */
async function openEverybody() {
  const user = await openTestSession(t.db, { now: t.clock.now() })
  const administrator = await openTestAdministrator(t.db, t.clock.now())
  await t.upload(user.headers, 'protein_pdb', 'mine.pdb', await readSample())
  await t.upload(user.headers, 'drug_smiles', 'mine.txt', 'CCO ethanol\nCC(=O)O acid')
  const post = (url: string, payload: object) =>
    t.app.inject({ method: 'POST', url, headers: user.headers, payload })
  const screen = { targets: ['mine'], compounds: ['ethanol'] }
  const [{ id }, { id: linked }] = [
    (await post('/screens', screen)).json(),
    (await post('/screens', screen)).json(),
  ]
  const viewer = await openTestSession(t.db, { now: t.clock.now() })
  const { shares } = (await post(`/screens/${id}/shares`, { email: viewer.email })).json()
  await post(`/screens/${linked}/shares`, { email: null })
  const through = (screenId: string) => ({
    ...viewer.headers,
    [SHARED_SCREEN_HEADER.toLowerCase()]: screenId,
  })
  return {
    viewers: [viewer.headers, through(id), through(linked)],
    known: [
      id,
      linked,
      shares[0].id,
      'mine',
      'ethanol',
      'acid',
      'all',
      user.userId,
      user.email,
      'users',
      '1',
      'A',
    ],
    headers: { ...user.headers, ...administrator.headers },
    less: [user.headers, administrator.headers, {}],
  }
}

/** Requests credits and a list in turn until the end of the test. */
function callAsSomebodyElse() {
  const watch = openWatch()
  const isOver = new AbortController()
  const calling = (async () => {
    const { headers } = await openTestSession(t.db, { now: t.clock.now() })
    await t.upload(headers, 'drug_smiles', 'mine.txt', 'CCO ethanol\nCC(=O)O acid')
    while (!isOver.signal.aborted) {
      for (const url of ['/dta/credits', '/dta/get_compound_names']) {
        await watch.note(url, () => t.app.inject({ url, headers }))
        await sleep(OTHERS_PAUSE_MS)
      }
    }
  })()
  return {
    async end() {
      isOver.abort()
      await calling
      return watch
    },
  }
}

/** Records failures, and how long each response took. */
function openWatch() {
  const wrong: string[] = []
  const times: number[] = []
  const statuses: Record<number, number> = {}
  /** The time within which this share of requests was answered, in milliseconds. */
  const at = (share: number) =>
    times.toSorted((a, b) => a - b)[Math.floor(share * (times.length - 1))] ?? 0
  return {
    statuses,
    at,
    async note(what: string, call: () => Promise<LightMyRequestResponse>): Promise<number | null> {
      const started = performance.now()
      const { promise: late, resolve } = Promise.withResolvers<null>()
      const timer = setTimeout(resolve, what.includes('/export') ? EXPORT_MS : HANG_MS, null)
      const answer = await Promise.race([call(), late]).finally(() => clearTimeout(timer))
      times.push(performance.now() - started)
      if (answer === null) wrong.push(`no answer: ${what}`)
      else {
        statuses[answer.statusCode] = (statuses[answer.statusCode] ?? 0) + 1
        if (answer.statusCode >= 500) wrong.push(`${answer.statusCode}: ${what}`)
      }
      return answer?.statusCode ?? null
    },
    report(name: string): string[] {
      const [p50, p99, longest] = [0.5, 0.99, 1].map((share) => Math.round(at(share)))
      console.log(
        `measured: ${name}: answers ${JSON.stringify(statuses)}, p50 ${p50} ms, p99 ${p99} ms, longest ${longest} ms, ${wrong.length} wrong`,
      )
      return wrong
    },
  }
}

async function readSample(): Promise<string> {
  return readFile(new URL('../../../../samples/1hpv.pdb', import.meta.url), 'utf8')
}

/** A few hundred consecutive lines, usually with the header. */
function partOf(text: string, random: Random): string {
  const lines = text.split('\n')
  const start = Math.floor(random.next() * lines.length)
  return [
    ...lines.slice(0, Math.floor(random.next() * 40)),
    ...lines.slice(start, start + 400),
  ].join('\n')
}
