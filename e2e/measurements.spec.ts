/** A chemist's own values, from the paste to a number that takes them into account. */
import { expect } from '@playwright/test'
import { expectNoViolations } from './no-violations.ts'
import { test } from './product.ts'
import { newEmail, reading, select, signIn, uploadSamples } from './steps.ts'

const pasted = `compound,Ki (nM)
amprenavir,0.6
indinavir,0.4
saquinavir,0.12
nelfinavir,2
CC(=O)Oc1ccccc1C(=O)O,>100000
unknown thing,3`

test('own values are pasted, compared with the model, and said beside a number', async ({
  page,
}) => {
  await signIn(page, newEmail())
  await uploadSamples(page)
  await page.getByRole('link', { name: 'Measured' }).click()
  await page.getByRole('textbox', { name: 'Measured values' }).fill(pasted)
  await page.getByRole('button', { name: 'Import' }).click()
  await expect(page.getByText('5 values added')).toBeVisible()
  await expect(page.getByText(/^Line 7: You have no compound named “unknown thing”/)).toBeVisible()
  const picture = page.getByRole('img', { name: 'Predicted against measured pK of 5 compounds' })
  await expect(picture).toBeVisible()
  await expect(page.getByRole('cell', { name: 'Ki > 100000 nM' })).toBeVisible()
  await expectNoViolations(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.setViewportSize({ width: 390, height: 844 })
  await expectNoViolations(page)

  await page.goto('/results')
  await select(page, 'Targets', '1hpv')
  await select(page, 'Compounds', 'ritonavir')
  await expect(reading(page).getByText(/^pKd = \d+\.\d\d ± 1\.5$/)).toBeVisible()
  await expect(reading(page).getByText(/^With your \d values \d+\.\d\d \(/)).toBeVisible()

  // The table of a screen says the same of every compound.
  await page.goto('/screens/new')
  await page.getByRole('button', { name: 'Start the screen' }).click()
  await expect(page.getByRole('columnheader', { name: 'With your values' })).toBeVisible()
  await expect(page.getByText(/^with \d values$/)).toHaveCount(10)
  await expectNoViolations(page)
})
