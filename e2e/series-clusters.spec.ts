/** A published series: its SAR table for a drawn core, its clusters, and its activity cliffs. */
import { expect, type Page } from '@playwright/test'
import { expectNoViolations, expectNoViolationsOnDarkPhone } from './no-violations.ts'
import { test } from './product.ts'
import { hasRealSeries, openSeriesUser, screenAll } from './real-series.ts'
import { creditsOf, enter } from './steps.ts'

const MEASURED = 15

test.skip(!hasRealSeries, 'PKDEX_SHARED does not name the folder with the published series')

test('SPEC 31.5, 31.8: the table of a published series can be cancelled, its gaps predicted and listed, and another core drawn', async ({
  page,
  baseURL,
}) => {
  const { id } = await openScreen(page, baseURL)
  let delays = 1
  await page.route('**/series/table', async (route) => {
    if (delays-- > 0) await new Promise((resolve) => setTimeout(resolve, 5000))
    await route.continue().catch(() => undefined)
  })
  await page.goto(`/screens/${id}/series`)
  await expect(page.getByText('Computing the SAR table …')).toBeVisible()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByText('Cancelled.')).toBeVisible()
  await page.getByRole('button', { name: 'Compute' }).click()
  const table = page.getByRole('table', { name: 'SAR table' })
  await expect(table.getByRole('button', { name: /measured \d\.\d\d$/ }).first()).toBeVisible()

  const credits = await creditsOf(page)
  const predict = page.getByRole('button', { name: /^Predict \d+ gaps · up to \d+ credits$/ })
  const count = Number(/\d+/.exec(await predict.innerText())?.[0])
  expect(count).toBeGreaterThan(10)
  await predict.click()
  const gaps = table.getByRole('button', { name: /^Gap, predicted \d+\.\d, \d+\.\d to \d/ })
  await expect(gaps).toHaveCount(count)
  await expect.poll(() => creditsOf(page)).toBe(credits - count)
  await gaps.first().click()
  await page.getByRole('button', { name: 'Add to make list' }).click()
  const list = page.getByRole('region', { name: 'Make list' })
  await expect(list.getByRole('listitem')).toHaveCount(1)

  const core = page.getByLabel('Core', { exact: true })
  const found = await core.inputValue()
  await page.getByRole('button', { name: 'Edit core' }).click()
  const editor = page.getByRole('dialog', { name: 'Edit core' })
  const smiles = editor.getByLabel('SMILES')
  const before = await smiles.inputValue()
  // One click on the drawing with the default tool adds a bond.
  const canvas = editor.getByRole('group', { name: 'Structure editor' })
  const box = await canvas.boundingBox()
  if (box === null) throw new Error('the editor has no size')
  await page.mouse.click(box.x + 0.3 * box.width, box.y + 0.15 * box.height)
  await expect(smiles).not.toHaveValue(before)
  await smiles.fill('c1ccc2ncccc2c1')
  await editor.getByRole('button', { name: 'Use this core' }).click()
  await expect(core).not.toHaveValue(found)
  await expect.poll(() => page.url()).toContain('core=')
  await expect(table.getByRole('button', { name: /measured \d\.\d\d$/ }).first()).toBeVisible()
})

test('SPEC 33.1, 33.2, 33.3: a published series has clusters, a diverse choice and cliffs', async ({
  page,
  baseURL,
}) => {
  const { id, names } = await openScreen(page, baseURL)
  await page.goto(`/screens/${id}/series`)
  await page.getByRole('link', { name: 'Clusters' }).click()
  const clusters = page.getByRole('list', { name: 'Clusters' })
  await expect(clusters.getByRole('listitem').first()).toBeVisible()
  const all = await clusters.getByRole('listitem').count()
  expect(all).toBeGreaterThan(1)
  await expect(clusters.getByRole('listitem').first()).toContainText(/\d+ compounds.*Best \d\.\d\d/)
  const diverse = page.getByRole('list', { name: 'Diverse compounds' })
  await expect(diverse.getByRole('listitem')).toHaveCount(10)
  await page.getByLabel('How many').selectOption('5')
  await expect(diverse.getByRole('listitem')).toHaveCount(5)
  await page.getByLabel('Similarity at least').selectOption('0.5')
  await expectNoViolations(page)
  const cliffs = page.getByRole('table', { name: 'Activity cliffs' })
  const first = cliffs.getByRole('row').nth(1)
  await expect(first).toContainText(/CHEMBL\d+ \d\.\d\d.*CHEMBL\d+ \d\.\d\d/)
  await page.getByLabel('Similarity at least').selectOption('0.8')
  await expect.poll(() => clusters.getByRole('listitem').count()).toBeGreaterThan(all)
  const name = (await diverse.getByRole('heading').first().textContent()) ?? ''
  expect(names).toContain(name)
  await page.getByRole('button', { name: `Add to make list: ${name}` }).click()
  await page.reload()
  await expect(page.getByRole('button', { name: `On the list: ${name}` })).toBeVisible()
  await expectNoViolationsOnDarkPhone(page)
})

test('SPEC 31.4, 31.9, 31.10: groups and changes of a published series make new molecules, quoted before they are predicted', async ({
  page,
  baseURL,
}) => {
  const { id, names } = await openScreen(page, baseURL)
  await page.goto(`/screens/${id}/series?view=products`)
  const found = page.getByRole('region', { name: 'Enumerate' })
  await found.getByRole('button', { name: 'Enumerate' }).click()
  await expect(found.getByText('Tried').locator('..')).toContainText('324')
  await found.getByLabel('How many').fill('3')
  await expect(found.getByText(/^3 credits for 3 pairs, 0 already predicted/)).toBeVisible()
  await found.getByRole('button', { name: 'Predict 3' }).click()
  await expect(page).toHaveURL(/view=next/)
  const candidates = names.length - MEASURED + 3
  await expect(
    page.getByText(`From ${MEASURED} measured compounds; ${candidates} candidates`),
  ).toBeVisible()

  await page.goto(`/screens/${id}/series?view=products`)
  await found.getByLabel('Made by').selectOption('Apply the changes that helped most')
  await found.getByRole('button', { name: 'Enumerate' }).click()
  await expect(found.getByText(/^Changes applied: .* → /)).toBeVisible()
  await expect(found.getByText(/^\d+ credits? for \d+ pairs?, \d+ already predicted/)).toBeVisible()
  await expectNoViolations(page)

  await page.getByRole('link', { name: 'Matched pairs' }).click()
  const table = page.getByRole('table', { name: 'Matched pairs' })
  await table
    .getByRole('button', { name: /^\d+ gaps?, apply / })
    .first()
    .click()
  await expect(page).toHaveURL(/view=products/)
  await expect(found.getByLabel('Made by')).toHaveValue('change')
  await found.getByRole('button', { name: 'Enumerate' }).click()
  await expect(found.getByText('New', { exact: true })).toBeVisible()
  await expectNoViolationsOnDarkPhone(page)
})

/** All compounds of the series on its target, with measured values for the first 15. */
async function openScreen(page: Page, url: string): Promise<{ id: string; names: string[] }> {
  const { user, compounds } = await openSeriesUser(url, { measured: MEASURED })
  await enter(page, user)
  return { id: await screenAll(user, ['MET']), names: compounds.map(({ name }) => name) }
}
