/** Administrators act on several users, and manage other administrators. */
import { expect, type Page } from '@playwright/test'
import { administrator, loginAdmin, makeUsers, newPrefix, test } from './admin-steps.ts'

test('SPEC 26.13: selected users are set to one balance with a note, changed, and deactivated; the list keeps its state', async ({
  page,
  baseURL,
}) => {
  const prefix = newPrefix('several')
  await makeUsers(baseURL, 4, prefix)
  await loginAdmin(page)
  await page.goto(`/admin/users?search=${prefix}&sort=credits`)
  await page.getByLabel(`Select ${prefix}-001@lab.example`).check()
  await page.getByLabel(`Select ${prefix}-003@lab.example`).check()
  await page.getByRole('button', { name: 'Change credits' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Credits').fill('-2')
  await expect(dialog.getByText('Remove 2 credits from each of 2 users.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Change credits' }).click()
  await expect(dialog.getByRole('alert')).toContainText('The balance is 1; 2 cannot be removed.')
  await dialog.getByLabel('Credits').fill('+10')
  await expect(dialog.getByText('Add 10 credits to each of 2 users.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Change credits' }).click()
  await expect(page.getByText('10 credits added to each of 2 users.')).toBeVisible()
  const rowOf = (number: number) =>
    page.getByRole('row').filter({ hasText: `${prefix}-00${number}@lab.example` })
  await expect(rowOf(1)).toContainText('11')
  await expect(rowOf(3)).toContainText('13')

  await page.getByLabel(`Select ${prefix}-001@lab.example`).check()
  await page.getByLabel(`Select ${prefix}-003@lab.example`).check()
  await page.getByRole('button', { name: 'Change credits' }).click()
  await dialog.getByLabel('Credits').fill('51')
  await dialog.getByLabel('Note').fill('Spring course')
  await expect(dialog.getByText('Set 2 users to 51 credits.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Change credits' }).click()
  await expect(page.getByText('2 users now have 51 credits.')).toBeVisible()
  await expect(rowOf(1)).toContainText('51')
  await expect(rowOf(3)).toContainText('51')
  await expect(rowOf(1)).toContainText('Never')

  await page.getByLabel('Select all users on this page').check()
  await page.getByRole('button', { name: 'Deactivate' }).click()
  await dialog.getByRole('button', { name: 'Deactivate' }).click()
  await expect(page.getByText('3 users deactivated. 1 user already inactive.')).toBeVisible()
  await expect(rowOf(4)).toContainText('Inactive')

  await rowOf(1).getByRole('link', { name: 'Edit' }).click()
  const ledger = page.getByRole('table', { name: 'Credits ledger' })
  await expect(ledger.getByRole('row').nth(1)).toContainText('Spring course')
  const credits = page.getByRole('textbox', { name: 'Credits' })
  await credits.fill('-1')
  await page.getByLabel('Note').fill('Correction')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Saved')).toBeVisible()
  await expect(credits).toHaveValue('50')
  await expect(ledger.getByRole('row').nth(1)).toContainText('Correction')
  await credits.fill('+10')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(credits).toHaveValue('60')
  await credits.fill('50')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(ledger.getByRole('row').nth(1)).toContainText('-10'.replace('-', '−'))
  await page.getByRole('link', { name: 'Cancel' }).click()
  await expect(page).toHaveURL(new RegExp(`search=${prefix}&sort=credits$`))
})

test('a page is selected, then all users that match the search; the list sorts by last seen', async ({
  page,
  baseURL,
}) => {
  const prefix = newPrefix('matching')
  await makeUsers(baseURL, 12, prefix)
  await loginAdmin(page)
  await page.goto(`/admin/users?search=${prefix}`)
  await page.getByLabel('Select all users on this page').check()
  const selected = page.getByRole('region', { name: 'Selected users' })
  await expect(selected).toContainText('10 users selected')
  await selected.getByRole('button', { name: 'Select all 12 users' }).click()
  await expect(selected).toContainText('12 users selected')
  await page.getByRole('button', { name: 'Last seen' }).click()
  await expect(page).toHaveURL(/sort=last_seen&order=desc/)
  await expect(page.getByRole('row').filter({ hasText: prefix })).toHaveCount(10)
})

test('a CSV creates users and adds credits, all lines or none, and not twice for the same file', async ({
  page,
  baseURL,
}) => {
  const prefix = newPrefix('csv')
  await makeUsers(baseURL, 1, prefix)
  await loginAdmin(page)
  await page.goto('/admin/users')
  await page.getByRole('link', { name: 'Import users' }).click()
  const lines = [
    'email;name;credits;note',
    `${prefix}-new@lab.example;Ada;5;spring`,
    `${prefix}-001@lab.example;;7;spring`,
  ]
  await choose(page, [...lines, 'nobody;;1;'].join('\r\n'))
  await expect(page.getByRole('alert')).toContainText('1 line invalid')
  const report = page.getByRole('table', { name: 'Lines' })
  await expect(report.getByRole('row').nth(1)).toContainText('The email address is not valid.')
  await expect(page.getByRole('button', { name: 'Import users' })).toHaveCount(0)

  await choose(page, lines.join('\r\n'))
  const preview = '1 new user, 1 balance change. Nothing has changed yet.'
  await expect(page.getByText(preview)).toBeVisible()
  await page.getByRole('button', { name: 'Import users' }).click()
  await expect(page.getByText('Import complete')).toBeVisible()
  await expect(report.getByRole('row').nth(2)).toContainText('Balance changed')
  await choose(page, lines.join('\r\n'))
  await expect(page.getByText(/^This list was imported on /)).toBeVisible()

  await page.goto(`/admin/users?search=${prefix}`)
  const rowOf = (email: string) => page.getByRole('row').filter({ hasText: email })
  await expect(rowOf(`${prefix}-001@lab.example`)).toContainText('8')
  await expect(rowOf(`${prefix}-new@lab.example`)).toContainText('5')
})

test('a second administrator is added, changes the password, and is deleted', async ({
  page,
  browser,
  baseURL,
}) => {
  const email = `${newPrefix('second')}@lab.example`
  await loginAdmin(page)
  await page.getByRole('link', { name: 'Administrators' }).click()
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Add administrator' }).click()
  await expect(page.getByText(`Password for ${email} (shown only once)`)).toBeVisible()
  const password = await page.locator('code').innerText()
  await page.getByRole('button', { name: 'Done' }).click()

  const context = await browser.newContext({ baseURL })
  const second = await context.newPage()
  await login(second, { email, password })
  await second.getByRole('link', { name: 'Administrators' }).click()
  const next = 'a password of my own'
  await second.getByLabel('Current password').fill('a guess')
  await second.getByLabel('New password', { exact: true }).fill(next)
  await second.getByLabel('Repeat new password').fill(next)
  await second.getByRole('button', { name: 'Change password' }).click()
  await expect(second.getByRole('alert')).toContainText('The current password is wrong.')
  await second.getByLabel('Current password').fill(password)
  await second.getByRole('button', { name: 'Change password' }).click()
  await expect(second.getByText(/^Your password was changed/)).toBeVisible()
  await second.getByRole('button', { name: 'Logout' }).click()
  await expect(second.getByRole('button', { name: 'Login' })).toBeVisible()
  await login(second, { email, password: next })

  await page.getByRole('button', { name: `Delete ${email}` }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText(`${email} was deleted.`)).toBeVisible()
  await second.reload()
  await expect(second.getByText(/^Admin session expired/)).toBeVisible()
  await context.close()
  await expect(page.getByText(`${administrator.email} (you)`)).toBeVisible()
  await expect(page.getByRole('button', { name: `Delete ${administrator.email}` })).toHaveCount(0)
})

/** Chooses a CSV after the report of the previous one is gone, so that the visible report belongs to this one. */
async function choose(page: Page, csv: string): Promise<void> {
  const file = { name: 'users.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) }
  await page.getByLabel('CSV file').setInputFiles(file)
  await expect(page.getByLabel('Users as CSV')).toHaveValue(csv.replaceAll('\r\n', '\n'))
}

async function login(page: Page, { email, password }: typeof administrator): Promise<void> {
  await page.goto('/admin/login')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Login' }).click()
  // The dashboard, or the page on which the administrator logged out.
  await expect(page.getByRole('navigation', { name: 'Admin pages' })).toBeVisible()
}
