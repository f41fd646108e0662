/** The whole journey on a phone: nothing scrolls sideways, and the prediction is visible after selecting. */
import { expect } from '@playwright/test'
import { phone, test } from './product.ts'
import { creditsOf, newEmail, overflow, reading, select, signIn, uploadSamples } from './steps.ts'

test.use(phone)

test('a chemist with a phone gets a prediction', { tag: '@smoke' }, async ({ page }) => {
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

test('a screen on a phone shows each pair next to its prediction, and its report wraps no number', async ({
  page,
}) => {
  await signIn(page, newEmail())
  await page.goto('/screens')
  await page.getByRole('button', { name: 'Screen the sample files' }).click()
  await page.getByRole('button', { name: 'Start screen' }).click()
  const number = page
    .getByRole('region', { name: 'Results' })
    .locator('tbody td:nth-child(6)')
    .first()
  // Properties appear before predictions.
  await expect(number).toHaveText(/^\s?\d\.\d$/)
  // A row at the very edge may be cut by a fraction of a pixel.
  await number.evaluate((cell) => cell.scrollIntoView({ block: 'center' }))
  const scrolled = () =>
    page.getByRole('region', { name: 'Results' }).evaluate((rows) => rows.scrollLeft)
  expect(await scrolled()).toBe(0)
  await expect(number).toBeInViewport({ ratio: 1 })
  expect(await overflow(page)).toBe(0)
  await page.getByRole('button', { name: 'Export' }).click()
  await page.getByRole('link', { name: 'Report' }).click()
  const printed = page.locator('td:first-of-type').filter({ hasText: /^\d\.\d$/ })
  await expect(printed).toHaveCount(10)
  expect(await overflow(page)).toBe(0)
  const lines = await printed.first().evaluate((cell) => {
    const range = document.createRange()
    range.selectNodeContents(cell)
    return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size
  })
  expect(lines).toBe(1)
})

test('SPEC 18.2: touch targets are at least 44 px high', async ({ page }) => {
  await signIn(page, newEmail())
  await uploadSamples(page)
  await page.goto('/screens/new')
  await page.getByRole('button', { name: 'Start screen' }).click()
  await expect(page.getByRole('link', { name: 'Heat map' })).toBeVisible()
  const screen = new URL(page.url()).pathname
  const paths = ['/results', '/prompt', '/measurements', '/history', '/screens', '/screens/new']
  const ofAccount = ['/account', '/account?view=api', '/account?view=account', '/account/alerts']
  const ofScreen = [screen, `${screen}?view=map`, `${screen}?view=charts`, `${screen}/report`]
  for (const path of [...paths, ...ofAccount, ...ofScreen]) {
    await page.goto(path)
    await expect(page.locator('h1, h2').first()).toBeVisible()
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
    await expect.poll(() => page.evaluate(findSmallTargets), path).toEqual([])
  }
})

/** Inputs count with their label; links within a sentence are as high as its line. */
function findSmallTargets(): string[] {
  const all = [
    ...document.querySelectorAll('button, a, [role=option], summary, input, select, textarea'),
  ]
  const heightOf = (element: Element) => {
    const label = element.closest('label') ?? document.querySelector(`label[for="${element.id}"]`)
    const touched = element.matches('[type=checkbox]') ? [element, label ?? element] : [element]
    return Math.max(...touched.map((one) => one.getBoundingClientRect().height))
  }
  const isInText = (element: Element) =>
    element.matches('a') &&
    getComputedStyle(element).display === 'inline' &&
    element.parentElement?.textContent !== element.textContent
  return (
    all
      // The skip link is for keyboards: it appears only with focus.
      .filter((element) => element.checkVisibility() && element.textContent !== 'Skip to content')
      .filter((element) => !isInText(element))
      .filter((element) => heightOf(element) > 1 && heightOf(element) < 44)
      .map((element) => `${element.getAttribute('aria-label') ?? element.textContent}`)
  )
}
