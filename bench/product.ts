/** The whole product in its own process: start time, response time and memory. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ApiUser, signIn } from '../e2e/api-user.ts'
import { openFirstPage } from '../e2e/slow-line.ts'
import { startProduct } from '../e2e/start-product.ts'
import { type Figure, limited, medianMs } from './figure.ts'
import { onProduct } from './on-product.ts'

const samples = new URL('../samples/', import.meta.url)

export async function measureProduct(): Promise<Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'pkdex-bench-'))
  const settings = { DATA_DIR: folder, LOG_LEVEL: 'warn' }
  const first = await startProduct(settings)
  await first.stop()
  const secondStart = await measureStart(settings)
  const product = await startProduct(settings)
  const idle = await residentMegabytes(product.pid)
  const user = await signIn(product.url, 'bench@example.org')
  const answers = await measureAnswers(user)
  const busy = await residentMegabytes(product.pid)
  await product.stop()
  await rm(folder, { recursive: true, force: true })
  return [
    limited('second npm start until ready', secondStart, 's', 5),
    ...answers,
    ...[
      { ...limited('memory after start', idle, 'MB', 280), isAim: true },
      limited('memory after 26 predictions', busy, 'MB', 1536),
    ].filter(({ measured }) => !Number.isNaN(measured)),
  ]
}

/** In seconds, including the checks of dependencies and build, but not npm itself. */
async function measureStart(settings: Record<string, string>): Promise<number> {
  const npmStart: [string, string] = [process.execPath, 'tools/start.mjs']
  // Compiles the program, as the first start did.
  await (await startProduct(settings, npmStart)).stop()
  const started = performance.now()
  const product = await startProduct(settings, npmStart)
  const seconds = (performance.now() - started) / 1000
  await product.stop()
  return seconds
}

async function measureAnswers(user: ApiUser): Promise<Figure[]> {
  const structure = await readFile(new URL('1hpv.pdb', samples))
  const compounds = Array.from(
    { length: 60 },
    (_, index) => `${'C'.repeat(index + 2)}O alcohol-${index}`,
  )
  await user.upload({ name: 'hiv.pdb', type: 'protein_pdb', content: structure })
  await user.upload({ name: 'alcohols.txt', type: 'drug_smiles', content: compounds.join('\n') })
  const ask = async (index: number) => {
    const body = { protein_id: 'hiv', compound_id: `alcohol-${index}` }
    const answer = await user.post('/dta/predict', body)
    if (!answer.ok) throw new Error(`${answer.status}: ${await answer.text()}`)
    await answer.arrayBuffer()
  }
  const anew = await medianMs(25, (round) => ask(round + 1))
  const again = await medianMs(25, () => ask(3))
  return [
    limited('prediction over HTTP, end to end', anew, 'ms', 900),
    {
      name: 'the same pair again',
      measured: again,
      unit: 'ms',
      against: { name: 'a new pair', value: anew },
    },
  ]
}

/** Linux only; skipped elsewhere. */
async function residentMegabytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN) / 1024
}

/** First visit over a slow network (400 kbit/s, 400 ms): first paint, and a usable sign-in button. */
export async function measureFirstPage(): Promise<Figure[]> {
  return onProduct({}, async (product) => {
    const { firstPaintMs, signInMs, scriptBytes } = await openFirstPage(product.url)
    const slow = 'slow network (400 kbit/s, 400 ms)'
    const slowMachine = await openFirstPage(product.url, { cpuSlowdown: 4 })
    const signInS = slowMachine.signInMs / 1000
    const onSlowMachine = limited('4× slower CPU: sign-in button', signInS, 's', 1)
    return [
      limited(`${slow}: first paint`, firstPaintMs / 1000, 's', 1.5),
      limited(`${slow}: sign-in button`, signInMs / 1000, 's', 5),
      limited(`${slow}: JavaScript on the wire until then`, scriptBytes / 1000, 'kB', 118),
      { ...onSlowMachine, isAim: true },
    ]
  })
}
