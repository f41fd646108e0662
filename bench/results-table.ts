/** Scrolling the results table of a screen of 100,000 compounds with structures. */
import {
  API_KEY_HEADER,
  drawCompounds,
  readScreen,
  readScreenMatrix,
  readScreenResults,
  type Screen,
  type ScreenRow,
  TOTAL_COUNT_HEADER,
} from '@pkdex/contract'
import { chromium } from '@playwright/test'
import { type ApiUser, signIn } from '../e2e/api-user.ts'
import { drawingLaunch, unpackBrowser } from '../e2e/browser.ts'
import { scrollTable } from '../e2e/scroll-table.ts'
import { startProduct } from '../e2e/start-product.ts'
import type { Figure } from './figure.ts'

const COMPOUNDS = 100_000
const FRAMES = 300
const ID = '00000000-0000-4000-8000-000000000000'
const ROWS_IN_SIGHT = 9

export async function measureResultsTable(): Promise<Figure[]> {
  const product = await startProduct({ LOG_LEVEL: 'warn' })
  await unpackBrowser()
  const browser = await chromium.launch(drawingLaunch)
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 860 } })
    const user = await signIn(product.url, 'bench@example.org')
    const formula = await drawSample(user)
    await page.goto(product.url)
    const { [API_KEY_HEADER]: key = '' } = user.headers
    await page.evaluate((value) => localStorage.setItem('API-key', value), key)
    const pathOf = (call: { path: string }) => `**${call.path.replace(':id', ID)}`
    // Rows are made up: predicting and drawing them are separate figures.
    await page.route(pathOf(readScreen), (route) =>
      route.request().resourceType() === 'document'
        ? route.continue()
        : route.fulfill({ json: screen }),
    )
    await page.route(pathOf(readScreenMatrix), (route) =>
      route.fulfill({
        json: { targets: screen.targets, compounds: names, predicted_kd: '', flags: '' },
      }),
    )
    await page.route(`${pathOf(readScreenResults)}?*`, (route) => {
      const query = new URL(route.request().url()).searchParams
      return route.fulfill({
        json: { rows: rowsOf(Number(query.get('page')), Number(query.get('page_size'))) },
        headers: { [TOTAL_COUNT_HEADER]: `${COMPOUNDS}` },
      })
    })
    await page.route(pathOf(drawCompounds), (route) => {
      const asked = drawCompounds.body.parse(route.request().postDataJSON())
      // The fragment makes each picture unique, so the browser draws it again.
      const addresses = asked.smiles.map((smiles) => `${formula}#${encodeURIComponent(smiles)}`)
      return route.fulfill({
        json: { pictures: addresses.map((visualizationUrl) => ({ visualizationUrl })) },
      })
    })
    await page.goto(`${product.url}/screens/${ID}`)
    const { framesPerSecond, drawnRows } = await scrollTable(page, FRAMES)
    if (drawnRows < ROWS_IN_SIGHT) throw new Error(`${drawnRows} rows have a structure`)
    const name = 'results table of 100,000 rows with structures, scrolling: frames'
    const against = { name: 'limit', value: 57 }
    return [{ name, measured: framesPerSecond, unit: 'frames/s', against, isFloor: true }]
  } finally {
    await browser.close()
    await product.stop()
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

const names = Array.from({ length: COMPOUNDS }, (_, at) => `compound-${at}`)

const screen: Screen = {
  id: ID,
  status: 'DONE',
  total: COMPOUNDS,
  done: COMPOUNDS,
  known: 0,
  credits_charged: COMPOUNDS,
  targets: [{ name: 'target', chain: 'A' }],
  target_count: 1,
  compounds: COMPOUNDS,
  model_version: 'bench',
  created_at: '2026-01-01T00:00:00Z',
  finished_at: '2026-01-01T00:01:00Z',
  message: null,
  structure_status: null,
  structure_total: null,
  structure_done: null,
  structure_message: null,
}

function rowsOf(page: number, size: number): ScreenRow[] {
  const first = (page - 1) * size
  return names.slice(first, first + size).map((compound, at) => {
    const pkd = 10 - (6 * (first + at)) / COMPOUNDS
    return {
      ...row,
      row: first + at + 1,
      compound,
      predicted_kd: pkd,
      lower: pkd - 1,
      upper: pkd + 1,
    }
  })
}

const row: ScreenRow = {
  row: 1,
  compound: '',
  smiles: 'CCO',
  target: 'target',
  chain: 'A',
  model_version: '1',
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
  predicted_kd_with_own: null,
  lower_with_own: null,
  upper_with_own: null,
}
