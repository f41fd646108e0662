/** A chemist's whole journey: sign in, upload, select, read the number, see what it cost. */
import { expect } from '@playwright/test'
import { test } from './product.ts'
import { creditsOf, newEmail, reading, select, signIn, uploadSamples } from './steps.ts'

test.beforeEach(async ({ page }) => {
  await signIn(page, newEmail())
  await uploadSamples(page)
})

test('SPEC 2.7, 2.8, 4.5, 4.7, 9.2: a pair of real files gets a number, and credits go down by one', async ({
  page,
}) => {
  const before = await creditsOf(page)
  await select(page, 'Targets', '1hpv')
  await select(page, 'Compounds', 'amprenavir')
  await expect(reading(page).getByText(/^pKd = \d+\.\d\d ± 1\.5$/)).toBeVisible()
  await expect(reading(page).getByText('95% confidence, fixed interval')).toBeVisible()
  await expect(reading(page).getByText('the model’s own interval')).toBeVisible()
  await expect(reading(page).getByText(/^Similar compounds measured on Pol /)).toBeVisible()
  await expect.poll(() => creditsOf(page)).toBe(before - 1)
})

test('SPEC 2.9, 4.13: both pictures are shown with words for those who do not see them', async ({
  page,
}) => {
  await select(page, 'Targets', '1hpv')
  await select(page, 'Compounds', 'saquinavir')
  for (const [column, words] of [
    ['Target', /HIV-1 PROTEASE/i],
    ['Compound', /saquinavir/i],
  ] as const) {
    const picture = page.getByRole('region', { name: column }).getByRole('img', { name: words })
    await expect(picture).toBeVisible()
    // Its place is there before it is drawn.
    const width = () => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)
    await expect.poll(width).toBeGreaterThan(100)
  }
})

test('SPEC 4.11: deselecting clears the number; the same pair again costs nothing', async ({
  page,
}) => {
  const before = await creditsOf(page)
  await select(page, 'Targets', '1hpv')
  await select(page, 'Compounds', 'indinavir')
  const number = reading(page).getByText(/^pKd = /)
  await expect(number).toBeVisible()
  const first = await number.innerText()
  await select(page, 'Compounds', 'indinavir')
  await expect(number).toBeHidden()
  await expect(reading(page).getByText('Please select both a target and a drug')).toBeVisible()
  await select(page, 'Compounds', 'indinavir')
  await expect(number).toHaveText(first)
  await expect.poll(() => creditsOf(page)).toBe(before - 1)
})

test('two compounds against one target get different numbers', async ({ page }) => {
  await select(page, 'Targets', '1hpv')
  const number = reading(page).getByText(/^pKd = /)
  await select(page, 'Compounds', 'saquinavir')
  await expect(number).toBeVisible()
  const saquinavir = await number.innerText()
  await select(page, 'Compounds', 'caffeine')
  await expect(number).toBeVisible()
  await expect(number).not.toHaveText(saquinavir)
})

test('SPEC 18.3: the lists take the keyboard: arrows move, Enter selects, Home and End jump', async ({
  page,
}) => {
  const list = page.getByRole('listbox', { name: 'Compounds' })
  await list.focus()
  await page.keyboard.press('End')
  await expect(list.getByRole('option', { selected: true })).toHaveCount(0)
  await page.keyboard.press('Enter')
  await expect(list.getByRole('option', { selected: true })).toHaveAccessibleName(/caffeine/)
  await page.keyboard.press('Home')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Space')
  await expect(list.getByRole('option', { selected: true })).toHaveAccessibleName(/darunavir/)
})

test('SPEC 2.9: a long list stays about 15rem high and scrolls', async ({ page }) => {
  await page.goto('/prompt')
  const lines = Array.from(
    { length: 60 },
    (_, index) => `${'C'.repeat(index + 1)}O alcohol-${index}`,
  )
  await page.getByLabel('Drug(s) files').setInputFiles({
    name: 'alcohols.txt',
    mimeType: 'text/plain',
    buffer: Buffer.from(lines.join('\n')),
  })
  await expect(page.getByText('60 compounds uploaded')).toBeVisible()
  await page.goto('/results')
  const list = page.getByRole('listbox', { name: 'Compounds' })
  const last = list.getByRole('option', { name: 'alcohol-59' })
  await expect(list.getByRole('option').first()).toBeInViewport()
  await expect(last).not.toBeInViewport()
  const { height } = (await list.boundingBox()) ?? { height: 0 }
  const rem = await page.evaluate(() =>
    parseFloat(getComputedStyle(document.documentElement).fontSize),
  )
  expect(height / rem).toBeGreaterThan(14)
  expect(height / rem).toBeLessThan(16.5)
  await last.scrollIntoViewIfNeeded()
  await expect(last).toBeInViewport()
})
