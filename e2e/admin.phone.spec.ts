/** The admin area on a phone: nothing scrolls sideways, and a row of the user list shows status and actions. */
import { expect, type Page } from '@playwright/test'
import { loginAdmin, makeUsers, newPrefix } from './admin-steps.ts'
import { phone, test } from './product.ts'
import { enlargeText, overflow } from './steps.ts'

test.use(phone)

test('a user’s row shows status and actions without scrolling sideways', async ({
  page,
  baseURL,
}) => {
  const prefix = newPrefix('phone')
  await makeUsers(baseURL, 3, prefix)
  await loginAdmin(page)
  await page.goto(`/admin/users?search=${prefix}`)
  const row = page.getByRole('row').filter({ hasText: `${prefix}-002@lab.example` })
  await expect(row.getByText('Inactive')).toBeInViewport({ ratio: 1 })
  await expect(row.getByRole('link', { name: 'Edit' })).toBeInViewport({ ratio: 1 })
  await expect(row.getByRole('button', { name: 'Delete' })).toBeInViewport({ ratio: 1 })
  const choice = await row.getByRole('checkbox').boundingBox()
  const name = await row.getByText(`${prefix} 2`, { exact: true }).boundingBox()
  expect((choice?.x ?? 0) + (choice?.width ?? 0)).toBeLessThanOrEqual(name?.x ?? 0)
  expect(await overflow(page)).toBe(0)
})

test('SPEC 18.2: no admin page scrolls sideways, and touch targets are at least 44 px high', async ({
  page,
  baseURL,
}) => {
  const prefix = newPrefix('touch')
  await makeUsers(baseURL, 12, prefix)
  await loginAdmin(page)
  await page.goto(`/admin/users?search=${prefix}`)
  const edit = await page.getByRole('link', { name: 'Edit' }).first().getAttribute('href')
  for (const path of [
    '/admin',
    `/admin/users?search=${prefix}`,
    edit ?? '',
    '/admin/users/create',
    '/admin/users/import',
    '/admin/administrators',
    '/admin/database/stats',
    '/admin/database/export',
    '/admin/audit',
  ]) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await page.waitForLoadState('networkidle')
    expect(await overflow(page), path).toBe(0)
    expect(await smallTargets(page), path).toEqual([])
  }
})

test('with text twice as large the admin pages fit, and all users on a page can be selected', async ({
  page,
  baseURL,
}) => {
  const prefix = newPrefix('large')
  await makeUsers(baseURL, 45, prefix)
  await enlargeText(page)
  await loginAdmin(page)
  await page.waitForLoadState('networkidle')
  expect(await overflow(page)).toBe(0)
  const role = await page.getByText('Administration', { exact: true }).boundingBox()
  const logout = await page.getByRole('button', { name: 'Logout' }).boundingBox()
  expect((role?.y ?? 0) + (role?.height ?? 0)).toBeLessThanOrEqual(logout?.y ?? 0)
  for (const path of ['/admin/database/export', '/admin/administrators', '/admin/audit']) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await page.waitForLoadState('networkidle')
    expect(await overflow(page), path).toBe(0)
  }
  await page.goto(`/admin/users?search=${prefix}`)
  await page.getByLabel('Select all users on this page').check()
  await expect(page.getByText('10 users selected')).toBeVisible()
  expect(await overflow(page)).toBe(0)
})

/** Links within a line of text are exempt, as in WCAG. */
function smallTargets(page: Page) {
  return page.evaluate(() =>
    [
      ...document.querySelectorAll(
        'button, a:not(p a, strong + a), select, input:not([role=switch])',
      ),
    ]
      .filter((element) => element.checkVisibility() && element.closest('[class*=skip]') === null)
      .map((element) => ({
        text: element.textContent,
        height: element.getBoundingClientRect().height,
      }))
      .filter(({ text, height }) => height > 0 && height < 44 && text !== 'Skip to content'),
  )
}
