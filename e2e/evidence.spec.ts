/** What a number rests on, from the panel: its atoms, the compounds it leans on, its receipt, and the structure in 3D. */
import { readFile } from 'node:fs/promises'
import { expect } from '@playwright/test'
import { Receipt } from '@pkdex/contract'
import { expectNoViolations } from './no-violations.ts'
import { test } from './product.ts'
import { newEmail, reading, select, signIn, uploadSamples } from './steps.ts'

test('under a number stand its atoms, the compounds it leans on and its receipt; the structure turns in 3D', async ({
  page,
}) => {
  await signIn(page, newEmail())
  await uploadSamples(page)
  await select(page, 'Targets', '1hpv')
  await select(page, 'Compounds', 'amprenavir')
  const panel = reading(page)

  await panel.getByRole('button', { name: /^Which atoms/ }).click()
  await expect(panel.getByText(/^Add most/)).toBeVisible()
  await expect(panel.getByText(/[A-Z] \d+ \(\+0\.\d\d\)/)).toBeVisible()
  await panel.getByText('All atoms in a table').click()
  await expect(panel.getByRole('row')).toHaveCount(36)

  await panel.getByRole('button', { name: /^What it leans on/ }).click()
  const alike = panel.getByRole('article')
  await expect(alike.first()).toContainText('Tanimoto similarity')
  await expect(alike.first()).toContainText(/\d\.\d\d on /)

  await panel.getByRole('button', { name: /^Receipt/ }).click()
  const saving = page.waitForEvent('download')
  await panel.getByRole('button', { name: 'Download receipt' }).click()
  const receipt = Receipt.parse(JSON.parse(await readFile(await (await saving).path(), 'utf8')))
  await expect(panel.getByText(`pKd = ${receipt.predicted_kd.toFixed(2)}`)).toBeVisible()
  expect(receipt.structure).toMatchObject({ name: '1hpv', filename: '1hpv.pdb' })
  await expectNoViolations(page)

  await page.getByRole('button', { name: 'View in 3D' }).click()
  const view = page.getByRole('application', { name: /^3D view of 1hpv/ })
  await expect(page.getByText(/residues within 5 Å/)).toBeVisible()
  const drawn = () => view.screenshot().then((image) => image.toString('base64'))
  const before = await drawn()
  await view.focus()
  await page.keyboard.press('ArrowLeft')
  await expect.poll(drawn).not.toBe(before)
  await expectNoViolations(page)
})
