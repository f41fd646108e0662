/** The whole journey on a phone: nothing scrolls sideways, and the number is in sight after selecting. */
import { expect, type Page } from '@playwright/test'
import { test } from './product.ts'
import { creditsOf, newEmail, reading, select, signIn, uploadSamples } from './steps.ts'

const overflow = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

test('a chemist with a phone gets a number', async ({ page }) => {
  await page.goto('/')
  expect(await overflow(page)).toBe(0)
  await signIn(page, newEmail())
  expect(await overflow(page)).toBe(0)
  await uploadSamples(page)
  const before = await creditsOf(page)
  await select(page, 'Targets', '1hpv')
  await select(page, 'Compounds', 'nelfinavir')
  await expect(reading(page).getByText(/^pKd = /)).toBeVisible()
  const strip = page.getByRole('button', { name: /\d ± 1\.5, .* Show$/ })
  await expect(strip).toBeInViewport()
  expect(await overflow(page)).toBe(0)
  await strip.click()
  await expect(reading(page).getByText(/^pKd = /)).toBeInViewport()
  await expect.poll(() => creditsOf(page)).toBe(before - 1)
})

test('a screen on a phone shows each pair beside its number, and its report breaks no number', async ({
  page,
}) => {
  await signIn(page, newEmail())
  await page.goto('/screens')
  await page.getByRole('button', { name: 'Screen the sample files' }).click()
  await page.getByRole('button', { name: 'Start the screen' }).click()
  const number = page.getByRole('cell', { name: /^\d\.\d\d$/ }).first()
  await number.scrollIntoViewIfNeeded()
  const scrolled = () =>
    page.getByRole('region', { name: 'Pairs' }).evaluate((rows) => rows.scrollLeft)
  expect(await scrolled()).toBe(0)
  await expect(number).toBeInViewport({ ratio: 1 })
  expect(await overflow(page)).toBe(0)
  await page.getByRole('link', { name: 'Report' }).click()
  const printed = page.locator('td').filter({ hasText: /^\d\.\d\d$/ })
  await expect(printed).toHaveCount(10)
  expect(await overflow(page)).toBe(0)
  const lines = await printed.first().evaluate((cell) => {
    const range = document.createRange()
    range.selectNodeContents(cell)
    return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size
  })
  expect(lines).toBe(1)
})

test('SPEC 18.2: what can be touched is at least 44 px high', async ({ page }) => {
  await signIn(page, newEmail())
  await uploadSamples(page)
  const small = await page.evaluate(() =>
    [...document.querySelectorAll('button, a, [role=option]')]
      // The skip link is for keyboards: it appears with the focus only.
      .filter((element) => element.checkVisibility() && element.textContent !== 'Skip to content')
      .map((element) => ({
        text: element.textContent,
        height: element.getBoundingClientRect().height,
      }))
      .filter(({ height }) => height > 0 && height < 44),
  )
  expect(small).toEqual([])
})

test('with letters twice as large no page scrolls sideways and nothing lies across another', async ({
  page,
}) => {
  await signIn(page, newEmail())
  await uploadSamples(page)
  for (const path of ['/account', '/screens', '/history', '/measurements', '/prompt', '/results']) {
    await page.goto(path)
    await page.addStyleTag({ content: 'html { font-size: 200% !important }' })
    await expect(page.locator('h1, h2').first()).toBeVisible()
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
    await expect.poll(() => overflow(page), path).toBe(0)
    if (path !== '/account') continue
    const row = page.getByRole('row').filter({ hasText: '1hpv.pdb' })
    // Both at one moment: what comes in above them moves them down together.
    const gap = () =>
      row.evaluate((element) => {
        const leaves = [...element.querySelectorAll('*')].filter((one) => one.children.length === 0)
        const day = leaves.find((one) => /^\d{4}-\d\d-\d\d$/.test(one.textContent.trim()))
        const buttons = [...element.querySelectorAll('button')]
        const rename = buttons.find((one) => one.innerText.startsWith('Rename'))
        if (day === undefined || rename === undefined) return Number.NaN
        return rename.getBoundingClientRect().top - day.getBoundingClientRect().bottom
      })
    await expect.poll(gap).toBeGreaterThanOrEqual(0)
  }
})
