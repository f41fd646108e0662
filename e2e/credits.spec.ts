/** When credits run out the page says so, nothing is charged, and the current prediction stays visible. */
import { expect } from '@playwright/test'
import { setCredits } from './admin-steps.ts'
import { test } from './product.ts'
import { creditsOf, newEmail, reading, select, signIn, uploadSamples } from './steps.ts'

test(
  'the last credit pays for a prediction; the next pair is refused and costs nothing',
  { tag: '@smoke' },
  async ({ page, baseURL }) => {
    const email = newEmail()
    await signIn(page, email)
    await uploadSamples(page)
    await setCredits(baseURL, email, 1)
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
    await page.goto('/account?view=credits')
    const ledger = page.getByRole('table', { name: 'Credits ledger' })
    await expect(ledger.getByRole('row').nth(1)).toContainText(/prediction.*−1.*0/)
  },
)
