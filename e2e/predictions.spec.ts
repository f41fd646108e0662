/** The whole journey: sign in, upload, select, read the prediction, check its cost. */
import { expect } from '@playwright/test'
import { test } from './product.ts'
import {
  countWords,
  creditsOf,
  newEmail,
  reading,
  select,
  signIn,
  uploadSamples,
  textFile,
} from './steps.ts'

test.beforeEach(async ({ page }) => {
  await signIn(page, newEmail())
  await uploadSamples(page)
})

test(
  'SPEC 2.7, 2.8, 2.9, 4.5, 4.7, 9.2: a pair from real files gets a prediction, and one credit is used',
  { tag: '@smoke' },
  async ({ page }) => {
    const before = await creditsOf(page)
    await select(page, 'Targets', '1hpv')
    await select(page, 'Compounds', 'amprenavir')
    for (const column of ['Target', 'Compound']) {
      const picture = page
        .getByRole('region', { name: column, exact: true })
        .getByRole('img')
        .first()
      // The space is reserved before the picture is drawn.
      const width = () => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)
      await expect.poll(width).toBeGreaterThan(100)
    }
    await expect(reading(page).getByText(/^pKd = \d+\.\d\d ± 1\.5$/)).toBeVisible()
    await expect(reading(page).getByText('± 1.5 by convention (95%)')).toBeVisible()
    await expect(reading(page).getByText('95% interval, calibrated')).toBeVisible()
    await expect(reading(page).getByText('Measured: 9.18')).toBeVisible()
    await expect(reading(page).getByText('training data', { exact: false }).first()).toBeVisible()
    await expect(reading(page).getByText('Known on this target')).toBeVisible()
    await expect.poll(() => creditsOf(page)).toBe(before - 1)
  },
)

test('SPEC 30.5: at 1440 × 900 the whole panel is at most 810 px high and has at most 90 words', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await select(page, 'Targets', '1hpv')
  for (const compound of ['amprenavir', 'ibuprofen', 'aspirin']) {
    await select(page, 'Compounds', compound)
    await expect(reading(page).getByText(/^pKd = /)).toBeVisible()
    await expect(reading(page).getByText('More', { exact: true })).toBeVisible()
    const height = await reading(page).evaluate((panel) => panel.getBoundingClientRect().height)
    const words = await countWords(reading(page))
    expect({ compound, isLow: height <= 810, isShort: words <= 90 }).toEqual({
      compound,
      isLow: true,
      isShort: true,
    })
  }
})

test('SPEC 2.9: a long list stays about 15rem high and scrolls', async ({ page }) => {
  await page.goto('/prompt')
  const lines = Array.from(
    { length: 60 },
    (_, index) => `${'C'.repeat(index + 1)}O alcohol-${index}`,
  )
  await page.getByLabel('Drug(s) files').setInputFiles(textFile('alcohols.txt', lines.join('\n')))
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
  // Only rows in or near the view are rendered.
  await expect(async () => {
    await list.evaluate((element) => element.scrollTo(0, element.scrollHeight))
    await expect(last).toBeInViewport({ timeout: 2000 })
  }).toPass()
})
