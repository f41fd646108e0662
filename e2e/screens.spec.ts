/** From the sample to a ranked table in three clicks, and everything that can be done with a screen. */
import { readFile } from 'node:fs/promises'
import { API_KEY_HEADER } from '@pkdex/contract'
import { expect, type Page } from '@playwright/test'
import { signIn as signInByApi } from './api-user.ts'
import { expectNoViolations } from './no-violations.ts'
import { test } from './product.ts'
import { startProduct } from './start-product.ts'
import { creditsOf, newEmail, reading, sampleStructure, signIn } from './steps.ts'

test('sample, screen, table, filter, heat map, cell, charts, report, CSV: each is one step away', async ({
  page,
}) => {
  await signIn(page, newEmail())
  // Three clicks from the sign-in to a ranked table.
  await page.getByRole('link', { name: 'Screen', exact: true }).click()
  const credits = await creditsOf(page)
  await page.getByRole('button', { name: 'Screen the sample files' }).click()
  const start = page.getByRole('button', { name: 'Start the screen' })
  await expect(start).toBeEnabled()
  await expectNoViolations(page)
  await start.click()
  await expect(pkdsOf(page)).toHaveCount(10)
  await expect.poll(() => creditsOf(page)).toBe(credits - 10)
  // Rows stand there before their numbers do.
  await expect.poll(async () => (await numbersIn(page)).every(Number.isFinite)).toBe(true)
  const strongestFirst = await numbersIn(page)
  expect(strongestFirst).toEqual(strongestFirst.toSorted((a, b) => b - a))
  await expectNoViolations(page)

  await page.getByRole('button', { name: 'pKd', exact: true }).click()
  await expect.poll(() => numbersIn(page)).toEqual(strongestFirst.toReversed())
  await page.keyboard.press('/')
  await page.keyboard.type('amprenavir')
  await expect(pkdsOf(page)).toHaveCount(1)
  await page.reload()
  await expect(pkdsOf(page)).toHaveCount(1)

  await page.getByLabel('Unit of affinities').selectOption('Kd')
  await expect(page.getByRole('cell', { name: /^\d[\d.]* [pnµm]M$/ })).toHaveCount(1)
  await expectNoViolations(page)
  await page.getByLabel('Unit of affinities').selectOption('pKd')

  await page.getByRole('link', { name: 'Heat map' }).click()
  const map = page.getByRole('region', { name: /^Cells of the heat map/ })
  await map.focus()
  await page.keyboard.press('End')
  const cell = page.getByText(/on 1hpv: pKd \d+\.\d\d, /).first()
  await page.keyboard.press('ArrowDown')
  await expect(cell).toBeVisible()
  await expectNoViolations(page)
  await page.keyboard.press('Enter')
  await expect(reading(page).getByText(/^pKd = \d+\.\d\d/)).toBeVisible()
  expect(await creditsOf(page)).toBe(credits - 10)
  await expectNoViolations(page)
  await page.keyboard.press('Escape')

  await page.getByRole('link', { name: 'Charts' }).click()
  await expect(page.getByRole('img', { name: /^Pairs by pKd/ })).toBeVisible()
  await expect(page.getByRole('img', { name: /10 points$/ })).toBeVisible()
  await expectNoViolations(page)

  // The filter is on still; a file of all rows is a choice.
  expect(await csvLines(page)).toHaveLength(2)
  await page.getByLabel('Rows of the files').selectOption('All rows')
  expect(await csvLines(page)).toHaveLength(11)
  await page.getByRole('link', { name: 'Report' }).click()
  await expect(page.getByRole('img', { name: 'Structural formula of amprenavir' })).toBeVisible()
  await expectNoViolations(page)

  await expectNoViolationsInTheDark(page)
})

/** From the report back to the charts, and to the pages that list what the user has; then those lists in the light. */
async function expectNoViolationsInTheDark(page: Page) {
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  const light = await ground()
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect.poll(ground).not.toBe(light)
  await expectNoViolations(page)
  await page.goBack()
  await expect(page.getByRole('img', { name: /^Pairs by pKd/ })).toBeVisible()
  await expectNoViolations(page)
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    for (const path of ['/screens', '/screens/new', '/history', '/account']) {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await expectNoViolations(page)
    }
  }
}

async function csvLines(page: Page): Promise<string[]> {
  const saving = page.waitForEvent('download')
  await page.getByRole('button', { name: 'CSV' }).click()
  return (await readFile(await (await saving).path(), 'utf8')).trim().split('\n')
}

test('a screen that runs is cancelled by a button, and what was not predicted comes back', async ({
  page,
}) => {
  const product = await startProduct({ INITIAL_CREDITS: '5000' })
  try {
    const user = await signInByApi(product.url, newEmail())
    const lines = Array.from({ length: 1500 }, (_, n) => `${smilesOf(n)} alcohol-${n}`)
    const structure = await readFile(sampleStructure)
    await user.upload({ name: '1hpv.pdb', type: 'protein_pdb', content: structure })
    const content = lines.join('\n')
    const stored = await user.upload({ name: 'many.txt', type: 'drug_smiles', content })
    expect(stored.ok).toBe(true)
    await page.goto(product.url)
    const { [API_KEY_HEADER]: key = '' } = user.headers
    await page.evaluate((value) => localStorage.setItem('API-key', value), key)
    await page.goto(`${product.url}/screens/new`)
    await expect(page.getByText('1 target × 1,500 compounds = 1,500')).toBeVisible()
    await page.getByRole('button', { name: 'Start the screen' }).click()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await expect(page.getByText(/Cancelled, started/)).toBeVisible()
    await page.getByRole('link', { name: 'Screens', exact: true }).click()
    const row = page.getByRole('row', { name: /Cancelled/ })
    const charged = Number((await row.locator('td').nth(3).innerText()).replaceAll(/\D/g, ''))
    expect(charged).toBeLessThan(1500)
    await expect.poll(() => creditsOf(page)).toBe(5000 - charged)
  } finally {
    await product.stop()
  }
})

/** No two alike, whichever end one begins at. */
function smilesOf(n: number): string {
  return `${'C'.repeat(1 + (n % 40))}C(O)${'C'.repeat(1 + Math.floor(n / 40))}N`
}

function pkdsOf(page: Page) {
  return page.getByRole('region', { name: 'Pairs' }).locator('tbody td:nth-child(4)')
}

async function numbersIn(page: Page): Promise<number[]> {
  return (await pkdsOf(page).allInnerTexts()).map(Number)
}
