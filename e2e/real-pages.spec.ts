/** Every page with a published series, real structures and measured values: in three widths, light and dark, with large text, and printed. */
import { mkdir } from 'node:fs/promises'
import { expect, type Page, test } from '@playwright/test'
import { signIn } from './api-user.ts'
import { expectNoViolations } from './no-violations.ts'
import {
  hasRealSeries,
  metSeries,
  readSeries,
  type RealCompound,
  screenAll,
  uploadSeries,
  uploadStructure,
} from './real-series.ts'
import { type Product, startProduct } from './start-product.ts'
import { enter, newEmail, reading } from './steps.ts'

const MEASURED = 12
const cdk8Series = 'ChEMBL_CDK8_CHEMBL3803436'
const others = {
  CDK8: cdk8Series,
  BRAF: 'ChEMBL_BRAF_CHEMBL1008210',
  BACE1: 'ChEMBL_BACE1_CHEMBL1109071',
}

/** Folder for screenshots of the pages, to compare them with the drawings. */
const shots = process.env['PKDEX_SHOTS']

test.skip(!hasRealSeries, 'PKDEX_SHARED does not name the folder with the published series')

let product: Product
test.beforeAll(async () => {
  product = await startProduct({ INITIAL_CREDITS: '1000' })
})
test.afterAll(() => product.stop())

test('SPEC 30.2: the report of 60 compounds on four targets is a matrix on two pages of A4', async ({
  page,
}) => {
  const { url } = product
  const user = await signIn(url, newEmail())
  const more = await readSeries(cdk8Series)
  const compounds = [...(await readSeries(metSeries)), ...more].slice(0, 60)
  await uploadSeries(user, metSeries, { compounds, measured: [] })
  for (const [name, system] of Object.entries(others)) await uploadStructure(user, name, system)
  const id = await screenAll(user, ['MET', ...Object.keys(others)])
  await enter(page, url, user)
  await page.goto(`${url}/screens/${id}/report`)
  const matrix = page.getByRole('region', { name: 'Matrix' })
  await expect(matrix.getByRole('row')).toHaveCount(61)
  await expect(matrix.locator('td[data-state]')).toHaveCount(240)
  await expect(page.getByRole('region', { name: 'Top structures' }).locator('img')).toHaveCount(6)
  await expect(page.locator('main img')).toHaveCount(6)
  const printed = await page.pdf({ preferCSSPageSize: true, printBackground: true })
  expect(printed.toString('latin1').match(/\/Type *\/Page\b/g)).toHaveLength(2)
  await page.getByRole('checkbox', { name: 'Intervals' }).check()
  await expect(matrix.getByText(/^\d+\.\d to \d+\.\d$/)).toHaveCount(240)
  await expectNoViolations(page)
})

const widths = [1440, 820, 390]

test('SPEC 30.3: no page scrolls sideways at any width or text size, and axe finds no violation', async ({
  page,
}) => {
  test.setTimeout(900_000)
  const { url } = product
  const user = await signIn(url, newEmail())
  const compounds = await readSeries(metSeries)
  const measured = compounds.slice(0, MEASURED)
  await uploadSeries(user, metSeries, { compounds, measured })
  await uploadStructure(user, 'CDK8', cdk8Series)
  const id = await screenAll(user, ['MET', 'CDK8'])
  await enter(page, url, user)
  for (const [name, path] of pagesOf(id, compounds)) {
    await test.step(name, async () => {
      await page.setViewportSize({ width: 1440, height: 900 })
      await page.emulateMedia({ colorScheme: 'light' })
      await page.goto(url + path)
      if (name === 'predict') await expect(reading(page).getByText(/^pKd = /)).toBeVisible()
      await expect(page.getByText(/^Computing/)).toHaveCount(0)
      for (const width of widths) {
        await page.setViewportSize({ width, height: 900 })
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme })
          await expectNoViolations(page)
          await keepShot(page, `${name}-${width}-${colorScheme}`)
        }
        await expect.poll(() => overflow(page), `${name} at ${width}`).toBe(0)
      }
      await page.addStyleTag({ content: 'html { font-size: 200% !important }' })
      await expect.poll(() => overflow(page), `${name} with large letters`).toBe(0)
      await keepShot(page, `${name}-390-large`)
    })
  }
})

test('panels of buttons and structures in tables are not clipped at any width', async ({
  page,
}) => {
  const { url } = product
  const user = await signIn(url, newEmail())
  const compounds = (await readSeries(metSeries)).slice(0, 4)
  await uploadSeries(user, metSeries, { compounds, measured: [] })
  await uploadStructure(user, 'CDK8', cdk8Series)
  const id = await screenAll(user, ['MET', 'CDK8'])
  await user.post('/dta/predict', { protein_id: 'MET', compound_id: compounds[0]?.name })
  await enter(page, url, user)
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 })
    await page.goto(`${url}/screens/${id}?min=5&starred=true`)
    await expect(page.getByText('No compounds match.')).toBeVisible()
    for (const name of ['Filter', 'Profile', 'Columns']) {
      await page.getByRole('button', { name, exact: true }).click()
      const panel = page.getByRole('group', { name, exact: true })
      await panel.evaluate((element) => element.scrollIntoView({ block: 'center' }))
      // Content clipped by an ancestor is not in the viewport either.
      await expect(panel, `${name} at ${width}`).toBeInViewport({ ratio: 0.99 })
      await page.keyboard.press('Escape')
    }
    await page.goto(`${url}/history`)
    const [drawing, pair] = [page.getByRole('cell').locator('img'), page.getByRole('cell').nth(1)]
    await expect(drawing).toBeVisible()
    const [above, below] = [await drawing.boundingBox(), await pair.boundingBox()]
    if (above === null || below === null) throw new Error('the row has no size')
    const isApart = above.x + above.width <= below.x || above.y + above.height <= below.y
    expect(isApart, `the structure and the pair at ${width}`).toBe(true)
  }
})

function pagesOf(id: string, [first]: RealCompound[]): [name: string, path: string][] {
  const pair = new URLSearchParams({ target: 'MET', compound: first?.name ?? '' })
  return [
    ['upload', '/prompt'],
    ['predict', `/results?${pair}`],
    ['screens', '/screens'],
    ['new-screen', '/screens/new'],
    ['table', `/screens/${id}`],
    ['heat-map', `/screens/${id}?view=map`],
    ['charts', `/screens/${id}?view=charts`],
    ['report', `/screens/${id}/report`],
    ['series', `/screens/${id}/series`],
    ['measured', '/measurements'],
    ['history', '/history'],
    ['account', '/account'],
  ]
}

async function keepShot(page: Page, name: string): Promise<void> {
  if (shots === undefined) return
  await mkdir(shots, { recursive: true })
  await page.screenshot({ path: `${shots}/${name}.png`, fullPage: true })
}

function overflow(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
}
