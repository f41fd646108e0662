/** No axe violation on the user's screens, in their states, light or dark, wide or narrow (WCAG 2.2 AA). */
import { expect, type Page } from '@playwright/test'
import { readPrediction, requestPrediction } from '@pkdex/contract'
import { expectNoViolations, looks } from './no-violations.ts'
import { test } from './product.ts'
import { newEmail, reading, sampleStructure, select, signIn, textFile } from './steps.ts'

/** One with a stereocentre, some without any, and an invalid line. */
const compounds = textFile(
  'mixed.txt',
  'C[C@H](N)C(=O)O alanine\nCCO ethanol\nCCN ethylamine\nCCC propane\nC1CC broken\n',
)

for (const look of looks) {
  const name = `${look.colorScheme}, ${look.width} px`

  const tag = look === looks[0] ? ['@smoke'] : []

  test(
    `SPEC 18.1: axe finds no violation from sign-in to upload, ${name}`,
    { tag },
    async ({ page }) => {
      await setLook(page, look)
      await page.goto('/')
      await expect(page.getByRole('button', { name: 'Sign in with Google' })).toBeVisible()
      await expectNoViolations(page)
      await signIn(page, newEmail())
      await expectNoViolations(page)
      await page.goto('/results')
      await expect(page.getByText('No targets available')).toBeVisible()
      await expectNoViolations(page)

      await page.goto('/prompt')
      await page.getByLabel('Target(s) files').setInputFiles(sampleStructure)
      await expect(page.getByText('1 target uploaded')).toBeVisible()
      await page.getByRole('button', { name: 'Use another chain' }).click()
      await expect(page.getByLabel('Chain')).toBeVisible()
      await page.getByLabel('Drug(s) files').setInputFiles(textFile('broken.txt', 'C1CC broken'))
      await expect(page.getByText('broken.txt was not uploaded')).toBeVisible()
      await expectNoViolations(page)

      await page.goto('/nowhere')
      await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
      await expectNoViolations(page)
      await page.route('**/dta/login', (route) => route.fulfill({ status: 503, body: '' }))
      await page.goto('/results')
      await expect(page.getByRole('heading', { name: /could not be verified$/ })).toBeVisible()
      await expectNoViolations(page)
    },
  )

  test(`SPEC 18.1: axe finds no violation on the results page, ${name}`, async ({ page }) => {
    await setLook(page, look)
    await signIn(page, newEmail())
    await page.getByLabel('Target(s) files').setInputFiles(sampleStructure)
    await expect(page.getByText('1 target uploaded')).toBeVisible()
    await page.getByLabel('Drug(s) files').setInputFiles(compounds)
    await expect(page.getByText('1 line of mixed.txt skipped')).toBeVisible()
    await expectNoViolations(page)
    await page.getByRole('button', { name: 'Close' }).click()

    await select(page, 'Targets', '1hpv')
    await select(page, 'Compounds', 'alanine')
    await expect(reading(page).getByText(/^pKd = /)).toBeVisible()
    await expect(page.getByText(/stereoisomers get the same prediction/)).toBeVisible()
    await expectNoViolations(page)

    await answerAsk(page, 500, { message: 'Something went wrong on our side.' })
    await select(page, 'Compounds', 'ethanol')
    await expect(reading(page).getByRole('alert')).toContainText('Prediction failed')
    await expectNoViolations(page)
    await answerAsk(page, 402, { message: 'You do not have enough credits.' })
    await select(page, 'Compounds', 'ethylamine')
    await expect(reading(page).getByRole('alert')).toContainText('Not enough credits')
    await expectNoViolations(page)
    await page.route(`**${readPrediction.path.replace(':taskId', 'slow')}`, (route) =>
      route.fulfill({ json: { status: 'STARTED' } }),
    )
    await answerAsk(page, 200, { task_id: 'slow' })
    await select(page, 'Compounds', 'propane')
    await expect(reading(page).getByText(/^Running for/)).toBeVisible()
    await expectNoViolations(page, { isBusy: true })
  })
}

test('/docs and its guide have our logo and both colour schemes, and axe finds no violation', async ({
  page,
}) => {
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  await page.emulateMedia({ colorScheme: 'light' })
  await page.goto('/docs')
  const home = page.getByRole('banner').getByRole('link', { name: 'pKdex' })
  await expect(home).toHaveAttribute('href', '/')
  await expect(page.getByRole('main').getByText('/dta/predict', { exact: true })).toBeVisible()
  await expectNoViolations(page)
  const light = await ground()
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect.poll(ground).not.toBe(light)
  await expectNoViolations(page)
  await page.getByRole('navigation').getByRole('link', { name: 'Guide' }).click()
  await expect(page.getByRole('heading', { name: 'Evidence' })).toBeVisible()
  await expect(home).toBeVisible()
  expect(await ground()).not.toBe(light)
  await expectNoViolations(page)
})

async function setLook(page: Page, { colorScheme, width }: (typeof looks)[number]) {
  await page.setViewportSize({ width, height: 860 })
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
}

/** Sets the response to the next prediction request; the latest call counts. */
function answerAsk(page: Page, status: number, json: object) {
  return page.route(`**${requestPrediction.path}`, (route) => route.fulfill({ status, json }))
}
