/** A chemist's measured values, from pasting them to a prediction adjusted by them. */
import { expect, type Locator, type Page } from '@playwright/test'
import { expectNoViolations, expectNoViolationsOnDarkPhone } from './no-violations.ts'
import { test } from './product.ts'
import { countWords, newEmail, reading, select, signIn, uploadSamples } from './steps.ts'

/** All a thousand times weaker than published, as for a mutant: values that agree with each other help. */
const pasted = `compound,Ki (nM)
amprenavir,600
indinavir,400
saquinavir,120
nelfinavir,2000
CC(=O)Oc1ccccc1C(=O)O,>100000
unknown thing,3`

test(
  'own values are pasted, compared with predictions, and shown next to a prediction',
  { tag: '@smoke' },
  async ({ page }) => {
    await signIn(page, newEmail())
    await uploadSamples(page)
    await page.getByRole('link', { name: 'Measured values' }).click()
    await page.getByRole('textbox', { name: 'Measured values' }).fill(pasted)
    await page.getByRole('button', { name: 'Import' }).click()
    await expect(page.getByText('5 values added')).toBeVisible()
    await expect(
      page.getByText(/^Line 7: You have no compound named “unknown thing”/),
    ).toBeVisible()
    await expect(
      page.getByText(/^5 measured compounds not predicted on this target yet/),
    ).toBeVisible()
    await expect(page.getByRole('cell', { name: 'Ki > 100000 nM' })).toBeVisible()
    await expectNoViolationsOnDarkPhone(page)

    // Once the measured compounds are predicted, their values count, for every compound of the screen.
    await page.goto('/screens/new')
    await page.getByRole('button', { name: 'Start screen' }).click()
    await expect(page.getByText('Done', { exact: true }).first()).toBeVisible()
    await page.reload()
    await expect(page.getByRole('columnheader', { name: 'With your values' })).toHaveCount(0)
    await expect(page.getByRole('cell', { name: /^Measured 6\.22$/ })).toBeVisible()
    await expectMeasuredInViews(page)

    await page.goto('/results')
    await select(page, 'Targets', '1hpv')
    await select(page, 'Compounds', 'ritonavir')
    await expect(reading(page).getByText(/^pKd = \d+\.\d\d ± 1\.5$/)).toBeVisible()
    await expect(
      reading(page).getByText(/^(\d own values|Your values are not used)$/),
    ).toBeVisible()

    await page.goto('/measurements')
    const picture = page.getByRole('group', {
      name: /^Predicted vs measured pK for 5 compounds/,
    })
    await expect(picture).toBeVisible()
    await expectNoViolations(page)
  },
)

/** From the table of the screen: heat map, charts and the list of compounds. */
async function expectMeasuredInViews(page: Page) {
  await page.getByRole('link', { name: 'Heat map' }).click()
  await page.getByRole('region', { name: /^Heat map cells/ }).focus()
  const pair = page.getByRole('complementary', { name: 'Selected pair' })
  for (let step = 0; step < 10; step += 1) {
    if ((await pair.innerText()).includes('amprenavir')) break
    await page.keyboard.press('ArrowDown')
  }
  await expect(pair.getByRole('definition').first()).toHaveText('Measured 6.22')
  await expect(page.getByText(/^amprenavir on 1hpv: .*, measured 6\.22$/)).toBeAttached()
  await page.getByRole('link', { name: 'Charts' }).click()
  await expect(page.getByText('◆ measured')).toBeVisible()
  await expect(
    page.getByLabel('X axis').getByRole('option', { name: 'Measured pK' }),
  ).toBeAttached()
  await page.goto('/results?target=1hpv')
  const option = page.getByRole('option', { name: /amprenavir/ })
  await expect(option).toContainText('Measured 6.22')
  await page.setViewportSize({ width: 820, height: 1180 })
  const list = page.getByRole('listbox', { name: 'Compounds' })
  expect(await list.evaluate(readCutOff)).toEqual([])
  await page.getByText('Structures', { exact: true }).click()
  expect(await list.evaluate(readCutOff)).toEqual([])
}

/** Rows of a list, or parts of them, that do not fit. */
function readCutOff(list: Element): (string | null)[] {
  return [...list.querySelectorAll('[role=option], [role=option] > *')]
    .filter((part) => part.scrollWidth > part.clientWidth + 1)
    .map((part) => part.textContent)
}

test('SPEC 30.12: counts, balances and plots that arrive late move nothing', async ({ page }) => {
  await signIn(page, newEmail())
  await uploadSamples(page)
  await select(page, 'Targets', '1hpv')
  await select(page, 'Compounds', 'amprenavir')
  await expect(reading(page).getByText(/^pKd = /)).toBeVisible()
  await page.goto('/measurements')
  await page.getByRole('textbox', { name: 'Measured values' }).fill('amprenavir,600\nritonavir,9')
  await page.getByRole('button', { name: 'Import' }).click()
  await expect(page.getByText('2 values added')).toBeVisible()
  await expect(page.getByText(/^Predicting/)).toBeHidden()
  const answers = await delayAnswers(page)
  const pages = {
    '/measurements': page.getByRole('group', { name: /^Predicted vs measured/ }),
    '/history': page.getByRole('row').nth(1),
    '/account': page.getByRole('cell', { name: '1hpv.pdb', exact: true }),
    '/screens/new': page.getByText('Credits available'),
    '/prompt': page.getByText('Use my 1 existing file').first(),
    [pairPath]: page.getByText(/^Measured: /),
  }
  const expectStill = async (path: string, last: Locator, size = '') => {
    answers.startAgain()
    await page.goto(path)
    await expect(last).toBeVisible()
    await expect(page.getByText(/^Credits \d/)).toBeVisible()
    await page.waitForLoadState('networkidle')
    expect(await page.evaluate(readShifts), path + size).toEqual([])
  }
  for (const [path, last] of Object.entries(pages)) await expectStill(path, last)
  // The prediction is beside the lists or above them.
  for (const [width, height] of [
    [820, 1800],
    [390, 844],
  ] as const) {
    await page.setViewportSize({ width, height })
    await expectStill(pairPath, pages[pairPath], ` at ${width}`)
  }
  // What cannot be loaded says so over the page.
  await page.route('**/dta/get_compound_names', (route) => route.fulfill({ status: 500 }))
  await expectStill('/results', page.getByText('Failed to fetch compound data'))
})

const pairPath = '/results?target=1hpv&compound=amprenavir'

/** Responses arrive one after the other, each long after the page was drawn. */
async function delayAnswers(page: Page) {
  let wait = 0
  await page.route(
    /\/(dta|measurements|history|file_manager|visualization|account|alerts|screens|evidence)/,
    async (route) => {
      if (!['fetch', 'xhr'].includes(route.request().resourceType())) return route.continue()
      wait += 60
      await new Promise((resolve) => setTimeout(resolve, 300 + wait))
      return route.continue()
    },
  )
  return { startAgain: () => (wait = 0) }
}

/** Elements that the browser reports as shifted by more than a pixel without user input. */
function readShifts(): Promise<string[]> {
  type Moved = { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }
  type Shift = PerformanceEntry & { hadRecentInput: boolean; sources: Moved[] }
  return new Promise((resolve) => {
    const observer = new PerformanceObserver((list) => {
      observer.disconnect()
      const shifts = list.getEntries() as Shift[]
      const moved = shifts.flatMap(({ hadRecentInput, sources }) => (hadRecentInput ? [] : sources))
      const far = moved.filter(
        // Elements removed since, such as a spinner, have no node.
        ({ node, previousRect: before, currentRect: after }) =>
          node !== null && (Math.abs(before.x - after.x) > 1 || Math.abs(before.y - after.y) > 1),
      )
      resolve(far.map(({ node }) => node?.textContent?.slice(0, 80) ?? ''))
    })
    observer.observe({ type: 'layout-shift', buffered: true })
    // Without a single shift there is nothing to observe; shifts so far are delivered by the next task.
    setTimeout(() => resolve([]), 100)
  })
}

test('SPEC 30.12: selecting a target or a compound does not move its list', async ({ page }) => {
  await signIn(page, newEmail())
  await uploadSamples(page)
  for (const width of [1280, 820, 390]) {
    await page.setViewportSize({ width, height: 860 })
    await page.goto('/results')
    for (const [column, list, name, others] of [
      ['Target', 'Targets', '1hpv', []],
      ['Compound', 'Compounds', 'amprenavir', ['aspirin', 'ritonavir']],
    ] as const) {
      const side = page.getByRole('region', { name: column, exact: true })
      const box = side.getByRole('listbox', { name: list })
      await expect(box).toBeVisible()
      const before = await distance(side, box)
      for (const each of [name, ...others]) {
        await select(page, list, each)
        await expect(side.getByRole('button', { name: 'Rename' })).toBeVisible()
        expect(await distance(side, box), `${each} at ${width}`).toBe(before)
      }
    }
  }
})

/** From the top of one to the top of the other, in pixels. */
async function distance(upper: Locator, lower: Locator): Promise<number> {
  const [from, to] = await Promise.all([upper.boundingBox(), lower.boundingBox()])
  return Math.round((to?.y ?? 0) - (from?.y ?? 0))
}

test('SPEC 30.5: the page of measured values has at most 130 words, with its table of values and their comparison', async ({
  page,
}) => {
  await signIn(page, newEmail())
  await uploadSamples(page)
  await page.getByRole('link', { name: 'Measured values' }).click()
  const form = page.getByRole('textbox', { name: 'Measured values' })
  await expect(form).toBeVisible()
  const empty = await countWords(page.getByRole('main'))
  await form.fill(pasted.split('\n').slice(0, 5).join('\n'))
  await page.getByRole('button', { name: 'Import' }).click()
  await expect(page.getByText('4 values added')).toBeVisible()
  await page.reload()
  await expect(page.getByRole('cell', { name: 'Ki 600 nM' })).toBeVisible()
  await expect(page.getByText('With your values', { exact: true }).first()).toBeVisible()
  const filled = await countWords(page.getByRole('main'))
  expect(Math.max(empty, filled)).toBeLessThanOrEqual(130)
})
