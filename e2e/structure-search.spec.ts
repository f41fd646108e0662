/** Finding compounds of a published series by a structure drawn in the browser. */
import { expect } from '@playwright/test'
import { expectNoViolations } from './no-violations.ts'
import { test } from './product.ts'
import { openSeriesUser } from './sample-series.ts'
import { enter } from './steps.ts'

const shots = process.env['PKDEX_SHOTS']

test('SPEC 19.18, 30.13: compounds of a series are found by a drawn structure, drawn in their rows', async ({
  page,
  baseURL,
}) => {
  const { user, compounds } = await openSeriesUser(baseURL, { values: 3 })
  await enter(page, user)
  await page.goto('/results')
  const column = page.getByRole('region', { name: 'Compound', exact: true })
  const rows = column.getByRole('listbox').getByRole('option')
  await expect(rows).toHaveCount(27)
  await expect(rows.first().locator('img')).toBeVisible()
  await expectNoViolations(page)
  if (shots) await page.screenshot({ path: `${shots}/search-before.png`, fullPage: true })

  await column.getByRole('button', { name: 'Search by structure' }).click()
  const dialog = page.getByRole('dialog', { name: 'Search by structure' })
  const editor = dialog.getByRole('group', { name: 'Structure editor' })
  await expect(editor.locator('canvas').first()).toBeVisible()
  if (shots) await page.screenshot({ path: `${shots}/search-editor.png` })
  await expectNoViolations(page)

  const box = await editor.boundingBox()
  if (box === null) throw new Error('the editor has no size')
  await page.mouse.click(box.x + box.width * 0.6, box.y + box.height * 0.5)
  await expect(dialog.getByLabel('SMILES')).not.toHaveValue('')
  await dialog.getByLabel('Find').selectOption('Substructure')
  await dialog.getByRole('button', { name: 'Search' }).click()
  await expect(column.getByText('27 matches')).toBeVisible()

  // A compound finds itself first, and then its analogues.
  await column.getByRole('button', { name: 'Edit' }).click()
  await dialog.getByLabel('Find').selectOption('Similar')
  await dialog.getByLabel('SMILES').fill(compounds[0]?.smiles ?? '')
  await dialog.getByRole('button', { name: 'Search' }).click()
  await expect(column.getByText(/\d+ matches/)).toBeVisible()
  await expect(rows.first()).toContainText(compounds[0]?.name ?? '')
  await expect(rows.first()).toContainText('1.00')
  await expectNoViolations(page)
  if (shots) await page.screenshot({ path: `${shots}/search-similar.png`, fullPage: true })

  await column.getByRole('button', { name: 'Edit' }).click()
  await dialog.getByLabel('SMILES').fill('C1CC')
  await dialog.getByRole('button', { name: 'Search' }).click()
  await expect(dialog).toContainText('Ring 1 is opened here but never closed')
  await page.keyboard.press('Escape')
  await expect(rows.first()).toContainText(compounds[0]?.name ?? '')

  await column.getByRole('button', { name: 'Clear' }).click()
  await expect(column.getByRole('button', { name: 'Search by structure' })).toBeVisible()
  await expect(rows).toHaveCount(27)

  await column.getByLabel('Structures').uncheck()
  await expect(rows.first().locator('img')).toHaveCount(0)
})
