/** Ways in beside the drop boxes: what is pasted, tables with a choice of columns, a workbook. */
import { expect, type Page } from '@playwright/test'
import { strToU8, zipSync } from 'fflate'
import { expectNoViolations } from './no-violations.ts'
import { test } from './product.ts'
import { newEmail, sampleStructure, signIn } from './steps.ts'

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Paste or import compounds' })

test('SMILES that are pasted become compounds', async ({ page }) => {
  await openImport(page)
  await dialog(page)
    .getByLabel('SMILES or a table')
    .fill('CC(=O)Oc1ccccc1C(=O)O aspirin\nCn1cnc2c1c(=O)n(C)c(=O)n2C caffeine\n')
  await expectNoViolations(page)
  await dialog(page).getByRole('button', { name: 'Upload 2 compounds' }).click()
  await expectCompounds(page, ['aspirin', 'caffeine'])
})

test('a table says which columns it takes, and another may be chosen', async ({ page }) => {
  await openImport(page)
  await dialog(page)
    .getByLabel('Table of compounds')
    .setInputFiles({
      name: 'series.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('ID;SMILES;Alias\nA-1;CCO;ethanol\nA-2;;nothing\nA-3;CCN;ethylamine\n'),
    })
  await expect(dialog(page).getByLabel('Column with the SMILES')).toHaveValue('1')
  await dialog(page).getByLabel('Column with the name').selectOption('Alias')
  await expect(dialog(page).getByText('1 row without a SMILES left out.')).toBeVisible()
  await expectNoViolations(page)
  await dialog(page).getByRole('button', { name: 'Upload 2 compounds' }).click()
  await expectCompounds(page, ['ethanol', 'ethylamine'])
})

test('a table inside a .txt is offered to be read as one', async ({ page }) => {
  await openPrompt(page)
  await page.getByLabel('Drug(s) files').setInputFiles({
    name: 'export.txt',
    mimeType: 'text/plain',
    buffer: Buffer.from('smiles,name\nCCO,ethanol\nCCN,ethylamine\n'),
  })
  await page.getByRole('button', { name: 'Read it as a table' }).click()
  await dialog(page).getByRole('button', { name: 'Upload 2 compounds' }).click()
  await expectCompounds(page, ['ethanol', 'ethylamine'])
})

test('an Excel workbook is read', async ({ page }) => {
  await openImport(page)
  const cell = (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`
  const row = (...cells: string[]) => `<row>${cells.map(cell).join('')}</row>`
  const sheet = `<worksheet><sheetData>${row('Name', 'SMILES')}${row('propane', 'CCC')}</sheetData></worksheet>`
  await dialog(page)
    .getByLabel('Table of compounds')
    .setInputFiles({
      name: 'book.xlsx',
      mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      buffer: Buffer.from(zipSync({ 'xl/worksheets/sheet1.xml': strToU8(sheet) })),
    })
  await dialog(page).getByRole('button', { name: 'Upload 1 compound' }).click()
  await expectCompounds(page, ['propane'])
})

async function openPrompt(page: Page): Promise<void> {
  await signIn(page, newEmail())
  await page.getByLabel('Target(s) files').setInputFiles(sampleStructure)
  await expect(page.getByText('1 target uploaded')).toBeVisible()
}

async function openImport(page: Page): Promise<void> {
  await openPrompt(page)
  await page.getByRole('button', { name: 'Paste or import a table' }).click()
  await expect(dialog(page).getByLabel('SMILES or a table')).toBeVisible()
}

/** The page moves on by itself once both boxes have what they need. */
async function expectCompounds(page: Page, names: string[]): Promise<void> {
  await expect(page).toHaveURL(/\/results$/)
  const options = page.getByRole('listbox', { name: 'Compounds' }).getByRole('option')
  await expect(options).toHaveCount(names.length)
  for (const name of names) await expect(options.filter({ hasText: name })).toBeVisible()
}
