/** Measured values of published series: a workbook with replicates and a bound, a corrected line, and values that make predictions worse. */
import { compareMeasurements } from '@pkdex/contract'
import { expect } from '@playwright/test'
import type { ApiUser } from './api-user.ts'
import { expectNoViolations } from './no-violations.ts'
import { test } from './product.ts'
import { hasRealSeries, openSeriesUser, type RealCompound } from './real-series.ts'
import { enter, reading } from './steps.ts'
import { writeWorkbook } from './workbook.ts'

test.skip(!hasRealSeries, 'PKDEX_SHARED does not name the folder with the published series')

const nanomolar = (pk: number) => 10 ** (9 - pk)

test('SPEC 21.2, 21.11, 21.12, 21.13: a sheet of a workbook is imported with replicates and a bound, and a corrected line keeps type and unit', async ({
  page,
  baseURL,
}) => {
  const { user, compounds } = await openSeriesUser(baseURL, { count: 6 })
  const [twice, bounded, broken] = compounds
  if (!twice || !bounded || !broken) throw new Error('the series has too few compounds')
  await enter(page, user)
  await page.goto('/measurements')
  await page.getByLabel('Table of measured values').setInputFiles({
    name: 'assay.xlsx',
    mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    buffer: workbookOf(compounds),
  })
  const form = page.getByRole('region', { name: 'Import' })
  await form.getByLabel('Sheet').selectOption('Assay')
  const chosen = (label: string) =>
    form.getByLabel(label, { exact: true }).locator('option:checked')
  await expect(form.getByText('Which column contains the values?')).toBeVisible()
  await form.getByLabel('Value', { exact: true }).selectOption('pKi')
  await expect(chosen('Type')).toHaveText('Ki')
  await form.getByLabel('Value', { exact: true }).selectOption('IC50 (nM)')
  await expect(chosen('Type')).toHaveText('IC50')
  await expect(chosen('SMILES or compound')).toHaveText('SMILES')
  await expect(chosen('Name')).toHaveText('ID')
  await expectNoViolations(page)
  await form.getByRole('button', { name: 'Import 7 values' }).click()
  await expect(form.getByText('6 values added')).toBeVisible()

  // The unreadable line is returned below the heading of its column.
  const lines = form.getByRole('textbox', { name: 'Measured values' })
  await expect(lines).toHaveValue(`SMILES\tIC50 nM\tName\n${broken.smiles}\tn.d.\t${broken.name}`)
  await lines.fill((await lines.inputValue()).replace('n.d.', '22'))
  await form.getByRole('button', { name: 'Import 1 value' }).click()
  await expect(form.getByText('1 value added')).toBeVisible()
  const table = page.getByRole('table', { name: 'Values' })
  const rowsOf = (one: RealCompound) => table.getByRole('row').filter({ hasText: one.name })
  await expect(rowsOf(broken)).toContainText('IC50 22 nM')

  const mean = `mean ${(twice.pk - Math.log10(4) / 2).toFixed(2)} ± 0.43, n = 2`
  await expect(rowsOf(twice)).toHaveCount(2)
  await expect(rowsOf(twice).first()).toContainText(mean)
  await expect(rowsOf(bounded)).toContainText('IC50 > 10000 nM')
  await expect(rowsOf(bounded)).toContainText('≤ 5.00')

  await user.post('/dta/predict', { protein_id: 'MET', compound_id: twice.name })
  await page.goto(`/results?${new URLSearchParams({ target: 'MET', compound: twice.name })}`)
  await expect(reading(page).getByText(/^Measured: /)).toBeVisible()
  await expect(reading(page).getByText(/yours, ± 0\.43, n = 2/)).toBeVisible()
  await expect(reading(page).getByText(/^pKd = /)).toBeVisible()
})

/** A sheet with a plan and one with an assay: the first compound twice, with values a factor of four apart; the second a bound; the third not a number. */
function workbookOf([twice, bounded, broken, ...others]: RealCompound[]): Buffer {
  const row = (one: RealCompound | undefined, value: string) => [
    one?.name ?? '',
    one?.smiles ?? '',
    'KR',
    value,
    '7',
  ]
  const value = nanomolar(twice?.pk ?? 0)
  return writeWorkbook({
    Plan: [['To do'], ['Measure the series again']],
    Assay: [
      ['ID', 'SMILES', 'Operator', 'IC50 (nM)', 'pKi'],
      row(twice, value.toFixed(3)),
      row(twice, (4 * value).toFixed(3)),
      row(bounded, '>10000'),
      row(broken, 'n.d.'),
      ...others.map((one) => row(one, nanomolar(one.pk).toFixed(3))),
    ],
  })
}

/** Series in which similar structures have dissimilar values; which series qualifies depends on the model. */
const contrary = [
  'ChEMBL_BACE1_CHEMBL2353183',
  'ChEMBL_CDK2_CHEMBL3101312',
  'ChEMBL_CDK2_CHEMBL3101313',
]

test('SPEC 21.10: values of a series that make predictions worse are not used until they are switched on', async ({
  page,
  baseURL,
}) => {
  const { user, compound } = await findHarmful(baseURL)
  await enter(page, user)
  await page.goto('/measurements')
  const comparison = page.getByRole('region', { name: 'Predicted vs measured' })
  await expect(comparison.getByText(/^Your values make predictions worse/)).toBeVisible()
  const use = comparison.getByLabel('Use these values in predictions')
  await expect(use).not.toBeChecked()

  const address = `/results?${new URLSearchParams({ target: 'MET', compound })}`
  await user.post('/dta/predict', { protein_id: 'MET', compound_id: compound })
  await page.goto(address)
  const panel = reading(page)
  const plain = await panel.getByText(/^pKd = /).innerText()
  await expect(panel.getByText('Your values are not used')).toBeVisible()
  await expect(panel.getByText(/^12 values that would make predictions worse$/)).toBeVisible()
  await expect(panel.getByText('Measured: ')).toBeVisible()

  await panel.getByRole('link', { name: '12 values' }).click()
  await use.click()
  await expect(use).toBeChecked()
  await page.goto(address)
  await expect(panel.getByText(/^With your values \d+\.\d\d$/)).toBeVisible()
  await expect(panel.getByText(/They make predictions worse/)).toBeVisible()
  // The prediction without them stays, and comes first.
  await expect(panel.getByText(plain, { exact: true })).toBeVisible()
})

/** A user with twelve values of a series that make predictions worse, and one of its compounds. */
async function findHarmful(url: string): Promise<{ user: ApiUser; compound: string }> {
  for (const system of contrary) {
    const { user, compounds } = await openSeriesUser(url, { system, count: 12, measured: 12 })
    const compare = async () =>
      compareMeasurements.answer.parse(
        await (await user.get('/measurements/comparison?target=MET')).json(),
      )
    await expect.poll(async () => (await compare()).waiting).toBe(0)
    // A value counts once its compound is predicted.
    for (const { name } of compounds) {
      await user.post('/dta/predict', { protein_id: 'MET', compound_id: name })
    }
    await expect
      .poll(async () => (await compare()).compared.filter((one) => one.with_own !== null).length)
      .toBe(12)
    if ((await compare()).verdict === 'harms') return { user, compound: compounds[0]?.name ?? '' }
  }
  throw new Error('no series has values that make predictions worse')
}
