/** Two people: one shares a screen, the other looks at it, and the share ends while the other looks. */
import { expect, type Page } from '@playwright/test'
import { signIn } from './api-user.ts'
import { expectNoViolations } from './no-violations.ts'
import { test } from './product.ts'
import { enter, newEmail } from './steps.ts'
import { openSeriesUser, screenAll } from './sample-series.ts'

test('a screen is shared with a colleague, who reads it for free until the share ends', async ({
  page,
  browser,
  baseURL,
}) => {
  const { user } = await openSeriesUser(baseURL, { values: 6 })
  const id = await screenAll(user, ['MET'])
  const email = newEmail()
  const colleague = await signIn(user.url, email)
  const theirs = await (await browser.newContext({ baseURL: user.url })).newPage()
  await enter(theirs, colleague)

  await test.step('a stranger does not see it', async () => {
    await theirs.goto(`/screens/${id}`)
    await expect(theirs.getByText('Screen not found.')).toBeVisible()
  })
  await test.step('the owner shares it', async () => {
    await enter(page, user)
    await page.goto(`/screens/${id}`)
    await page.getByRole('button', { name: 'Share', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Share' })
    await dialog.getByLabel('Email').fill(email)
    await dialog.getByRole('button', { name: 'Share', exact: true }).click()
    await expect(dialog.getByRole('list', { name: 'Shared with' })).toContainText(email)
    await expectNoViolations(page)
  })
  await test.step('the colleague finds and reads it', () => look(theirs))
  await test.step('the colleague copies it to the library', async () => {
    await theirs.getByRole('button', { name: 'Copy to my library' }).click()
    await theirs.getByRole('dialog').getByRole('button', { name: 'Copy', exact: true }).click()
    await expect(theirs.getByText('In your library: 1 target, 27 compounds.')).toBeVisible()
    const targets = await (await colleague.get('/dta/get_protein_names')).json()
    expect(targets.protein_names).toEqual(['MET'])
  })
  await test.step('the share ends while the colleague looks', async () => {
    await page.getByRole('button', { name: `End share with ${email}` }).click()
    await expect(page.getByText('Shared with nobody')).toBeVisible()
    await expect(theirs.getByText('No longer shared')).toBeVisible()
  })
  await test.step('by link: the owner sees who opened it, and they have it in their list', async () => {
    await user.post(`/screens/${id}/shares`, { email: null })
    await theirs.goto(`/screens/${id}`)
    await expect(theirs.getByText(/^Shared by .*for viewing/)).toBeVisible()
    await page.reload()
    await page.getByRole('button', { name: 'Share', exact: true }).click()
    const shares = page.getByRole('list', { name: 'Shared with' })
    await expect(shares).toContainText(`Opened by: ${email.split('@')[0]}`)
    await theirs.goto('/screens')
    await expect(theirs.getByRole('table', { name: 'Shared with me' })).toBeVisible()
  })
})

async function look(page: Page): Promise<void> {
  await page.goto('/screens')
  const row = page.getByRole('table', { name: 'Shared with me' }).getByRole('row').nth(1)
  await row.getByRole('link').click()
  await expect(page.getByText(/^Shared by .*for viewing/)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Share', exact: true })).toHaveCount(0)
  await page
    .getByText(/^CHEMBL\d+$/)
    .first()
    .click()
  const pair = page.getByRole('dialog')
  await expect(pair.getByText('6 own values')).toBeVisible()
  await pair.getByRole('tab', { name: 'Atom contributions' }).click()
  await expect(pair.getByRole('tabpanel').getByRole('img').first()).toBeVisible()
  await expect(pair.getByRole('button', { name: 'Add measured value' })).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expectNoViolations(page)
  await page.getByRole('link', { name: 'Analyse series' }).click()
  await expect(page.getByRole('region', { name: 'Make list' })).toBeVisible()
  await expect(page.getByRole('button', { name: /^Predict/ })).toHaveCount(0)
  await page.getByRole('link', { name: 'What to make next' }).click()
  await expect(page.getByRole('list', { name: 'Suggestions' })).toBeVisible()
  await page.goto(page.url().replace(/series.*/, 'report'))
  await expect(page.getByRole('region', { name: 'Top structures' })).toBeVisible()
  await page.goto(page.url().replace('/report', ''))
}
