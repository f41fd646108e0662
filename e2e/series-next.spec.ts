/** A published series with some of its values: matched pairs, the next five compounds and a make list. */
import { NextCompounds } from '@pkdex/contract'
import { expect, type Page } from '@playwright/test'
import { expectNoViolations, expectNoViolationsOnDarkPhone } from './no-violations.ts'
import { test } from './product.ts'
import { hasRealSeries, openSeriesUser, screenAll } from './real-series.ts'
import { creditsOf, enter } from './steps.ts'

const MEASURED = 12

test.skip(!hasRealSeries, 'PKDEX_SHARED does not name the folder with the published series')

test('the next five compounds of a series are suggested with reasons and put on the make list', async ({
  page,
  baseURL,
}) => {
  const { measured, id } = await openScreen(page, baseURL, { measured: MEASURED })
  await page.goto(`/screens/${id}/series`)
  const credits = await creditsOf(page)
  await page.getByRole('link', { name: 'What to make next' }).click()

  const strongest = Math.max(...measured.map(({ pk }) => pk)).toFixed(2)
  const list = page.getByRole('list', { name: 'Suggestions' })
  // One of the five is below 5%, which is no suggestion.
  await expect(list.getByRole('listitem')).toHaveCount(4)
  await expect(page.getByRole('region', { name: 'Best so far' })).toContainText(strongest)
  await expect(page.getByText(/^From 12 measured compounds; \d+ candidates$/)).toBeVisible()
  const first = list.getByRole('listitem').first()
  await expect(first).toContainText(
    /Your values (raise|lower|leave) .*CHEMBL\d+ \(\d\.\d\d, similarity/,
  )
  await expect(first).toContainText(new RegExp(`\\d+%.*chance of exceeding ${strongest}`))
  await expectNoViolations(page)

  const name = (await first.getByRole('heading').textContent()) ?? ''
  expect(measured.map((one) => one.name)).not.toContain(name)
  await page.getByRole('button', { name: `Add to make list: ${name}` }).click()
  const makeList = page.getByRole('region', { name: 'Make list' })
  await expect(makeList.getByRole('listitem')).toHaveCount(1)
  await page.getByRole('button', { name: `Exclude ${name}` }).click()
  await expect(list.getByRole('heading', { name })).toHaveCount(0)
  await page.getByRole('button', { name: 'Include again' }).click()
  await expect(list.getByRole('heading', { name })).toHaveCount(1)
  // The same with the keyboard, on the focused row.
  await page.getByRole('button', { name: `On the list: ${name}` }).focus()
  await page.keyboard.press('m')
  await expect(makeList.getByRole('listitem')).toHaveCount(0)
  await page.keyboard.press('x')
  await expect(list.getByRole('heading', { name })).toHaveCount(0)
  await page.getByRole('button', { name: 'Include again' }).click()
  await page.getByRole('link', { name: `Open ${name}` }).focus()
  await page.keyboard.press('o')
  await expect(page).toHaveURL(/\/results\?target=MET&compound=CHEMBL/)
  await page.goBack()

  await page.getByLabel('Goal (pK)').fill('7')
  await page.getByRole('button', { name: 'Set' }).click()
  await expect(first).toContainText('chance of exceeding 7.00')
  await page.getByRole('button', { name: 'Next five' }).click()
  await expect(list.getByRole('heading', { name })).toHaveCount(0)
  expect(await creditsOf(page)).toBe(credits)

  await expectNoViolationsOnDarkPhone(page)
})

test('SPEC 33.4: another tool’s column is judged on a published series and counts in the suggestions', async ({
  page,
  baseURL,
}) => {
  const { id } = await openScreen(page, baseURL, {
    measured: MEASURED,
    hasFep: true,
  })
  await page.goto(`/screens/${id}/series?view=next`)
  const panel = page.getByRole('region', { name: 'Another tool’s score' })
  await panel.getByLabel('Column').selectOption('FEP')
  await expect(panel.getByLabel('Direction')).toHaveValue('')
  await expect(panel).toContainText('FEP is not used yet. Select its direction.')
  await panel.getByLabel('Direction').selectOption('higher')
  await expect(panel).toContainText(/(Yes|No|Cannot tell yet).*FEP.*\(12 measured compounds\)/)
  await expect(panel).toContainText(/It counts for \d+% of the average/)
  await panel.getByLabel('Direction').selectOption('lower')
  await expect(panel).not.toContainText('Yes')
  await panel.getByLabel('Direction').selectOption('higher')
  const list = page.getByRole('list', { name: 'Suggestions' })
  await expect(list.getByText(/With FEP, it is \d\.\d\./).first()).toBeVisible()
  await expectNoViolations(page)
  await panel.getByLabel('Column').selectOption('None')
  await expect(list.getByText(/With FEP/)).toHaveCount(0)
})

test('SPEC 31.3: matched pairs of a series are shown next to the training data, for all compounds or one', async ({
  page,
  baseURL,
}) => {
  const { compounds, id } = await openScreen(page, baseURL, { measured: MEASURED })
  await page.goto(`/screens/${id}/series`)
  await page.getByRole('link', { name: 'Matched pairs' }).click()
  const table = page.getByRole('table', { name: 'Matched pairs' })
  const first = table.getByRole('row').nth(1)
  await expect(first).toContainText(/[+−]\d\.\d\d/)
  await expect(table.getByRole('columnheader', { name: 'Training, this target' })).toBeVisible()
  await expect(table.getByText(/^[+−]\d\.\d\d ± \d\.\d\d \([\d,]+\)$/).first()).toBeVisible()
  await expectNoViolations(page)
  const all = await table.getByRole('row').count()
  await page.getByLabel('Compound').selectOption(compounds[0]?.name ?? '')
  await expect.poll(() => table.getByRole('row').count()).toBeLessThan(all)
  await first.getByRole('group').locator('summary').click()
  await expect(first.getByText(compounds[0]?.name ?? '').first()).toBeVisible()
  await expectNoViolationsOnDarkPhone(page)
})

test('two compounds make no table and no suggestion, and the page says what is missing', async ({
  page,
  baseURL,
}) => {
  const { id } = await openScreen(page, baseURL, { count: 2, measured: 2 })
  await page.goto(`/screens/${id}/series`)
  await expect(page.getByText('Add at least three compounds with a common core.')).toBeVisible()
  await page.getByRole('link', { name: 'What to make next' }).click()
  await expect(page.getByText('Add three measured values on this target')).toBeVisible()
})

/** A finished screen of a series, and the predictions of its measured compounds. */
async function openScreen(page: Page, url: string, series: Parameters<typeof openSeriesUser>[1]) {
  const { user, ...made } = await openSeriesUser(url, series)
  const id = await screenAll(user, ['MET'])
  await expect
    .poll(async () => {
      const answer = await user.post('/series/next', { screens: [id], target: 'MET' })
      return NextCompounds.parse(await answer.json()).waiting
    })
    .toBe(0)
  await enter(page, user)
  return { ...made, id }
}
