/** An administrator and the users: the list, and one user from creation to deletion. */
import { expect } from '@playwright/test'
import { API_KEY_HEADER, readCredits } from '@pkdex/contract'
import { loginAdmin, makeUsers, newPrefix, test } from './admin-steps.ts'
import { chooseAccount, creditsOf } from './steps.ts'

test('SPEC 2.16, 5.9, 5.12, 9.5: search, sorting and page are in the URL', async ({
  page,
  baseURL,
}) => {
  const prefix = newPrefix('list')
  await makeUsers(baseURL, 23, prefix)
  await loginAdmin(page)
  await page.goto('/admin/users?page=2')
  await page.getByRole('searchbox').fill(prefix.toUpperCase())
  await expect(page).toHaveURL(new RegExp(`/admin/users\\?search=${prefix.toUpperCase()}$`))
  await expect(page.getByText('23 users found')).toBeVisible()
  const emails = page.getByRole('row').getByText(/@lab\.example$/)
  await expect(emails).toHaveCount(10)
  await expect(emails.first()).toHaveText(`${prefix}-001@lab.example`)

  // The effect of a click depends on the current sorting.
  const credits = page.getByRole('columnheader', { name: 'Credits' })
  await credits.getByRole('button').click()
  await expect(credits).toHaveAttribute('aria-sort', 'ascending')
  await credits.getByRole('button').click()
  await expect(credits).toHaveAttribute('aria-sort', 'descending')
  await expect(emails.first()).toHaveText(`${prefix}-023@lab.example`)
  await page.getByRole('link', { name: 'Page 3' }).click()
  await expect(emails).toHaveCount(3)
  await expect(page.getByText('21–23 of 23')).toBeVisible()

  await page.reload()
  await expect(emails).toHaveCount(3)
  await expect(page.getByRole('searchbox')).toHaveValue(prefix.toUpperCase())
  await page.goBack()
  await expect(emails.first()).toHaveText(`${prefix}-023@lab.example`)
})

test('SPEC 3.11, 4.20, 5.10: a user without a name is deleted after confirmation', async ({
  page,
  baseURL,
}) => {
  const prefix = newPrefix('delete')
  await makeUsers(baseURL, 3, prefix)
  await loginAdmin(page)
  await page.goto(`/admin/users?search=${prefix}`)
  const row = page.getByRole('row').filter({ hasText: `${prefix}-003@lab.example` })
  await expect(row).toContainText('(No name)')
  await row.getByRole('button', { name: 'Delete' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText(
    'Are you sure you want to delete this user? This action cannot be undone.',
  )
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(row.getByRole('button', { name: 'Delete' })).toBeFocused()
  await row.getByRole('button', { name: 'Delete' }).click()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await expect(
    page.getByRole('status').filter({ hasText: `${prefix}-003@lab.example was deleted.` }),
  ).toBeFocused()
  await expect(row).toHaveCount(0)
  await expect(page.getByText('2 users found')).toBeVisible()
})

test(
  'SPEC 2.17, 2.18, 6.5, 6.6: create a user, create a key, use it, set credits, delete',
  { tag: '@smoke' },
  async ({ page, baseURL }) => {
    const email = `${newPrefix('hand')}@lab.example`
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await loginAdmin(page)
    await page.getByRole('link', { name: 'Create New User' }).click()
    await page.getByRole('button', { name: 'Create user' }).click()
    await expect(page.getByText('Email is required.')).toBeVisible()
    await page.getByLabel('Email (required)').fill(email)
    await page.getByRole('textbox', { name: 'Credits' }).fill('3')
    await page.getByRole('button', { name: 'Create user' }).click()
    await expect(page.getByText(`${email} was created.`)).toBeVisible()

    await page.getByRole('button', { name: 'Generate API key' }).click()
    await expect(page.getByText('Copy it now. It cannot be shown again.')).toBeVisible()
    await page.getByRole('link', { name: 'Users' }).first().click()
    await expect(page.getByRole('dialog')).toContainText('You have not copied the new key')
    await page.getByRole('button', { name: 'Stay' }).click()
    for (const name of ['Done', 'Generate API key']) {
      await page.getByRole('button', { name }).click()
      await expect(page.getByRole('dialog')).toContainText('You have not copied the new key')
      await page.getByRole('button', { name: 'Go back' }).click()
      await expect(page.getByRole('button', { name })).toBeFocused()
    }
    await page.getByRole('button', { name: 'Copy' }).click()
    const key = await page.evaluate(() => navigator.clipboard.readText())
    const credits = async () => {
      const answer = await fetch(baseURL + readCredits.path, { headers: { [API_KEY_HEADER]: key } })
      return answer.ok ? (await answer.json()).credits : answer.status
    }
    expect(await credits()).toBe(3)

    await page.getByRole('textbox', { name: 'Credits' }).fill('7.5')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('Saved')).toBeVisible()
    expect(await credits()).toBe(7.5)
    const ledger = page.getByRole('table', { name: 'Credits ledger' })
    await expect(ledger.getByRole('row').nth(1)).toContainText('+4.5')

    await page.reload()
    await expect(page.getByText(key)).toHaveCount(0)
    await expect(page.getByRole('table', { name: 'API keys' })).toContainText(key.slice(0, 8))
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await expect(page.getByText(`${email} was deleted.`)).toBeVisible()
    expect(await credits()).toBe(401)

    await page.getByRole('link', { name: 'Audit Log' }).click()
    await page.getByRole('searchbox').fill(email)
    await expect(page.getByRole('table', { name: 'Audit log' }).getByRole('row')).not.toHaveCount(1)
  },
)

test('a revoked key, and a deactivated user, are refused immediately', async ({
  page,
  baseURL,
}) => {
  const prefix = newPrefix('revoke')
  await makeUsers(baseURL, 1, prefix)
  await loginAdmin(page)
  await page.goto(`/admin/users?search=${prefix}`)
  await page.getByRole('link', { name: 'Edit' }).click()
  const makeKey = async () => {
    await page.getByRole('button', { name: 'Generate API key' }).click()
    const key = await page.locator('code').innerText()
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('button', { name: 'Continue without copying' }).click()
    return key
  }
  const status = async (key: string) => {
    const answer = await fetch(baseURL + readCredits.path, { headers: { [API_KEY_HEADER]: key } })
    return answer.status
  }
  const first = await makeKey()
  expect(await status(first)).toBe(200)
  await page.getByRole('button', { name: /^Revoke / }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await expect(page.getByText('No API keys yet.')).toBeVisible()
  expect(await status(first)).toBe(401)

  const second = await makeKey()
  await page.getByRole('switch', { name: 'Active' }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Saved')).toBeVisible()
  expect(await status(second)).toBe(403)
})

test('SPEC 25.5: an invitation link makes another Google account the invited user, once', async ({
  page,
  browser,
  baseURL,
}) => {
  const prefix = newPrefix('invite')
  await makeUsers(baseURL, 1, prefix)
  await loginAdmin(page)
  await page.goto(`/admin/users?search=${prefix}`)
  await page.getByRole('link', { name: 'Edit' }).click()
  await page.getByRole('button', { name: 'Create link' }).click()
  const link = await page.locator('code').innerText()

  const visitor = await browser.newPage()
  await visitor.goto(link)
  await expect(visitor.getByText('You are invited.')).toBeVisible()
  await chooseAccount(visitor, `${prefix}@elsewhere.example`)
  await expect(visitor).toHaveURL(/\/prompt$/)
  expect(await creditsOf(visitor)).toBe(1)

  const late = await browser.newPage()
  await late.goto(link)
  await chooseAccount(late, `${prefix}@late.example`)
  await expect(late.getByRole('alert')).toContainText('This invitation link was used')
  await page.reload()
  await expect(page.getByLabel('Google ID')).not.toHaveValue('')
  await expect(page.getByRole('button', { name: 'Create link' })).toHaveCount(0)
})
