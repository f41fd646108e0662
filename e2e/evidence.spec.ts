/** Evidence in the results panel: atom contributions, similar compounds, the receipt, and the structure in 3D. */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { expect, type Page } from '@playwright/test'
import { Receipt } from '@pkdex/contract'
import { expectNoViolations } from './no-violations.ts'
import { test } from './product.ts'
import { newEmail, reading, sampleStructure, select, signIn, uploadSamples } from './steps.ts'

test('tabs under a prediction show similar compounds, atom contributions and the receipt', async ({
  page,
}) => {
  await signIn(page, newEmail())
  await uploadSamples(page)
  await select(page, 'Targets', '1hpv')
  await select(page, 'Compounds', 'amprenavir')
  const panel = reading(page)

  const cards = panel.getByRole('tabpanel', { name: 'Similar compounds' })
  await expect(cards.getByText('9.18', { exact: true })).toBeVisible()
  await cards.getByText('More', { exact: true }).click()
  const alike = panel.getByRole('article')
  await expect(alike.first()).toContainText('Tanimoto similarity')
  await expect(alike.first()).toContainText(/\d\.\d\d on /)

  await panel.getByRole('tab', { name: 'Atom contributions' }).click()
  await expect(panel.getByText(/^Raise it most/)).toBeVisible()
  await expect(panel.getByText(/[A-Z] \d+ \(\+0\.\d\d\)/)).toBeVisible()
  await panel.getByText('All atoms', { exact: true }).click()
  await expect(panel.getByRole('row')).toHaveCount(36)

  await panel.getByRole('tab', { name: 'Receipt' }).click()
  const saving = page.waitForEvent('download')
  await panel.getByRole('button', { name: 'Download receipt' }).click()
  const receipt = Receipt.parse(JSON.parse(await readFile(await (await saving).path(), 'utf8')))
  await expect(panel.getByText(`pKd = ${receipt.predicted_kd.toFixed(2)}`)).toBeVisible()
  expect(receipt.structure).toMatchObject({ name: '1hpv', filename: '1hpv.pdb' })
  await expectNoViolations(page)
})

test('SPEC 19.12: the 3D view shows all chains, the ligand and its surroundings, rotates, has a surface, and can switch the chain', async ({
  page,
}) => {
  await openStructure(page)
  const view = page.getByRole('application', { name: /^3D view of 1hpv/ })
  const dialog = page.getByRole('dialog', { name: 'Structure of 1hpv' })
  await expect(dialog.getByText('Chain A, used for predictions')).toBeVisible()
  await expect(dialog.getByText('Chain B', { exact: true })).toBeVisible()
  await expect(
    dialog.getByText(
      /^Ligand 478 \(residue 200\) as sticks, with the [1-9]\d* residues within 5 Å of it/,
    ),
  ).toBeVisible()
  const drawn = async () => hashOf(await view.screenshot())
  const flat = await drawn()
  await view.focus()
  await page.keyboard.press('ArrowLeft')
  await expect.poll(drawn).not.toBe(flat)
  await expectNoViolations(page)

  const surface = dialog.getByRole('switch', { name: 'Surface' })
  await surface.focus()
  const turned = await drawn()
  await page.keyboard.press('Space')
  await expect.poll(drawn).not.toBe(turned)
  await page.keyboard.press('Space')
  await expect.poll(drawn).toBe(turned)
  await dialog.getByRole('button', { name: 'Ligand' }).click()
  await expect.poll(drawn).not.toBe(turned)

  await dialog.getByRole('button', { name: 'Use another chain' }).click()
  await dialog.getByLabel('Chain').selectOption('B')
  await dialog.getByRole('button', { name: 'Use this chain' }).click()
  await expect(dialog.getByText('Chain B, used for predictions')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('button', { name: 'View in 3D' })).toBeFocused()
  await expect(page.getByText(/^Chain B\b/).first()).toBeVisible()
})

test('the 3D view fills the screen by button and by key, and Escape first leaves full screen', async ({
  page,
}) => {
  await openStructure(page)
  const dialog = page.getByRole('dialog', { name: 'Structure of 1hpv' })
  const isFull = () => page.evaluate(() => document.fullscreenElement !== null)
  const fullScreen = dialog.getByRole('button', { name: 'Full screen' })
  await fullScreen.click()
  await expect.poll(isFull).toBe(true)
  await page.keyboard.press('Escape')
  await expect.poll(isFull).toBe(false)
  await expect(fullScreen).toBeVisible()
  await fullScreen.press('Enter')
  await expect.poll(isFull).toBe(true)
  await fullScreen.press('Enter')
  await expect.poll(isFull).toBe(false)
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
})

function hashOf(image: Buffer): string {
  return createHash('sha256').update(image).digest('hex')
}

async function openStructure(page: Page): Promise<void> {
  await signIn(page, newEmail())
  await page.getByLabel('Target(s) files').setInputFiles(sampleStructure)
  await expect(page.getByText('1 target uploaded')).toBeVisible()
  await page.goto('/results')
  await select(page, 'Targets', '1hpv')
  await page.getByRole('button', { name: 'View in 3D' }).click()
}
