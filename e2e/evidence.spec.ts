/** The structure of a target in 3D. */
import { createHash } from 'node:crypto'
import { expect, type Page } from '@playwright/test'
import { expectNoViolations } from './no-violations.ts'
import { test } from './product.ts'
import { newEmail, sampleStructure, select, signIn } from './steps.ts'

// Every pixel of the view is drawn by the processor.
test.use({ viewport: { width: 820, height: 620 } })

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
