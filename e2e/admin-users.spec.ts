/** An administrator and the users: the list, and one user from creation to deletion. */
import { expect } from '@playwright/test'
import { API_KEY_HEADER, readCredits } from '@pkdex/contract'
import { loginAdmin, newPrefix } from './admin-steps.ts'
import { test } from './product.ts'

test(
  'SPEC 2.17, 2.18, 4.20, 5.10, 6.5, 6.6: create a user, create a key, use it, set credits, delete',
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
    const dialog = page.getByRole('dialog')
    await expect(dialog).toContainText(
      'Are you sure you want to delete this user? This action cannot be undone.',
    )
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await expect(page.getByText(`${email} was deleted.`)).toBeVisible()
    expect(await credits()).toBe(401)

    await page.getByRole('link', { name: 'Audit Log' }).click()
    await page.getByRole('searchbox').fill(email)
    await expect(page.getByRole('table', { name: 'Audit log' }).getByRole('row')).not.toHaveCount(1)
  },
)
