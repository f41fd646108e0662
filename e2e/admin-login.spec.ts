/** Access to the admin area, and how a session lasts and ends. */
import { expect } from '@playwright/test'
import { administrator, loginAdmin, test } from './admin-steps.ts'

for (const path of ['/admin', '/admin/users', '/admin/users/create', '/admin/database/stats']) {
  test(`SPEC 2.22: ${path} redirects a stranger to the login`, async ({ page }) => {
    await page.goto(path)
    await expect(page).toHaveURL(/\/admin\/login$/)
    await expect(page.getByRole('heading', { name: 'Administration' })).toBeVisible()
  })
}

test('SPEC 2.21: an unknown admin address redirects to the login', async ({ page }) => {
  await page.goto('/admin/nowhere/at/all')
  await expect(page).toHaveURL(/\/admin\/login$/)
})

test('SPEC 2.14, 8.14: a wrong password shows an error, the right one opens the requested page', async ({
  page,
}) => {
  await page.goto('/admin/database/stats')
  await page.getByLabel('Email').fill(administrator.email)
  await page.getByLabel('Password').fill('a-wrong-password')
  await page.getByRole('button', { name: 'Login' }).click()
  await expect(page.getByRole('alert')).toHaveText('Login failed. Please check your credentials.')
  await page.getByLabel('Password').fill(administrator.password)
  await page.getByRole('button', { name: 'Login' }).click()
  await expect(page.getByRole('heading', { name: 'Database Stats' })).toBeVisible()
  await expect(page).toHaveURL(/\/admin\/database\/stats$/)
})

test('SPEC 3.10, 4.18: a session survives a reload, and other tabs share it', async ({ page }) => {
  await loginAdmin(page)
  const stored = await page.evaluate(() => Object.keys(localStorage))
  expect(stored).toEqual(expect.arrayContaining(['admin-token', 'admin-api-key', 'admin-email']))
  await page.goto('/admin/users')
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Users' })).toBeVisible()
  const second = await page.context().newPage()
  await second.goto('/admin/database/export')
  await expect(second.getByRole('heading', { name: 'Export Data' })).toBeVisible()
  await second.getByRole('button', { name: 'Logout' }).click()
  await expect(page).toHaveURL(/\/admin\/login$/)
})

test('SPEC 4.18: an expired session is cleared, and the login says why', async ({ page }) => {
  await loginAdmin(page)
  await page.evaluate(() => {
    localStorage.setItem('admin-token', 'no-such-token')
    localStorage.setItem('admin-api-key', 'no-such-key')
  })
  await page.goto('/admin/users')
  await expect(page.getByRole('alert')).toHaveText('Admin session expired. Please login again.')
  expect(await page.evaluate(() => localStorage.getItem('admin-token'))).toBeNull()
})

test('SPEC 4.18: without a network the credentials are kept', async ({ page }) => {
  await loginAdmin(page)
  await page.route('**/admin/users?*', (route) => route.abort())
  await page.reload()
  await expect(page.getByRole('heading', { name: 'The server cannot be reached' })).toBeVisible()
  await page.unroute('**/admin/users?*')
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
})

test('SPEC 4.17: after Logout the token is no longer valid', async ({ page, baseURL }) => {
  await loginAdmin(page)
  const token = await page.evaluate(() => localStorage.getItem('admin-token'))
  const gone = page.waitForResponse('**/admin/auth/logout')
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page).toHaveURL(/\/admin\/login$/)
  expect((await gone).ok()).toBe(true)
  const answer = await fetch(`${baseURL}/admin/users`, {
    headers: { Authorization: `Bearer ${token}` },
  })
  expect(answer.status).toBe(401)
})

test('SPEC 4.19: without an API key the token is used alone, with a warning', async ({ page }) => {
  await page.route('**/admin/auth/api-key', (route) => route.fulfill({ status: 500, body: '' }))
  await loginAdmin(page)
  await expect(page.getByText('Signed in without an API key')).toBeVisible()
  await page.getByRole('link', { name: 'Users' }).click()
  await expect(page.getByRole('heading', { name: 'Users' })).toBeVisible()
})
