/** When credits run out the page says so, nothing is charged, and the current prediction stays visible. */
import { expect, type Page } from '@playwright/test'
import { test } from './product.ts'
import { startProduct } from './start-product.ts'
import { creditsOf, newEmail, reading, select, signIn, uploadSamples } from './steps.ts'

test(
  'the last credit pays for a prediction; the next pair is refused and costs nothing',
  { tag: '@smoke' },
  async ({ browser }) => {
    const product = await startProduct({ INITIAL_CREDITS: '1' })
    try {
      const page = await browser.newPage({ baseURL: product.url })
      await spendLastCredit(page)
      await page.close()
    } finally {
      await product.stop()
    }
  },
)

async function spendLastCredit(page: Page): Promise<void> {
  await signIn(page, newEmail())
  await uploadSamples(page)
  await select(page, 'Targets', '1hpv')
  await select(page, 'Compounds', 'darunavir')
  await expect(reading(page).getByText(/^pKd = /)).toBeVisible()
  await expect.poll(() => creditsOf(page)).toBe(0)
  await select(page, 'Compounds', 'caffeine')
  await expect(reading(page).getByRole('alert')).toContainText(/credits/i)
  await expect(reading(page).getByText(/^pKd = /)).toBeHidden()
  await select(page, 'Compounds', 'darunavir')
  await expect(reading(page).getByText(/^pKd = /)).toBeVisible()
  expect(await creditsOf(page)).toBe(0)
  await page.goto('/account')
  const ledger = page.getByRole('table', { name: 'Credits ledger' })
  await expect(ledger.getByRole('row').nth(1)).toContainText(/prediction.*−1.*0/)
}
