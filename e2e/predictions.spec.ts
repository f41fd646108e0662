/** The whole journey: sign in, upload, select, read the prediction, check its cost. */
import { API_KEY_HEADER, POLL_INTERVAL_MS } from '@pkdex/contract'
import { expect, type Page } from '@playwright/test'
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
  'SPEC 2.7, 2.8, 4.5, 4.7, 9.2: a pair from real files gets a prediction, and one credit is used',
  { tag: '@smoke' },
  async ({ page }) => {
    const before = await creditsOf(page)
    await select(page, 'Targets', '1hpv')
    await select(page, 'Compounds', 'amprenavir')
    await expect(reading(page).getByText(/^pKd = \d+\.\d\d ± 1\.5$/)).toBeVisible()
    await expect(reading(page).getByText('± 1.5 by convention (95%)')).toBeVisible()
    await expect(reading(page).getByText('95% interval, calibrated')).toBeVisible()
    await expect(reading(page).getByText('Measured: 9.18')).toBeVisible()
    await expect(reading(page).getByText('training data', { exact: false }).first()).toBeVisible()
    await expect(reading(page).getByText('Known on this target')).toBeVisible()
    await expect.poll(() => creditsOf(page)).toBe(before - 1)
  },
)

test('SPEC 4.6, 4.7: a task is polled until it has a prediction', async ({ page }) => {
  const before = await creditsOf(page)
  await askForTasks(page)
  const polls: string[] = []
  page.on('response', async (answer) => {
    if (isPoll(new URL(answer.url()))) polls.push((await answer.json()).status)
  })
  await select(page, 'Targets', '1hpv')
  await select(page, 'Compounds', 'saquinavir')
  await expect(reading(page).getByText(/^pKd = \d+\.\d\d ± 1\.5$/)).toBeVisible()
  expect(polls.at(-1)).toBe('SUCCESS')
  await expect.poll(() => creditsOf(page)).toBe(before - 1)
})

test('SPEC 4.9: a session that ends while a task is polled says so, and the polling stops', async ({
  page,
}) => {
  await askForTasks(page)
  let polls = 0
  await page.route(isPoll, async (route) => {
    polls += 1
    const headers = {
      [API_KEY_HEADER]: route.request().headers()[API_KEY_HEADER.toLowerCase()] ?? '',
    }
    await page.request.post('/dta/logout', { headers })
    await route.continue()
  })
  await select(page, 'Targets', '1hpv')
  await select(page, 'Compounds', 'nelfinavir')
  await expect(page.getByText('Authentication error. Please login again.')).toBeVisible()
  await page.waitForTimeout(2 * POLL_INTERVAL_MS)
  expect(polls).toBe(1)
})

/** Makes the server return a task id, as it does if a prediction takes longer than a second. */
async function askForTasks(page: Page): Promise<void> {
  await page.route('**/dta/predict', async (route) => {
    const headers = { ...route.request().headers(), prefer: 'respond-async' }
    const response = await route.fetch({ headers })
    expect(await response.json()).toHaveProperty('task_id')
    await route.fulfill({ response })
  })
}

function isPoll({ pathname }: URL): boolean {
  return /^\/dta\/predict\/[^/]+$/.test(pathname)
}

test('ibuprofen on HIV protease is not known on this target, and its Kd has one digit', async ({
  page,
}) => {
  await select(page, 'Targets', '1hpv')
  await select(page, 'Compounds', 'ibuprofen')
  await expect(reading(page).getByText('Known on other targets only')).toBeVisible()
  await expect(reading(page).getByText(/^\d µM \d+ nM to 0\.\d mM$/)).toBeVisible()
})

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

test('SPEC 2.9, 4.13: both pictures have a text alternative', async ({ page }) => {
  await select(page, 'Targets', '1hpv')
  await select(page, 'Compounds', 'saquinavir')
  for (const [column, words] of [
    ['Target', /HIV-1 PROTEASE/i],
    ['Compound', /saquinavir/i],
  ] as const) {
    const picture = page.getByRole('region', { name: column }).getByRole('img', { name: words })
    await expect(picture).toBeVisible()
    // The space is reserved before the picture is drawn.
    const width = () => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)
    await expect.poll(width).toBeGreaterThan(100)
  }
})

test('SPEC 4.11: deselecting clears the prediction; the same pair again costs nothing', async ({
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

test('SPEC 18.3: the lists support the keyboard: arrows move, Enter selects, Home and End jump', async ({
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
