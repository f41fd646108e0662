/** No axe violation on any admin screen, in its states, light or dark (WCAG 2.2 AA). */
import { expect } from '@playwright/test'
import { readDatabaseStats } from '@pkdex/contract'
import { loginAdmin, makeUsers, newPrefix } from './admin-steps.ts'
import { administrator, test } from './product.ts'
import { expectNoViolations, looks } from './no-violations.ts'

for (const { colorScheme, width } of looks) {
  test(`SPEC 18.1: axe finds no violation on any admin page, ${colorScheme}, ${width} px`, async ({
    page,
    baseURL,
  }) => {
    const prefix = newPrefix('axe')
    await makeUsers(baseURL, 12, prefix)
    await page.setViewportSize({ width, height: 860 })
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.goto('/admin/login')
    await page.getByLabel('Email').fill(administrator.email)
    await page.getByRole('button', { name: 'Login' }).click()
    await expect(page.getByText('Enter your password.')).toBeVisible()
    await expectNoViolations(page)
    await loginAdmin(page)
    await expect(page.getByText(/^Updated /)).toBeVisible()
    await expectNoViolations(page)
    await page.route(`**${readDatabaseStats.path}`, (route) =>
      route.fulfill({ status: 500, json: { detail: 'The disk is full.' } }),
    )
    await page.reload()
    await expect(page.getByText(/^Failed to load dashboard data: /)).toBeVisible()
    await page.getByRole('button', { name: 'Run Debug Test' }).click()
    await expect(page.getByRole('table')).toBeVisible()
    await expectNoViolations(page)
    await page.unroute(`**${readDatabaseStats.path}`)

    await page.goto(`/admin/users?search=${prefix}`)
    await expect(page.getByText('12 users found')).toBeVisible()
    await expectNoViolations(page)
    await page.getByRole('button', { name: `Delete ${prefix}-001@lab.example` }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await expectNoViolations(page)
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: `Edit ${prefix}-001@lab.example` }).click()
    await page.getByRole('button', { name: 'Generate API key' }).click()
    await expect(page.getByText('New key (shown only once)')).toBeVisible()
    await expect(page.getByRole('table', { name: 'API keys' })).toBeVisible()
    await expectNoViolations(page)
    await page.getByRole('button', { name: 'Done' }).click()
    await expect(page.getByText('You have not copied the new key')).toBeVisible()
    await expectNoViolations(page)
    await page.getByRole('button', { name: 'Continue without copying' }).click()

    await page.goto('/admin/users/create')
    await page.getByRole('button', { name: 'Create user' }).click()
    await expect(page.getByText('Email is required.')).toBeVisible()
    await expectNoViolations(page)
    await page.goto('/admin/users/no-such-user')
    await expect(page.getByRole('alert').first()).toBeVisible()
    await expectNoViolations(page)
    for (const path of ['/admin/database/stats', '/admin/database/export', '/admin/audit']) {
      await page.goto(path)
      await expect(page.getByRole('table').first()).toBeVisible()
      await expectNoViolations(page)
    }
    await page.getByRole('searchbox').fill('nothing like this')
    await expect(page.getByText(/^No matches for/)).toBeVisible()
    await expectNoViolations(page)
  })

  test(`axe finds no violation on the pages for several users and for administrators, ${colorScheme}, ${width} px`, async ({
    page,
    baseURL,
  }) => {
    const prefix = newPrefix('axe')
    await makeUsers(baseURL, 3, prefix)
    await page.setViewportSize({ width, height: 860 })
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await loginAdmin(page)
    await page.goto(`/admin/users?search=${prefix}`)
    await page.getByLabel('Select all users on this page').check()
    await page.getByRole('button', { name: 'Change credits' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Change credits' }).click()
    await expect(page.getByText(/^Enter a number such as 50/)).toBeVisible()
    await expectNoViolations(page)
    await page.keyboard.press('Escape')
    await expectNoViolations(page)
    await page.goto('/admin/users/import')
    const list = `email,credits\n${prefix}-001@lab.example,5\nnobody,1`
    await page.getByLabel('Users as CSV').fill(list)
    await page.getByRole('button', { name: 'Preview' }).click()
    await expect(page.getByText('1 line invalid')).toBeVisible()
    await expectNoViolations(page)
    await page.goto('/admin/administrators')
    await expect(page.getByRole('table', { name: 'Administrators' })).toBeVisible()
    await page.getByRole('button', { name: 'Change password' }).click()
    await expectNoViolations(page)
  })
}
