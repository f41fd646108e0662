/** From the sample to a ranked table in three clicks, and every other action on a screen. */
import { readFile } from 'node:fs/promises'
import { expect, type Page } from '@playwright/test'
import { signIn as signInByApi } from './api-user.ts'
import { expectNoViolations } from './no-violations.ts'
import { test } from './product.ts'
import { startProduct } from './start-product.ts'
import { creditsOf, enter, newEmail, reading, sampleStructure, signIn } from './steps.ts'

test(
  'SPEC 20.13: sample, screen, table, filter, heat map, cell, charts, report, CSV: each is one step away',
  { tag: '@smoke' },
  async ({ page }) => {
    await signIn(page, newEmail())
    // Three clicks from the sign-in to a ranked table.
    await page.getByRole('link', { name: 'Screens', exact: true }).click()
    const credits = await creditsOf(page)
    await page.getByRole('button', { name: 'Screen the sample files' }).click()
    const start = page.getByRole('button', { name: 'Start screen' })
    await expect(start).toBeEnabled()
    await expectNoViolations(page)
    await start.click()
    await expect(pkdsOf(page)).toHaveCount(10)
    await expect.poll(() => creditsOf(page)).toBe(credits - 10)
    // Rows appear before their predictions.
    let strongestFirst: number[] = []
    await expect
      .poll(async () => {
        strongestFirst = await numbersIn(page)
        return strongestFirst.filter(Number.isFinite).length
      })
      .toBe(10)
    expect(strongestFirst).toEqual(strongestFirst.toSorted((a, b) => b - a))
    await expectNoViolations(page)

    await page.getByRole('button', { name: 'pKd', exact: true }).click()
    await expect.poll(() => numbersIn(page)).toEqual(strongestFirst.toReversed())
    await page.keyboard.press('/')
    await page.keyboard.type('amprenavir')
    await expect(pkdsOf(page)).toHaveCount(1)
    await page.reload()
    await expect(pkdsOf(page)).toHaveCount(1)

    await page.getByLabel('Affinity unit').selectOption('Kd')
    await expect(page.getByRole('cell', { name: /^\d[\d.]* [pnµm]M$/ })).toHaveCount(1)
    await expectNoViolations(page)
    await page.getByLabel('Affinity unit').selectOption('pKd')

    await page.getByRole('link', { name: 'Heat map' }).click()
    const map = page.getByRole('region', { name: /^Heat map cells/ })
    await map.focus()
    await page.keyboard.press('End')
    const cell = page.getByText(/on 1hpv: pKd \d+\.\d, /).first()
    await page.keyboard.press('ArrowDown')
    await expect(cell).toBeVisible()
    await expectNoViolations(page)
    await page.keyboard.press('Enter')
    await expect(reading(page).getByText(/^pKd = \d+\.\d\d/)).toBeVisible()
    expect(await creditsOf(page)).toBe(credits - 10)
    await expectNoViolations(page)
    await page.keyboard.press('Escape')

    await page.getByRole('link', { name: 'Charts' }).click()
    await expect(page.getByRole('img', { name: /^Number of pairs per bin/ })).toBeVisible()
    await expect(page.getByRole('group', { name: /10 points\./ })).toBeVisible()
    await expectNoViolations(page)

    // The filter still applies; downloading all rows is an option.
    expect(await csvLines(page)).toHaveLength(2)
    await page.getByLabel('Rows to download').selectOption('All rows')
    expect(await csvLines(page)).toHaveLength(11)
    await page.getByRole('link', { name: 'Report' }).click()
    const matrix = page.getByRole('region', { name: 'Matrix' })
    await expect(matrix.getByRole('rowheader', { name: 'amprenavir' })).toBeVisible()
    await expect(page.getByRole('region', { name: 'Top structures' }).locator('img')).toHaveCount(1)
    await expectNoViolations(page)

    await expectNoViolationsInTheDark(page)
  },
)

test('SPEC 30.10: rows keep the structure that was predicted when a compound is renamed or deleted', async ({
  page,
}) => {
  await signIn(page, newEmail())
  await page.goto('/screens')
  await page.getByRole('button', { name: 'Screen the sample files' }).click()
  await page.getByRole('button', { name: 'Start screen' }).click()
  const pictureOf = (name: string) =>
    page.getByRole('row').filter({ hasText: name }).locator('img').getAttribute('src')
  await expect(pkdsOf(page)).toHaveCount(10)
  const before = await Promise.all(['amprenavir', 'ritonavir'].map(pictureOf))
  await page.evaluate(async () => {
    const headers = {
      'API-Key': localStorage.getItem('API-key') ?? '',
      'Content-Type': 'application/json',
    }
    const change = (name: string, method: string, body?: object) =>
      fetch(`/file_manager/compounds/${name}`, {
        method,
        headers: body ? headers : { 'API-Key': headers['API-Key'] },
        body: body ? JSON.stringify(body) : null,
      })
    await change('amprenavir', 'PATCH', { name: 'VX-478' })
    await change('ritonavir', 'DELETE')
  })
  await page.reload()
  await expect(pkdsOf(page)).toHaveCount(10)
  expect(await Promise.all(['amprenavir', 'ritonavir'].map(pictureOf))).toEqual(before)
  // The opened pair keeps its structure as well.
  await page.getByRole('button', { name: 'Open ritonavir on 1hpv', exact: true }).click()
  await expect(page.getByRole('dialog').locator('img').first()).toBeVisible()
})

/** From the report back to the charts and to the pages that list the user's data, then those lists in the light scheme. */
async function expectNoViolationsInTheDark(page: Page) {
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  const light = await ground()
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect.poll(ground).not.toBe(light)
  await expectNoViolations(page)
  await page.goBack()
  await expect(page.getByRole('img', { name: /^Number of pairs per bin/ })).toBeVisible()
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

test('a running screen is cancelled by a button, and pairs without a prediction are refunded', async ({
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
    await enter(page, user)
    await page.goto(`${product.url}/screens/new`)
    await expect(page.getByText('1 target × 1,500 compounds = 1,500')).toBeVisible()
    await page.getByRole('button', { name: 'Start screen' }).click()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await expect(page.getByText(/Cancelled, started/)).toBeVisible()
    const menu = page.getByRole('navigation', { name: 'Main' })
    await menu.getByRole('link', { name: 'Screens', exact: true }).click()
    const row = page.getByRole('row', { name: /Cancelled/ })
    const charged = Number((await row.locator('td').nth(3).innerText()).replaceAll(/\D/g, ''))
    expect(charged).toBeLessThan(1500)
    await expect.poll(() => creditsOf(page)).toBe(5000 - charged)
  } finally {
    await product.stop()
  }
})

/** All different, at both ends. */
function smilesOf(n: number): string {
  return `${'C'.repeat(1 + (n % 40))}C(O)${'C'.repeat(1 + Math.floor(n / 40))}N`
}

function pkdsOf(page: Page) {
  return page.getByRole('region', { name: 'Results' }).locator('tbody td:nth-child(5)')
}

async function numbersIn(page: Page): Promise<number[]> {
  return (await pkdsOf(page).allInnerTexts()).map(Number)
}
