/** From the sample to a ranked table in three clicks, and every other action on a screen. */
import { readFile } from 'node:fs/promises'
import { expect, type Page } from '@playwright/test'
import { expectNoViolations } from './no-violations.ts'
import { test } from './product.ts'
import { creditsOf, newEmail, reading, signIn } from './steps.ts'

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
    await page.getByRole('button', { name: 'Export' }).click()
    expect(await csvLines(page)).toHaveLength(2)
    await page.getByLabel('Rows to download').selectOption('All rows')
    expect(await csvLines(page)).toHaveLength(11)
    await page.getByRole('link', { name: 'Report' }).click()
    const matrix = page.getByRole('region', { name: 'Matrix' })
    await expect(matrix.getByRole('rowheader', { name: 'amprenavir' })).toBeVisible()
    await expect(page.getByRole('region', { name: 'Top structures' }).locator('img')).toHaveCount(1)
    await expectNoViolations(page)
  },
)

async function csvLines(page: Page): Promise<string[]> {
  const saving = page.waitForEvent('download')
  await page.getByRole('button', { name: 'CSV', exact: true }).click()
  return (await readFile(await (await saving).path(), 'utf8')).trim().split('\n')
}

function pkdsOf(page: Page) {
  return page.getByRole('region', { name: 'Results' }).locator('tbody td:nth-child(6)')
}

async function numbersIn(page: Page): Promise<number[]> {
  return (await pkdsOf(page).allInnerTexts()).map(Number)
}
