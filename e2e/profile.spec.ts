/** Properties, alerts and a profile in the results of a published series. */
import { signIn as signInByApi } from './api-user.ts'
import { expect, type Locator, type Page } from '@playwright/test'
import { expectNoViolations } from './no-violations.ts'
import { test } from './product.ts'
import { hasRealSeries, metSeries, readSeries, screenAll, uploadSeries } from './real-series.ts'
import { newEmail, signIn } from './steps.ts'

test.skip(!hasRealSeries, 'PKDEX_SHARED does not name the folder with the published series')

test('SPEC 32.2, 32.3, 32.7, 32.11: a series is read by properties, alerts and a profile that outlives the session', async ({
  page,
  baseURL,
}) => {
  const email = newEmail()
  const address = `/screens/${await screenSeries(baseURL, email)}`
  await signIn(page, email)
  await page.goto(address)
  const results = page.getByRole('region', { name: 'Table' })
  await expect(results.getByText('27 pairs')).toBeVisible()
  await sortByMass(results.getByRole('table'))
  await filterByEfficiency(results)
  await readAlerts(page, results)

  await results.getByRole('button', { name: 'Profile' }).click()
  await page.getByRole('button', { name: 'Oral drug with pKd 7' }).click()
  const scores = results.getByRole('columnheader', { name: 'Meets profile' })
  await expect.poll(() => columnOf(results, 'Meets profile')).toMatch(/^\d+%/)
  await expectNoViolations(page)
  // Without a profile in the URL, the stored one is restored, after a reload and in another session.
  await page.goto(address)
  await expect(scores).toBeVisible()
  await expect(page).toHaveURL(/profile=pkd/)
  await page.getByRole('button', { name: 'Logout' }).click()
  await signIn(page, email)
  await page.goto(address)
  await expect(scores).toBeVisible()
  await results.getByRole('button', { name: 'Remove the filter Profile' }).click()
  await expect(scores).toHaveCount(0)
  await page.reload()
  await expect(results.getByRole('columnheader', { name: 'MW' })).toBeVisible()
  await expect(scores).toHaveCount(0)
})

/** Returns the id of a screen of the whole series. */
async function screenSeries(url: string, email: string): Promise<string> {
  const user = await signInByApi(url, email)
  await uploadSeries(user, metSeries, { compounds: await readSeries(metSeries), measured: [] })
  // None of the series matches PAINS or Brenk.
  await user.put('/alerts', { patterns: [{ name: 'methoxy', smarts: '[CH3]Oc' }] })
  const id = await screenAll(user, ['MET'])
  return id
}

/** The heaviest compounds first. */
async function sortByMass(table: Locator): Promise<void> {
  await table.getByRole('button', { name: 'MW' }).click()
  await expect
    .poll(async () => {
      const found = (await columnOf(table, 'MW')).split('\n').map(Number)
      return found.length > 5 && found.every((one, at) => at === 0 || one <= (found[at - 1] ?? 0))
    })
    .toBe(true)
}

/** Cells below a heading, one per line of text. */
async function columnOf(part: Locator, heading: string): Promise<string> {
  const heads = await part.getByRole('columnheader').allInnerTexts()
  const at = heads.findIndex((text) => text.trim().startsWith(heading))
  const cells = await part.locator(`tbody tr td:nth-child(${at + 1})`).allInnerTexts()
  return cells.filter((text) => text.trim() !== '').join('\n')
}

/** LLE is a filter of rows, and an axis of the charts. */
async function filterByEfficiency(results: Locator): Promise<void> {
  const page = results.page()
  await results.getByRole('button', { name: 'Filter' }).click()
  await results.getByLabel('Property').selectOption('Lipophilic efficiency')
  await results.getByLabel('Min. LLE').fill('4')
  const count = results.getByText(/^\d+ of 27 pairs$/)
  await expect(count).toBeVisible()
  await expect.poll(async () => Number((await count.innerText()).split(' ')[0])).toBeGreaterThan(0)
  await results.getByRole('button', { name: /^Remove the filter .*LLE/ }).click()
  await page.getByRole('link', { name: 'Charts' }).click()
  await page.getByLabel('X axis').selectOption('Molecular weight')
  await page.getByLabel('Y axis').selectOption('Lipophilic efficiency')
  await expect(
    page.getByRole('group', { name: /Lipophilic efficiency.* 27 points\./ }),
  ).toBeVisible()
  await page.getByRole('link', { name: 'Table', exact: true }).click()
}

async function readAlerts(page: Page, results: Locator): Promise<void> {
  await results.getByRole('button', { name: 'Filter' }).click()
  await results.getByLabel('Structural alerts').selectOption('With alerts')
  await expect(results.getByText(/^\d+ of 27 pairs$/)).toBeVisible()
  const cell = results.getByRole('button', { name: /^\d alerts?$/ }).first()
  await cell.click()
  const alerts = page.getByRole('dialog', { name: 'Structural alerts' })
  await expect(alerts.getByRole('button', { name: 'Your pattern: methoxy, 3 atoms' })).toBeVisible()
  await expect(alerts.locator('circle')).toHaveCount(3)
  await alerts.getByRole('button', { name: 'Close' }).click()
  await results.getByRole('button', { name: 'Remove the filter With alerts' }).click()
}
