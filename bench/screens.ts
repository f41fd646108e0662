/**
 * Screens of the whole product, embedded and on PostgreSQL: time from start to last cell, the same when repeated, memory,
 * growth of the database, and single predictions during a large screen. Compounds and structures come from the folder
 * PKDEX_SHARED; PKDEX_TEST_DATABASE_URL names the server on which a database is created.
 */
import { randomUUID } from 'node:crypto'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { readStructure } from '@pkdex/biochem'
// oxlint-disable-next-line no-restricted-imports -- no endpoint creates a database or returns its size
import { openServer } from '../apps/server/src/platform/db/open.ts'
// oxlint-disable-next-line no-restricted-imports -- as above
import { openLog } from '../apps/server/src/platform/log.ts'
import { type ApiUser, signIn } from '../e2e/api-user.ts'
import type { Product } from '../e2e/start-product.ts'
import { type Figure, limited, medianMs } from './figure.ts'
import { onProduct } from './on-product.ts'
import { answerOf, LOOK_MS, runScreen, startScreen } from './run-screen.ts'
import { readSharedSmiles } from './shared-compounds.ts'

const COMPOUNDS = 10_000
export const TARGETS = 10
const TARGETS_OF_LARGE = 20
/** Upload limit. */
const COMPOUNDS_A_FILE = 5000
/** Larger structures take long to read, which is measured elsewhere. */
const STRUCTURE_BYTES_MAX = 500_000
const SINGLE_PREDICTIONS = 200
const settings = { INITIAL_CREDITS: '1000000' }

type Input = { compounds: string[]; structures: { name: string; content: Buffer<ArrayBuffer> }[] }

export async function measureScreens(shared: string): Promise<Figure[]> {
  const { PKDEX_TEST_DATABASE_URL: server } = process.env
  const input = await readInput(shared)
  const figures = await onProduct(settings, async (product) => [
    ...(await measureTwice(product, input, 'embedded')),
    ...(await measurePeak(product.pid)),
  ])
  figures.push(...(await onProduct(settings, (product) => measureSingles(product, input))))
  return server === undefined ? figures : [...figures, ...(await measureOnServer(server, input))]
}

export async function readInput(shared: string): Promise<Input> {
  const smiles = readSharedSmiles(shared).slice(0, COMPOUNDS)
  const compounds = smiles.map((one, at) => `${one} bench-${at}`)
  const folder = join(shared, 'structures')
  const structures: Input['structures'] = []
  for (const name of (await readdir(folder)).toSorted()) {
    const isSmall = (await stat(join(folder, name))).size < STRUCTURE_BYTES_MAX
    if (!name.endsWith('.pdb') || !isSmall) continue
    const content = Buffer.from(await readFile(join(folder, name)))
    // Some files in the folder are invalid on purpose.
    if (readStructure(content.toString()).ok) structures.push({ name, content })
  }
  return { compounds, structures }
}

/** A user with all compounds and this many targets; returns the targets' names. */
async function openUser(url: string, email: string, input: Input, count: number) {
  const user = await signIn(url, email)
  for (let from = 0; from < input.compounds.length; from += COMPOUNDS_A_FILE) {
    const content = input.compounds.slice(from, from + COMPOUNDS_A_FILE).join('\n')
    await answerOf(await user.upload({ name: `${from}.txt`, type: 'drug_smiles', content }))
  }
  let targets: string[] = []
  for (const structure of input.structures) {
    await user.upload({ ...structure, type: 'protein_pdb' })
    const answer = await answerOf(await user.get('/dta/get_protein_names'))
    targets = answer['protein_names'] as string[]
    if (targets.length < count) continue
    await untilDescribed(user, targets)
    return { user, targets }
  }
  throw new Error(`There are ${targets.length} structures, and ${count} are needed.`)
}

/**
 * Until the compounds have properties. An upload computes those of its last compounds in the background, which would
 * take time and space during the screen; each estimate waits for some of them.
 */
async function untilDescribed(user: ApiUser, targets: string[]): Promise<void> {
  for (let left = Infinity; left > 0;) {
    const quote = await answerOf(user.post('/screens/quote', { targets, compounds: 'all' }))
    const { unchecked } = quote['flagged'] as { unchecked: number }
    // A compound that cannot be described stays unchecked.
    if (unchecked === left) return
    left = unchecked
  }
}

async function measureTwice({ url }: Product, input: Input, where: string): Promise<Figure[]> {
  const { user, targets } = await openUser(url, 'bench@example.org', input, TARGETS)
  const first = await screenSeconds(user, targets)
  const again = await screenSeconds(user, targets)
  const what = `screen ${COMPOUNDS.toLocaleString('en')} × ${TARGETS}, ${where}`
  return [
    limited(`${what}: new compounds`, first, 's', where === 'embedded' ? 23 : 60),
    limited(`${what}: repeated`, again, 's', 10),
    ...(await measurePages(user, where)),
  ]
}

/** With the web page's sorting, and with filters on predictions and domain. */
async function measurePages(user: ApiUser, where: string): Promise<Figure[]> {
  const { screens } = await answerOf(await user.get('/screens'))
  const [{ id }] = screens as [{ id: string }]
  const queries = {
    'by affinity': 'sort=affinity&page_size=50',
    'filtered by number and domain': 'sort=affinity&page_size=50&min=5&max=9&domain_state=outside',
  }
  const figures: Figure[] = []
  for (const [name, query] of Object.entries(queries)) {
    const read = async () => answerOf(await user.get(`/screens/${id}/results?${query}`))
    const pairs = (COMPOUNDS * TARGETS).toLocaleString('en')
    const title = `a page of ${pairs} pairs, ${where}: ${name}`
    figures.push(limited(title, await medianMs(15, read), 'ms', 30))
  }
  return figures
}

async function screenSeconds(user: ApiUser, targets: string[]): Promise<number> {
  const started = performance.now()
  await runScreen(user, targets)
  return (performance.now() - started) / 1000
}

/** Pairs of another user, one after the other, each new. */
async function measureSingles({ url }: Product, input: Input): Promise<Figure[]> {
  const busy = await openUser(url, 'busy@example.org', input, TARGETS_OF_LARGE)
  const own = { ...input, compounds: input.compounds.slice(0, SINGLE_PREDICTIONS) }
  const single = await openUser(url, 'single@example.org', own, 1)
  const listed = await answerOf(await single.user.get('/dta/get_compound_names'))
  const id = await startScreen(busy.user, busy.targets)
  const statusOf = async () => (await answerOf(await busy.user.get(`/screens/${id}`)))['status']
  // The screen is queued until its first block has finished.
  while ((await statusOf()) === 'QUEUED') await delay(LOOK_MS)
  const times: number[] = []
  for (const name of listed['compound_names'] as string[]) {
    const body = { protein_id: single.targets[0], compound_id: name }
    const started = performance.now()
    await predictToTheEnd(single.user, body)
    times.push(performance.now() - started)
  }
  if ((await statusOf()) !== 'RUNNING') {
    throw new Error('The large screen did not run beside all predictions.')
  }
  const sorted = times.toSorted((a, b) => a - b)
  const slowest = sorted[Math.floor(0.99 * (sorted.length - 1))] ?? Number.NaN
  const pairs = (COMPOUNDS * TARGETS_OF_LARGE).toLocaleString('en')
  const name = `single prediction during a screen of ${pairs} pairs, 99th percentile`
  return [limited(name, slowest, 'ms', 115)]
}

/** A prediction that outlasts its request is polled. */
async function predictToTheEnd(user: ApiUser, body: Record<string, unknown>): Promise<void> {
  const { task_id: task } = await answerOf(await user.post('/dta/predict', body))
  if (typeof task !== 'string') return
  for (;;) {
    const { result, status } = await answerOf(await user.get(`/dta/predict/${task}`))
    if (result !== undefined && result !== null) return
    if (status === 'FAILED') throw new Error('A single prediction failed.')
    await delay(LOOK_MS / 10)
  }
}

function measureOnServer(server: string, input: Input): Promise<Figure[]> {
  return onOwnDatabase(server, (url, bytes) =>
    onProduct({ ...settings, DATABASE_URL: url }, async (product) => {
      const twice = measureTwice(product, input, 'on PostgreSQL')
      return [...(await twice), await measureGrowth(product, input, bytes)]
    }),
  )
}

/** The benchmark's own database, dropped even after a failure. */
export async function onOwnDatabase(
  server: string,
  measure: (url: string, bytes: () => Promise<number>) => Promise<Figure[]>,
): Promise<Figure[]> {
  const name = `pkdex_bench_${randomUUID().replaceAll('-', '')}`
  const database = openServer(server, openLog('warn'))
  const client = await database.pool.connect()
  const bytes = async () => {
    const { rows } = await client.query(`select pg_database_size('${name}') as bytes`)
    return Number(rows[0]?.bytes)
  }
  await client.query(`create database ${name}`)
  try {
    const url = new URL(server)
    url.pathname = `/${name}`
    return await measure(url.href, bytes)
  } finally {
    await client.query(`drop database if exists ${name} with (force)`)
    client.release()
    await database.close()
  }
}

/** Measured during another user's screen, with compounds uploaded before. */
async function measureGrowth(
  { url }: Product,
  input: Input,
  bytes: () => Promise<number>,
): Promise<Figure> {
  const { user, targets } = await openUser(url, 'growth@example.org', input, TARGETS)
  const before = await bytes()
  await screenSeconds(user, targets)
  const grown = (await bytes()) - before
  const name = 'database growth per pair of a screen'
  return limited(name, grown / (input.compounds.length * TARGETS), 'bytes', 200)
}

/** Linux only; skipped elsewhere. */
async function measurePeak(pid: number): Promise<Figure[]> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  const kilobytes = /VmHWM:\s+(\d+)/.exec(status)?.[1]
  if (kilobytes === undefined) return []
  return [limited('peak memory with two screens', Number(kilobytes) / 1024, 'MB', 1250)]
}
