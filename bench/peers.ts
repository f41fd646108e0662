/** The product compared with minimal baselines: the model alone, a constant route, a file write, another network. */
import { spawn, spawnSync } from 'node:child_process'
import { open, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type ApiUser, signIn } from '../e2e/api-user.ts'
import { type Figure, medianMs, quantilesMs } from './figure.ts'
import {
  compound,
  onProduct,
  openBareModel,
  sample,
  sampleConstructs,
  sampleSegments,
} from './on-product.ts'

const PAIRS = 200
const CALLERS = 8
const READ_MS = 3000
const COMPOUNDS = 1000
const TARGETS = 10

export async function measurePeers(): Promise<Figure[]> {
  const bare = await measureBareCall()
  return onProduct({ INITIAL_CREDITS: '100000' }, async ({ url }) => {
    const user = await signIn(url, 'peers@example.org')
    return [
      ...(await measurePredictions(user, bare)),
      ...(await measureReads(url, user)),
      await measureUpload(user),
    ]
  })
}

type Quantiles = { p50: number; p99: number }

/** Each pair has a new compound on one cached target, as over HTTP. */
async function measureBareCall(): Promise<Quantiles> {
  const model = await openBareModel()
  const segments = sampleSegments()
  return quantilesMs(PAIRS, (round) => model.predict([{ segments, smiles: compound(round + 1) }]))
}

async function measurePredictions(user: ApiUser, bare: Quantiles): Promise<Figure[]> {
  const lines = Array.from({ length: PAIRS + 2 }, (_, at) => `${compound(at)} peer-${at}`)
  await user.upload({ name: 'hiv.pdb', type: 'protein_pdb', content: sample })
  await user.upload({ name: 'peers.txt', type: 'drug_smiles', content: lines.join('\n') })
  const { p50, p99 } = await quantilesMs(PAIRS, async (round) => {
    const body = { protein_id: 'hiv', compound_id: `peer-${round + 1}` }
    await expectOk(await user.post('/dta/predict', body))
  })
  const figure = (name: string, measured: number, of: number, more: number): Figure => ({
    name: `prediction over HTTP, ${name}`,
    measured,
    unit: 'ms',
    against: { name: `the bare model call plus ${more} ms`, value: of + more },
    isAim: true,
  })
  return [figure('median', p50, bare.p50, 8), figure('99th percentile', p99, bare.p99, 25)]
}

async function measureReads(url: string, user: ApiUser): Promise<Figure[]> {
  const figures: Figure[] = []
  const reads = {
    'read the credits': '/dta/credits',
    'list 202 compounds': '/dta/get_compound_names',
  }
  for (const [name, path] of Object.entries(reads)) {
    const answer = await (await user.get(path)).text()
    const constant = await startConstantRoute(answer)
    const ofConstant = await callsPerSecond(() => fetch(constant.url))
    constant.stop()
    figures.push({
      name,
      measured: await callsPerSecond(() => fetch(url + path, { headers: user.headers })),
      unit: 'calls/s',
      against: { name: 'half of a route that returns the same bytes', value: ofConstant / 2 },
      isFloor: true,
      isAim: true,
    })
  }
  return figures
}

async function measureUpload(user: ApiUser): Promise<Figure> {
  const folder = await mkdtemp(join(tmpdir(), 'pkdex-bench-upload-'))
  const written = await medianMs(9, async (round) => {
    const file = await open(join(folder, `${round}.pdb`), 'w')
    await file.writeFile(sample)
    await file.sync()
    await file.close()
  })
  await rm(folder, { recursive: true })
  const uploaded = await medianMs(9, async (round) =>
    expectOk(
      await user.upload({ name: `upload-${round}.pdb`, type: 'protein_pdb', content: sample }),
    ),
  )
  return {
    name: `upload a structure of ${Math.round(sample.length / 1000)} kB`,
    measured: uploaded,
    unit: 'ms',
    against: { name: 'write and sync the same bytes 20 times', value: 20 * written },
    isAim: true,
  }
}

/** Both on one core; ours includes all work for compounds and targets it has never seen. */
export async function measureDeepDta(python: string): Promise<Figure[]> {
  const script = fileURLToPath(new URL('deep_dta.py', import.meta.url))
  const { stdout, stderr, status } = spawnSync(python, [script], { encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
  const model = await openBareModel()
  const targets = sampleConstructs(TARGETS)
  const smiles = Array.from({ length: COMPOUNDS }, (_, at) => compound(at))
  const started = performance.now()
  await model.predict(
    targets.flatMap((segments) => smiles.map((one) => ({ segments, smiles: one }))),
  )
  const seconds = (performance.now() - started) / 1000
  return [
    {
      name: `${COMPOUNDS} compounds × ${TARGETS} targets, all new, one thread`,
      measured: (COMPOUNDS * TARGETS) / seconds,
      unit: 'pairs/s',
      against: {
        name: 'the DeepDTA network alone, one thread of PyTorch',
        value: Number(stdout.trim()),
      },
      isFloor: true,
    },
  ]
}

export async function expectOk(answer: Response): Promise<void> {
  if (!answer.ok) throw new Error(`${answer.status}: ${await answer.text()}`)
  await answer.arrayBuffer()
}

/** CALLERS concurrent callers, each of which sends its next request when it gets a response. */
async function callsPerSecond(call: () => Promise<Response>): Promise<number> {
  let calls = 0
  const until = performance.now() + READ_MS
  const ask = async () => {
    for (; performance.now() < until; calls++) await expectOk(await call())
  }
  await Promise.all(Array.from({ length: CALLERS }, ask))
  return (calls / READ_MS) * 1000
}

async function startConstantRoute(answer: string): Promise<{ url: string; stop: () => void }> {
  const script = fileURLToPath(new URL('constant-route.ts', import.meta.url))
  const child = spawn(process.execPath, [script, answer], { stdio: ['ignore', 'pipe', 'inherit'] })
  for await (const piece of child.stdout) {
    const [, url] = /ready at (http\S+)/.exec(String(piece)) ?? []
    if (url !== undefined) return { url, stop: () => void child.kill() }
  }
  throw new Error('the constant route has not started')
}
