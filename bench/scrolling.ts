/**
 * Scrolling the heat map of a screen of 10,000 compounds by 20 targets, and the results table of one of 100,000 compounds
 * with structures, in the browser. Predictions are made up: predicting them is measured elsewhere.
 */
import {
  API_KEY_HEADER,
  drawCompounds,
  matrixFlags,
  readScreen,
  readScreenMatrix,
  readScreenResults,
  type Screen,
  type ScreenMatrix,
  type ScreenRow,
  TOTAL_COUNT_HEADER,
} from '@pkdex/contract'
import { chromium, type Page } from '@playwright/test'
import { type ApiUser, signIn } from '../e2e/api-user.ts'
import { browserLaunch, unpackBrowser } from '../e2e/browser.ts'
import { scrollHeatMap } from '../e2e/scroll-heat-map.ts'
import { scrollTable } from '../e2e/scroll-table.ts'
import { type Figure, limited } from './figure.ts'
import { onProduct } from './on-product.ts'

/** One frame at 60 frames per second. */
const FRAME_MS = 1000 / 60
const FRAMES_MIN = 57
const ID = '00000000-0000-4000-8000-000000000000'
const HEAT_MAP = screenOf(10_000, 20)
const TABLE = screenOf(100_000, 1)
const ROWS_IN_SIGHT = 9

export function measureHeatMap(): Promise<Figure[]> {
  return onScreenPage(HEAT_MAP, async ({ page, open }) => {
    await page.route(pathOf(readScreenMatrix), (route) => route.fulfill({ json: matrix() }))
    await open('?view=map')
    const { drawMs, framesPerSecond } = await scrollHeatMap(page, 180)
    const what = 'heat map 10,000 × 20, scrolling'
    return [
      limited(`${what}: 95th percentile of a draw`, drawMs, 'ms', FRAME_MS),
      { ...limited(`${what}: frames`, framesPerSecond, 'frames/s', FRAMES_MIN), isFloor: true },
    ]
  })
}

export function measureResultsTable(): Promise<Figure[]> {
  return onScreenPage(TABLE, async ({ page, user, open }) => {
    const formula = await drawSample(user)
    const { targets } = TABLE
    await page.route(pathOf(readScreenMatrix), (route) =>
      route.fulfill({ json: { targets, compounds: names, predicted_kd: '', flags: '' } }),
    )
    await page.route(`${pathOf(readScreenResults)}?*`, (route) => {
      const query = new URL(route.request().url()).searchParams
      return route.fulfill({
        json: { rows: rowsOf(Number(query.get('page')), Number(query.get('page_size'))) },
        headers: { [TOTAL_COUNT_HEADER]: `${names.length}` },
      })
    })
    await page.route(pathOf(drawCompounds), (route) => {
      const request = drawCompounds.body.parse(route.request().postDataJSON())
      // The fragment makes each picture unique, so the browser draws it again.
      const addresses = request.smiles.map((smiles) => `${formula}#${encodeURIComponent(smiles)}`)
      return route.fulfill({
        json: { pictures: addresses.map((visualizationUrl) => ({ visualizationUrl })) },
      })
    })
    await open('')
    const { framesPerSecond, drawnRows } = await scrollTable(page, 300)
    if (drawnRows < ROWS_IN_SIGHT) throw new Error(`${drawnRows} rows have a structure`)
    const name = 'results table of 100,000 rows with structures, scrolling: frames'
    return [{ ...limited(name, framesPerSecond, 'frames/s', FRAMES_MIN), isFloor: true }]
  })
}

type ScreenPage = { page: Page; user: ApiUser; open: (query: string) => Promise<unknown> }

/** A browser in which a user is signed in and has this screen. */
function onScreenPage(
  screen: Screen,
  measure: (opened: ScreenPage) => Promise<Figure[]>,
): Promise<Figure[]> {
  return onProduct({}, async ({ url }) => {
    await unpackBrowser()
    const browser = await chromium.launch(browserLaunch)
    try {
      const page = await browser.newPage({ viewport: { width: 1280, height: 860 } })
      const user = await signIn(url, 'bench@example.org')
      await page.goto(url)
      const { [API_KEY_HEADER]: key = '' } = user.headers
      await page.evaluate((value) => localStorage.setItem('API-key', value), key)
      await page.route(pathOf(readScreen), (route) =>
        route.request().resourceType() === 'document'
          ? route.continue()
          : route.fulfill({ json: screen }),
      )
      const open = (query: string) => page.goto(`${url}/screens/${ID}${query}`)
      return await measure({ page, user, open })
    } finally {
      await browser.close()
    }
  })
}

function pathOf(call: { path: string }): string {
  return `**${call.path.replace(':id', ID)}`
}

function screenOf(compounds: number, targets: number): Screen {
  const total = compounds * targets
  return {
    id: ID,
    follow_up_of: null,
    shared_by: null,
    is_shared: false,
    comments: 0,
    commented_at: null,
    name: null,
    note: '',
    tags: [],
    status: 'DONE',
    total,
    done: total,
    known: 0,
    credits_charged: total,
    targets: Array.from({ length: targets }, (_, at) => ({ name: `target-${at}`, chain: 'A' })),
    target_count: targets,
    compounds,
    model_version: 'bench',
    created_at: '2026-01-01T00:00:00Z',
    finished_at: '2026-01-01T00:01:00Z',
    message: null,
    structure_status: null,
    structure_total: null,
    structure_done: null,
    structure_message: null,
  }
}

/** Values over the whole scale; every third pair is outside the domain, because such cells are the slowest to draw. */
function matrix(): ScreenMatrix {
  const { targets, total, compounds } = HEAT_MAP
  const numbers = Buffer.alloc(2 * total)
  const flags = Buffer.alloc(total)
  for (let place = 0; place < total; place += 1) {
    numbers.writeInt16LE(400 + ((place * 7919) % 600), 2 * place)
    flags[place] = matrixFlags.hasNumber | (place % 3 === 0 ? 0 : matrixFlags.isInDomain)
  }
  return {
    targets,
    compounds: Array.from({ length: compounds }, (_, at) => `compound-${at}`),
    best_kd: numbers.toString('base64'),
    flags: flags.toString('base64'),
  }
}

/** The structure of a real compound, as the server draws it. */
async function drawSample(user: ApiUser): Promise<string> {
  const smiles = 'CC(C)CN(CC(O)C(Cc1ccccc1)NC(=O)OC1CCOC1)S(=O)(=O)c1ccc(N)cc1'
  await user.upload({ name: 'one.txt', type: 'drug_smiles', content: `${smiles} amprenavir` })
  const answer = await user.post(drawCompounds.path, { names: ['amprenavir'] })
  const { pictures } = drawCompounds.answer.parse(await answer.json())
  const address = pictures[0]?.visualizationUrl
  if (address === undefined) throw new Error('the sample could not be drawn')
  return address
}

const names = Array.from({ length: TABLE.compounds }, (_, at) => `compound-${at}`)

function rowsOf(page: number, size: number): ScreenRow[] {
  const first = (page - 1) * size
  return names.slice(first, first + size).map((compound, at) => {
    const pkd = 10 - (6 * (first + at)) / names.length
    const numbers = { best_kd: pkd, best_lower: pkd - 1, best_upper: pkd + 1 }
    return { ...row, row: first + at + 1, compound, ...numbers }
  })
}

const row: ScreenRow = {
  row: 1,
  compound: '',
  smiles: 'CCO',
  target: 'target-0',
  chain: 'A',
  model_version: '1',
  best_kd: null,
  best_lower: null,
  best_upper: null,
  predicted_kd: null,
  lower: null,
  upper: null,
  in_domain: true,
  domain_state: 'known_on_target',
  is_ligand_driven: false,
  compound_similarity: 0.6,
  target_similarity: 0.9,
  selectivity: null,
  selectivity_error: null,
  reason: null,
  own_values: null,
}
