/** Signing in with a real OpenID Connect provider, for the first time and again. */
import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, test } from '@playwright/test'
import { openTestProvider, settingOf } from '../apps/server/test/open-test-provider.ts'
import { startProduct } from './start-product.ts'

test('a person signs in with another provider, signs out, and is the same person the next time', async ({
  browser,
}) => {
  const port = await findPort()
  const url = `http://127.0.0.1:${port}`
  const provider = await openTestProvider(url)
  const down = { name: 'Elsewhere', issuer: 'http://127.0.0.1:9', client_id: 'pkdex' }
  const product = await startProduct({
    PORT: String(port),
    PUBLIC_URL: url,
    OIDC_PROVIDERS: JSON.stringify([settingOf(provider, 'Lab'), down]),
  })
  const context = await browser.newContext({ baseURL: url })
  const page = await context.newPage()
  try {
    await page.goto('/')
    await page.getByRole('button', { name: 'Sign in with Elsewhere' }).click()
    await expect(page.getByRole('alert')).toContainText('Elsewhere could not be reached.')
    await expect(page.getByRole('button', { name: 'Sign in with Google' })).toHaveCount(0)
    for (let round = 0; round < 2; round++) {
      await page.getByRole('button', { name: 'Sign in with Lab' }).focus()
      await page.keyboard.press('Enter')
      await expect(page).toHaveURL(/\/prompt$/)
      const key = await page.evaluate(() => localStorage.getItem('API-key'))
      const headers = { 'API-Key': key ?? '' }
      const ledger = await (await fetch(`${url}/dta/credits/ledger`, { headers })).json()
      expect(ledger.entries).toHaveLength(1)
      await page.getByRole('button', { name: 'Logout' }).click()
    }
    const there = await page
      .getByRole('link', { name: 'Sign out of Lab, too' })
      .getAttribute('href')
    expect(there).toContain(`${provider.issuer}/session/end`)
    expect(there).toContain('id_token_hint=')
    expect(
      await page.evaluate(() =>
        Object.keys(localStorage).filter((name) => /key|sign-in/i.test(name)),
      ),
    ).toEqual([])
    await page.goto('/sign-in/return?code=stolen&state=stolen')
    await expect(page.getByText('This sign-in was not started in this tab.')).toBeVisible()
  } finally {
    await context.close()
    await product.stop()
    await provider.close()
  }
})

test('SPEC 34.5: a second provider is added in a new tab, signs in to the page that was asked for, and is removed', async ({
  browser,
}) => {
  const port = await findPort()
  const url = `http://127.0.0.1:${port}`
  const [lab, other] = [await openTestProvider(url), await openTestProvider(url)]
  other.person = { sub: 'ada', email: 'ada@elsewhere.example', email_verified: true, name: 'Ada' }
  const product = await startProduct({
    PORT: String(port),
    PUBLIC_URL: url,
    OIDC_PROVIDERS: JSON.stringify([settingOf(lab, 'Lab'), settingOf(other, 'Other')]),
  })
  const context = await browser.newContext({ baseURL: url })
  const page = await context.newPage()
  try {
    await page.goto('/')
    await page.getByRole('button', { name: 'Sign in with Lab' }).click()
    await expect(page).toHaveURL(/\/prompt$/)
    await page.goto('/account?view=account')
    const opened = context.waitForEvent('page')
    await page.getByRole('button', { name: 'Add Other' }).click()
    const tab = await opened
    await expect(tab).toHaveURL(/\/account\?view=account$/)
    await expect(tab.getByRole('table', { name: 'Sign-in' })).toContainText('ada@elsewhere.example')
    await tab.close()
    await page.getByRole('button', { name: 'Logout' }).click()
    await page.goto('/history?search=aspirin')
    await page.getByRole('button', { name: 'Sign in with Other' }).click()
    await expect(page).toHaveURL(/\/history\?search=aspirin$/)
    await page.goto('/account?view=account')
    await page.getByRole('button', { name: 'Remove Lab' }).click()
    await page.getByRole('button', { name: 'Remove', exact: true }).click()
    await expect(page.getByText('Lab was removed.')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Remove Other' })).toHaveCount(0)
  } finally {
    await context.close()
    await product.stop()
    await Promise.all([lab.close(), other.close()])
  }
})

async function findPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' ? (address?.port ?? 0) : 0
}
