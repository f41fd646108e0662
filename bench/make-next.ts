/**
 * Response times of the series pages over HTTP, from the whole product: what to make next, another tool's score, new
 * molecules, and a profile. The published BACE1 inhibitors, 20 of them measured, are screened with compounds of the
 * general table, as many as the suggestions can rank.
 */
import {
  chooseScore,
  enumerateSeries,
  judgeScore,
  NEXT_CANDIDATES_MAX,
  readScreenResults,
  suggestNext,
} from '@pkdex/contract'
import { type ApiUser, signIn } from '../e2e/api-user.ts'
import { readTargetSeries, type PublishedCompound, uploadStructure } from '../e2e/sample-series.ts'
import { type Figure, limited, medianMs } from './figure.ts'
import { onProduct } from './on-product.ts'
import { answerOf, runScreen } from './run-screen.ts'
import { readSharedSmiles } from './shared-compounds.ts'

const TARGET = 'BACE1'
const SYSTEM = 'ChEMBL_BACE1_CHEMBL1109071'
const MEASURED = 20
const ROUNDS = 5
const PROFILE = 'pkd:7..~0.5;mass:..450~50;log_p:1..4~1;tpsa:..120~20;donors:..3~1'

export async function measureMakeNext(shared: string): Promise<Figure[]> {
  return onProduct({ INITIAL_CREDITS: '1000000' }, async ({ url }) => {
    const user = await signIn(url, 'bench@example.org')
    const series = await readTargetSeries(TARGET)
    const others = readSharedSmiles(shared).slice(0, NEXT_CANDIDATES_MAX)
    const screen = await screenSeries(user, series, others)
    return [
      ...(await measureNext(user, screen)),
      await measureProfile(user, screen),
      ...(await measureProducts(user, series)),
    ]
  })
}

/** Every compound has a number in the column FEP. Returns the screen's id once all measured values are predicted. */
async function screenSeries(
  user: ApiUser,
  series: PublishedCompound[],
  others: string[],
): Promise<string> {
  await uploadStructure(user, TARGET, SYSTEM)
  const lines = [
    'SMILES\tName\tFEP',
    ...series.map(({ smiles, name, fep }) => `${smiles}\t${name}\t${fep}`),
    ...others.map((smiles, at) => `${smiles}\tother-${at}\t${(at % 50) / 10}`),
  ]
  await user.upload({ name: 'bace1.txt', type: 'drug_smiles', content: lines.join('\n') })
  const values = series
    .filter((_, at) => at % Math.floor(series.length / MEASURED) === 0)
    .map(({ name, pk }) => ({ compound: name, value: pk, unit: 'p' }))
  await answerOf(user.post('/measurements', { target: TARGET, values }))
  return runScreen(user, [TARGET])
}

async function measureNext(user: ApiUser, screen: string): Promise<Figure[]> {
  const request = { screens: [screen], target: TARGET }
  const next = () => answerOf(user.post(suggestNext.path, request))
  const of = `${NEXT_CANDIDATES_MAX.toLocaleString('en')} candidates`
  const expectAll = (answer: Record<string, unknown>) => {
    // Of these the strongest are candidates, stereoisomers once.
    const isWhole = Number(answer['untested']) >= NEXT_CANDIDATES_MAX
    if (!isWhole) throw new Error('too few candidates')
  }
  const plain = await medianMs(ROUNDS, async () => expectAll(await next()))
  const choice = { column: 'FEP', direction: 'higher' }
  await answerOf(user.put(chooseScore.path, { target: TARGET, choice }))
  const judged = await medianMs(ROUNDS, () => answerOf(user.post(judgeScore.path, request)))
  const blended = await medianMs(ROUNDS, next)
  return [
    limited(`what to make next: ${of}`, plain, 'ms', 2000),
    limited(`another tool's score: verdict and ${of}`, judged, 'ms', 2000),
    limited(`what to make next with it: ${of}`, blended, 'ms', 2000),
  ]
}

/** Both pages need the properties of every compound, so they are compared. */
async function measureProfile(user: ApiUser, screen: string): Promise<Figure> {
  const path = readScreenResults.path.replace(':id', screen)
  const page = (query: string) => () => answerOf(user.get(`${path}?page_size=50&${query}`))
  const sorted = await medianMs(ROUNDS, page('sort=mass'))
  const scored = await medianMs(ROUNDS, page(`sort=profile&profile=${encodeURIComponent(PROFILE)}`))
  return {
    name: `a page by profile score, ${NEXT_CANDIDATES_MAX.toLocaleString('en')} pairs`,
    measured: scored,
    unit: 'ms',
    against: { name: 'twice the page by MW', value: 2 * sorted },
  }
}

async function measureProducts(user: ApiUser, series: PublishedCompound[]): Promise<Figure[]> {
  const compounds = series.map(({ smiles, pk }) => ({ smiles, pk }))
  const figures: Figure[] = []
  for (const [by, how] of [
    ['groups', 'groups recombined'],
    ['changes', 'changes that helped most'],
  ] as const) {
    const started = performance.now()
    const answer = enumerateSeries.answer.parse(
      await answerOf(user.post(enumerateSeries.path, { compounds, by })),
    )
    const seconds = (performance.now() - started) / 1000
    if (answer.products.length === 0) throw new Error(`${how}: nothing was made`)
    const name = `new molecules of ${series.length} compounds, ${how}, with properties and alerts`
    figures.push(limited(name, seconds, 's', 60))
  }
  return figures
}
