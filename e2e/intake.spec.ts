/** Uploads without the drop boxes: a table with selectable columns, and a drawn molecule. */
import { expect, type Page } from '@playwright/test'
import { expectNoViolations } from './no-violations.ts'
import { test } from './product.ts'
import { newEmail, sampleStructure, signIn, textFile } from './steps.ts'

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Paste or import compounds' })

test(
  'an imported table shows the columns it uses, and others can be selected',
  { tag: '@smoke' },
  async ({ page }) => {
    await openImport(page)
    await chooseTable(
      page,
      'series.csv',
      'ID;SMILES;Alias\nA-1;CCO;ethanol\nA-2;;nothing\nA-3;CCN;ethylamine\n',
    )
    await expect(dialog(page).getByLabel('SMILES column')).toHaveValue('1')
    await dialog(page).getByLabel('Name column').selectOption('Alias')
    await expect(dialog(page).getByText('1 row without SMILES skipped.')).toBeVisible()
    await expectNoViolations(page)
    await dialog(page).getByRole('button', { name: 'Upload 2 compounds' }).click()
    await expectCompounds(page, ['ethanol', 'ethylamine'])
  },
)

test('a drawn molecule becomes a compound', async ({ page }) => {
  const refused: string[] = []
  page.on('console', (message) => {
    if (/Content Security Policy/.test(message.text())) refused.push(message.text())
  })
  await openPrompt(page)
  await page.getByRole('button', { name: 'Draw a molecule' }).click()
  const drawing = page.getByRole('dialog', { name: 'Draw a molecule' })
  await expect(drawing.getByText('Nothing drawn yet.')).toBeVisible()
  await expect(drawing.getByRole('button', { name: 'Upload this compound' })).toBeDisabled()
  await expectNoViolations(page)
  await drawBond(page)
  await expect(drawing.getByText('Nothing drawn yet.')).toBeHidden()
  await drawing.getByLabel('Name').fill('sketch 1')
  await drawing.getByRole('button', { name: 'Upload this compound' }).click()
  await expectCompounds(page, ['sketch 1'])
  expect(refused).toEqual([])
})

async function openPrompt(page: Page): Promise<void> {
  await signIn(page, newEmail())
  await page.getByLabel('Target(s) files').setInputFiles(sampleStructure)
  await expect(page.getByText('1 target uploaded')).toBeVisible()
}

async function openImport(page: Page): Promise<void> {
  await openPrompt(page)
  await page.getByRole('button', { name: 'Paste or import compounds' }).click()
  await expect(dialog(page).getByLabel('SMILES or a table')).toBeVisible()
}

async function chooseTable(page: Page, name: string, content: string | Buffer): Promise<void> {
  await dialog(page).getByLabel('Compound table').setInputFiles(textFile(name, content))
}

/** The page continues automatically once both boxes have what they need. */
async function expectCompounds(page: Page, names: string[]): Promise<void> {
  await expect(page).toHaveURL(/\/results$/)
  const options = page.getByRole('listbox', { name: 'Compounds' }).getByRole('option')
  await expect(options).toHaveCount(names.length)
  for (const name of names) await expect(options.filter({ hasText: name })).toBeVisible()
}

/** The editor starts with the tool for single bonds: a click on empty space draws one. */
async function drawBond(page: Page): Promise<void> {
  const box = await page.getByRole('group', { name: 'Structure editor' }).boundingBox()
  if (box === null) throw new Error('the editor is not drawn')
  await page.mouse.click(box.x + box.width * 0.6, box.y + box.height * 0.5)
}
