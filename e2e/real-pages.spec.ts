/** Every page with a published series, real structures and measured values: in three widths, light and dark, with large text, and printed. */
import { mkdir, readFile } from 'node:fs/promises'
import { expect, type Page } from '@playwright/test'
import { setCredits } from './admin-steps.ts'
import { signIn } from './api-user.ts'
import { expectNoViolations } from './no-violations.ts'
import { test } from './product.ts'
import { readBroken, readFrame } from './read-page.ts'
import {
  bace1Series,
  cdk8Series,
  metSeries,
  openSeriesUser,
  type PublishedCompound,
  readSeries,
  screenAll,
  uploadCompounds,
  uploadStructure,
} from './sample-series.ts'
import { enlargeText, enter, newEmail, overflow, reading, sampleStructure } from './steps.ts'

const MEASURED = 12

/** Folder for screenshots of the pages, to compare them with the drawings. */
const shots = process.env['PKDEX_SHOTS']

test('SPEC 30.2: the report of 60 compounds on four targets is a matrix on two pages of A4', async ({
  page,
  baseURL,
}) => {
  const email = newEmail()
  const user = await signIn(baseURL, email)
  await setCredits(baseURL, email, 240)
  const compounds = [...(await readSeries(metSeries)), ...(await readSeries(cdk8Series))]
  const lines = compounds.slice(0, 60).map(({ name, smiles }) => `${smiles} ${name}`)
  await uploadCompounds(user, lines)
  await uploadStructure(user, 'MET', metSeries)
  await uploadStructure(user, 'CDK8', cdk8Series)
  await uploadStructure(user, 'BACE1', bace1Series)
  const protease = await readFile(sampleStructure)
  await user.upload({ name: 'HIV-PR.pdb', type: 'protein_pdb', content: protease })
  const id = await screenAll(user, ['MET', 'CDK8', 'BACE1', 'HIV-PR'])
  await enter(page, user)
  await page.goto(`/screens/${id}/report`)
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

test('SPEC 30.3, 30.14: no page scrolls sideways at any width or text size, all have one left edge and one header, and axe finds no violation', async ({
  page,
  context,
  baseURL,
}) => {
  test.setTimeout(900_000)
  const { user, compounds, id } = await screenTwoTargets(baseURL, { values: MEASURED })
  await enter(page, user)
  const large = await context.newPage()
  await enlargeText(large)
  const frames = new Set<string>()
  // Until it is seen, the header counts the finished screen as news.
  await open(page, `/screens/${id}`)
  for (const [name, path] of pagesOf(id, compounds)) {
    await test.step(name, async () => {
      await page.setViewportSize({ width: 1440, height: 900 })
      await page.emulateMedia({ colorScheme: 'light' })
      await open(page, path)
      for (const width of widths) {
        await page.setViewportSize({ width, height: 900 })
        const schemes = shots === undefined ? (schemeAt[width] ?? []) : [light, dark]
        for (const colorScheme of schemes) {
          await page.emulateMedia({ colorScheme })
          await expectNoViolations(page)
          await keepShot(page, `${name}-${width}-${colorScheme}`)
        }
        await expect.poll(() => overflow(page), `${name} at ${width}`).toBe(0)
        frames.add(`${width}: ${await page.evaluate(readFrame)}`)
      }
      await large.setViewportSize({ width: 1440, height: 900 })
      await open(large, path)
      for (const width of widths) {
        await large.setViewportSize({ width, height: 900 })
        await expect.poll(() => overflow(large), `${name} at ${width}, large text`).toBe(0)
        await keepShot(large, `${name}-${width}-large`)
      }
      expect(await large.evaluate(readBroken), `${name}, large text`).toEqual([])
    })
  }
  expect([...frames].toSorted()).toHaveLength(widths.length)
})

const [light, dark] = ['light', 'dark'] as const
/** For axe: colours do not depend on the width, so each scheme and both layouts are checked once. */
const schemeAt: Record<number, (typeof light | typeof dark)[]> = { 1440: [light], 390: [dark] }

async function open(page: Page, path: string): Promise<void> {
  await page.goto(path)
  if (path.startsWith('/results')) await expect(reading(page).getByText(/^pKd = /)).toBeVisible()
  await expect(page.getByText(/^Computing/)).toHaveCount(0)
  await expect(page.getByText(/^Credits \d/)).toBeVisible()
  // What arrives late may be wide, too.
  await page.waitForLoadState('networkidle')
}

test('SPEC 30.14: credits that an administrator adds are in the header on the next page, however many', async ({
  page,
  baseURL,
}) => {
  const email = newEmail()
  await enter(page, await signIn(baseURL, email))
  await enlargeText(page)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/history')
  await expect(page.getByText('Credits 100')).toBeVisible()
  await setCredits(baseURL, email, 987_654_321)
  await page.getByRole('button', { name: 'Menu' }).click()
  const menu = page.getByRole('navigation', { name: 'Main' })
  await menu.getByRole('link', { name: 'Screens', exact: true }).click()
  const balance = page.getByText('987,654,321', { exact: true })
  await expect(balance).toBeVisible()
  const lines = await balance.evaluate((element) => element.getClientRects().length)
  expect({ lines, overflow: await overflow(page) }).toEqual({ lines: 1, overflow: 0 })
})

test('panels of buttons and structures in tables are not clipped at any width', async ({
  page,
  baseURL,
}) => {
  const { user, compounds, id } = await screenTwoTargets(baseURL, { count: 4 })
  await user.post('/dta/predict', { protein_id: 'MET', compound_id: compounds[0]?.name })
  await enter(page, user)
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 })
    await page.goto(`/screens/${id}?min=5&starred=true`)
    await expect(page.getByText('No compounds match.')).toBeVisible()
    for (const name of ['Filter', 'Profile', 'Columns']) {
      await page.getByRole('button', { name, exact: true }).click()
      const panel = page.getByRole('group', { name, exact: true })
      await panel.evaluate((element) => element.scrollIntoView({ block: 'center' }))
      // Content clipped by an ancestor is not in the viewport either.
      await expect(panel, `${name} at ${width}`).toBeInViewport({ ratio: 0.99 })
      await page.keyboard.press('Escape')
    }
    await page.goto('/history')
    const cells = page.getByRole('cell')
    const [drawing, pair] = [cells.locator('img'), cells.filter({ hasText: ' on MET' }).last()]
    await expect(drawing).toBeVisible()
    const [above, below] = [await drawing.boundingBox(), await pair.boundingBox()]
    if (above === null || below === null) throw new Error('the row has no size')
    const isApart = above.x + above.width <= below.x || above.y + above.height <= below.y
    expect(isApart, `the structure and the pair at ${width}`).toBe(true)
  }
})

/** A user with a screen of the MET series on two targets. */
async function screenTwoTargets(url: string, series: Parameters<typeof openSeriesUser>[1]) {
  const { user, compounds } = await openSeriesUser(url, series)
  await uploadStructure(user, 'CDK8', cdk8Series)
  return { user, compounds, id: await screenAll(user, ['MET', 'CDK8']) }
}

function pagesOf(id: string, [first]: PublishedCompound[]): [name: string, path: string][] {
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
    ['pairs', `/screens/${id}/series?view=pairs`],
    ['series-list', '/series'],
    ['next', `/screens/${id}/series?view=next`],
    ['products', `/screens/${id}/series?view=products`],
    ['clusters', `/screens/${id}/series?view=clusters`],
    ['measured', '/measurements'],
    ['history', '/history'],
    ['files', '/account'],
    ['credits', '/account?view=credits'],
    ['api', '/account?view=api'],
    ['account', '/account?view=account'],
    ['alerts', '/account/alerts'],
  ]
}

async function keepShot(page: Page, name: string): Promise<void> {
  if (shots === undefined) return
  await mkdir(shots, { recursive: true })
  await page.screenshot({ path: `${shots}/${name}.png`, fullPage: true })
}
