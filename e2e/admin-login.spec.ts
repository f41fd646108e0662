/** Access to the admin area, and how a session lasts and ends. */
import { expect } from '@playwright/test'
import { administrator, loginAdmin, test } from './admin-steps.ts'

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
