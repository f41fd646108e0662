/** Signing in, keeping the session across reloads and tabs, and ending it. */
import { type Browser, expect, type Page } from '@playwright/test'
import { test } from './product.ts'
import { newEmail, signIn } from './steps.ts'

const storedKey = (page: Page) => page.evaluate(() => localStorage.getItem('API-key'))

test(
  'SPEC 3.1, 4.1, 4.3, 4.4: reload, back navigation and a second tab keep the session; Logout and closing the last tab end it',
  { tag: '@smoke' },
  async ({ page, context, browser, baseURL }) => {
    await signIn(page, newEmail())
    const key = await storedKey(page)
    for (let round = 0; round < 4; round++) await page.reload()
    await expect(page.getByRole('heading', { name: 'Upload targets and compounds' })).toBeVisible()
    await page.goto('/results')
    await page.goBack()
    await expect(page).toHaveURL(/\/prompt$/)
    const second = await context.newPage()
    await second.goto('/prompt')
    await expect(
      second.getByRole('heading', { name: 'Upload targets and compounds' }),
    ).toBeVisible()
    await closeTab(second)
    await expectLastTabEnds(browser, baseURL)
    await page.reload()
    await expect(page.getByRole('heading', { name: 'Upload targets and compounds' })).toBeVisible()
    expect(await storedKey(page)).toBe(key)
    await page.getByRole('button', { name: 'Logout' }).click()
    await expect(page.getByRole('button', { name: 'Sign in with Google' })).toBeVisible()
    await untilRefused(baseURL, key ?? '')
  },
)

/** Another user's only tab closes. Once that session has ended, so has the grace period of every tab closed earlier. */
async function expectLastTabEnds(browser: Browser, baseURL: string): Promise<void> {
  const context = await browser.newContext({ baseURL, locale: 'en-GB' })
  const page = await context.newPage()
  await signIn(page, newEmail())
  const key = (await storedKey(page)) ?? ''
  await closeTab(page)
  const later = await context.newPage()
  await later.goto('/prompt')
  await expect(later.getByRole('button', { name: 'Sign in with Google' })).toBeVisible()
  expect(await storedKey(later)).toBeNull()
  await untilRefused(baseURL, key)
  const answer = await fetch(`${baseURL}/dta/login`, {
    method: 'POST',
    headers: { 'API-Key': key },
  })
  expect(answer.status).toBe(401)
  await context.close()
}

/** Closes a tab as a user does: `pagehide` runs. Waits until it is gone, because other tabs count it until then. */
async function closeTab(page: Page): Promise<void> {
  const closed = page.waitForEvent('close')
  await page.close({ runBeforeUnload: true })
  await closed
}

async function untilRefused(url: string, key: string): Promise<void> {
  const ask = () => fetch(`${url}/dta/credits`, { headers: { 'API-Key': key } })
  await expect.poll(async () => (await ask()).status).toBe(401)
}
