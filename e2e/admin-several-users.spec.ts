/** An administrator, many users at once, and other administrators. */
import { expect, type Page } from '@playwright/test'
import { administrator, loginAdmin, makeUsers, newPrefix, test } from './admin-steps.ts'

test('users are chosen in the list, credited with a note, and switched off; the list is found again as it was', async ({
  page,
  baseURL,
}) => {
  const prefix = newPrefix('several')
  await makeUsers(baseURL, 4, prefix)
  await loginAdmin(page)
  await page.goto(`/admin/users?search=${prefix}&sort=credits`)
  await page.getByLabel(`Choose ${prefix}-001@lab.example`).check()
  await page.getByLabel(`Choose ${prefix}-003@lab.example`).check()
  await page.getByRole('button', { name: 'Change credits' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Credits to add').fill('-2')
  await dialog.getByRole('button', { name: 'Change credits' }).click()
  await expect(dialog.getByRole('alert')).toContainText(
    'The balance is 1, and 2 cannot be taken from it.',
  )
  await dialog.getByLabel('Credits to add').fill('50')
  await dialog.getByLabel('Note').fill('Course of spring')
  await dialog.getByRole('button', { name: 'Change credits' }).click()
  await expect(page.getByText('The credits of 2 users were changed.')).toBeVisible()
  const rowOf = (number: number) =>
    page.getByRole('row').filter({ hasText: `${prefix}-00${number}@lab.example` })
  await expect(rowOf(1)).toContainText('51')
  await expect(rowOf(3)).toContainText('53')
  await expect(rowOf(1)).toContainText('Never')

  await page.getByLabel('Choose every user on this page').check()
  await page.getByRole('button', { name: 'Switch off' }).click()
  await dialog.getByRole('button', { name: 'Switch off' }).click()
  await expect(page.getByText('3 users were switched off. 1 user had been before.')).toBeVisible()
  await expect(rowOf(4)).toContainText('Inactive')

  await rowOf(1).getByRole('link', { name: 'Edit' }).click()
  const ledger = page.getByRole('table', { name: 'Credits ledger' })
  await expect(ledger.getByRole('row').nth(1)).toContainText('Course of spring')
  await page.getByLabel('Credits to add').fill('-1')
  await page.getByRole('button', { name: 'Change credits' }).click()
  await expect(page.getByText('The balance is 50 now.')).toBeVisible()
  await expect(page.getByRole('spinbutton', { name: 'Credits' })).toHaveValue('50')
  await page.getByRole('link', { name: 'Cancel' }).click()
  await expect(page).toHaveURL(new RegExp(`search=${prefix}&sort=credits$`))
})

test('a CSV creates and credits users, every line or none, and the same file not twice', async ({
  page,
  baseURL,
}) => {
  const prefix = newPrefix('csv')
  await makeUsers(baseURL, 1, prefix)
  await loginAdmin(page)
  await page.goto('/admin/users')
  await page.getByRole('link', { name: 'Import a CSV' }).click()
  const lines = [
    'email;name;credits;note',
    `${prefix}-new@lab.example;Ada;5;spring`,
    `${prefix}-001@lab.example;;7;spring`,
  ]
  await choose(page, [...lines, 'nobody;;1;'].join('\r\n'))
  await expect(page.getByRole('alert')).toContainText('1 line cannot be used')
  const report = page.getByRole('table', { name: 'Lines' })
  await expect(report.getByRole('row').nth(1)).toContainText('This is not an e-mail address.')

  await choose(page, lines.join('\r\n'))
  await page.getByRole('button', { name: 'Take the list in' }).click()
  await expect(page.getByText('The list was taken in')).toBeVisible()
  await expect(report.getByRole('row').nth(2)).toContainText('Balance changed')
  await choose(page, lines.join('\r\n'))
  await expect(page.getByText(/^This list was taken in on /)).toBeVisible()

  await page.goto(`/admin/users?search=${prefix}`)
  const rowOf = (email: string) => page.getByRole('row').filter({ hasText: email })
  await expect(rowOf(`${prefix}-001@lab.example`)).toContainText('8')
  await expect(rowOf(`${prefix}-new@lab.example`)).toContainText('5')
})

test('a second administrator is made, changes the password, and is deleted', async ({
  page,
  browser,
  baseURL,
}) => {
  const email = `${newPrefix('second')}@lab.example`
  await loginAdmin(page)
  await page.getByRole('link', { name: 'Administrators' }).click()
  await page.getByLabel('Email of another administrator').fill(email)
  await page.getByRole('button', { name: 'Make administrator' }).click()
  await expect(page.getByText(`Password of ${email}, shown once`)).toBeVisible()
  const password = await page.locator('code').innerText()
  await page.getByRole('button', { name: 'Done' }).click()

  const context = await browser.newContext({ baseURL })
  const second = await context.newPage()
  await login(second, { email, password })
  await second.getByRole('link', { name: 'Administrators' }).click()
  const next = 'a password of my own'
  await second.getByLabel('Current password').fill('a guess')
  await second.getByLabel('New password', { exact: true }).fill(next)
  await second.getByLabel('New password again').fill(next)
  await second.getByRole('button', { name: 'Change password' }).click()
  await expect(second.getByRole('alert')).toContainText('This is not your current password.')
  await second.getByLabel('Current password').fill(password)
  await second.getByRole('button', { name: 'Change password' }).click()
  await expect(second.getByText(/^Your password was changed/)).toBeVisible()
  await second.getByRole('button', { name: 'Logout' }).click()
  await expect(second.getByRole('button', { name: 'Login' })).toBeVisible()
  await login(second, { email, password: next })

  await page.getByRole('button', { name: `Delete ${email}` }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText(`${email} is no administrator any more.`)).toBeVisible()
  await second.reload()
  await expect(second.getByText(/^Admin session expired/)).toBeVisible()
  await context.close()
  await expect(page.getByText(`${administrator.email} (you)`)).toBeVisible()
})

/** Once the report of the list before is gone, the one that stands there is of this list. */
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
  // The dashboard, or the page from which one logged out.
  await expect(page.getByRole('navigation', { name: 'Admin' })).toBeVisible()
}
