/** The dashboard, the statistics, the exports and the audit log, on real data. */
import { readFile } from 'node:fs/promises'
import { expect, type Page } from '@playwright/test'
import { loginAdmin, makeUsers, newPrefix, test } from './admin-steps.ts'

test('SPEC 2.15: the dashboard shows counts, and its quick actions open their pages', async ({
  page,
  baseURL,
}) => {
  await makeUsers(baseURL, 2, newPrefix('dashboard'))
  await loginAdmin(page)
  for (const name of ['Total Users', 'Active API Keys', 'Total Credits', 'Database Collections']) {
    const value = page.getByRole('term').filter({ hasText: name }).locator('xpath=..')
    await expect(value.getByRole('definition')).toHaveText(/^[\d,.]+$/)
  }
  await expect(page.getByText('Online')).toBeVisible()
  await expect(page.getByText('Connected')).toBeVisible()
  await page.getByRole('link', { name: /^Export Database/ }).click()
  await expect(page).toHaveURL(/\/admin\/database\/export$/)
})

test('SPEC 2.19, 7.21: every collection with its count and sizes', async ({ page }) => {
  await loginAdmin(page)
  await page.getByRole('link', { name: 'Database Stats' }).click()
  const users = page.getByRole('row').filter({ hasText: /^users/ })
  await expect(users).toContainText(/(Bytes|KB|MB)/)
  await page.getByRole('button', { name: 'Size', exact: true }).click()
  await expect(page.getByRole('columnheader', { name: 'Size', exact: true })).toHaveAttribute(
    'aria-sort',
    'descending',
  )
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expect(users).toBeVisible()
})

test('SPEC 2.20, 7.23: the users are saved as JSON', async ({ page, baseURL }) => {
  const prefix = newPrefix('json')
  await makeUsers(baseURL, 1, prefix)
  await loginAdmin(page)
  await page.getByRole('link', { name: 'Export Data', exact: true }).click()
  await page.getByLabel('Format').selectOption('JSON')
  const { name, text } = await saved(page, () =>
    page.getByRole('button', { name: 'Export users' }).click(),
  )
  expect(name).toBe('users_export.json')
  expect(JSON.parse(text)).toContainEqual(
    expect.objectContaining({ email: `${prefix}-001@lab.example` }),
  )
  await expect(page.getByText(/^Saved, /)).toBeVisible()
})

test('SPEC 5.11, 7.24: the whole database is saved as a zip after confirmation', async ({
  page,
}) => {
  await loginAdmin(page)
  await page.goto('/admin/database/export')
  await page.getByRole('button', { name: 'Export Database' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText(
    'This may take a while for large databases. Do you want to continue?',
  )
  const { name, text } = await saved(page, () =>
    dialog.getByRole('button', { name: 'Export Database' }).click(),
  )
  expect(name).toMatch(/^pkdex_export_\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.zip$/)
  expect(text.startsWith('PK')).toBe(true)
  expect(text).toContain('users')
})

test('the audit log contains the login', async ({ page }) => {
  await loginAdmin(page)
  await page.getByRole('link', { name: 'Audit Log' }).click()
  await expect(
    page.getByRole('row').filter({ hasText: 'sign in administrator admin@lab.example' }).first(),
  ).toBeVisible()
  // Labels and fields are in two rows, each label above its field.
  const fields = ['Administrator', 'Action', 'From', 'To'].map((name) =>
    page.getByLabel(name, { exact: true }),
  )
  const labels = fields.map((field) => field.locator('xpath=ancestor::div[label]/label'))
  const boxes = await Promise.all([...labels, ...fields].map((one) => one.boundingBox()))
  const [of, at] = [boxes.slice(0, 4), boxes.slice(4)]
  for (const row of [of, at]) expect(new Set(row.map((box) => box?.y)).size).toBe(1)
  expect(of.map((box) => box?.x)).toEqual(at.map((box) => box?.x))

  await page.getByLabel('Action').selectOption('sign in')
  await expect(page).toHaveURL(/\?action=sign\+in$/)
  await page.getByLabel('To', { exact: true }).fill('2020-01-01')
  await expect(page.getByText('No matches.')).toBeVisible()
  await page.getByLabel('To', { exact: true }).fill('')
  await expect(page.getByRole('row').filter({ hasText: 'sign in administrator' })).not.toHaveCount(
    0,
  )
})

async function saved(page: Page, save: () => Promise<void>) {
  const downloading = page.waitForEvent('download')
  await save()
  const download = await downloading
  const content = await readFile(await download.path())
  return { name: download.suggestedFilename(), text: content.toString('latin1') }
}
