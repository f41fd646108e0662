/** Uploading: picking, dropping, rejecting, the sample files, and files that already exist. */
import { readFile } from 'node:fs/promises'
import { expect, type Page } from '@playwright/test'
import { test } from './product.ts'
import {
  countWords,
  newEmail,
  sampleCompounds,
  sampleStructure,
  signIn,
  uploadSamples,
} from './steps.ts'

test.beforeEach(async ({ page }) => signIn(page, newEmail()))

const box = (page: Page, name: string) => page.getByRole('region', { name })

test(
  'SPEC 2.4, 2.5, 4.15, 9.4: both boxes accept several files and the results page opens',
  { tag: '@smoke' },
  async ({ page }) => {
    await expect(page.getByLabel('Target(s) files')).toHaveAttribute('accept', '.pdb')
    await expect(page.getByLabel('Drug(s) files')).toHaveAttribute('accept', '.txt')
    const structure = await readFile(sampleStructure)
    await page.getByLabel('Target(s) files').setInputFiles([
      { name: 'first.pdb', mimeType: 'chemical/x-pdb', buffer: structure },
      { name: 'second.pdb', mimeType: 'chemical/x-pdb', buffer: structure },
    ])
    await expect(page.getByText('2 targets uploaded')).toBeVisible()
    await drop(page, 'Drug(s)', await readFile(sampleCompounds, 'utf8'))
    await expect(page).toHaveURL(/\/results$/)
    const targets = page.getByRole('listbox', { name: 'Targets' })
    await expect(targets.getByRole('option')).toHaveCount(2)
  },
)

async function drop(page: Page, name: string, content: string): Promise<void> {
  const dataTransfer = await page.evaluateHandle((text) => {
    const data = new DataTransfer()
    data.items.add(new File([text], 'compounds.txt'))
    return data
  }, content)
  for (const type of ['dragenter', 'dragover', 'drop']) {
    await box(page, name).dispatchEvent(type, { dataTransfer })
  }
}

test(
  'a new user gets to results with the sample files, and can use them again later',
  { tag: '@smoke' },
  async ({ page }) => {
    for (const name of ['Target(s)', 'Drug(s)']) {
      await box(page, name).getByRole('button', { name: 'Try with sample files' }).click()
    }
    await expect(page).toHaveURL(/\/results$/)
    await page.getByRole('banner').getByRole('link', { name: 'Upload', exact: true }).click()
    await box(page, 'Target(s)').getByRole('button', { name: 'Use my 1 existing file' }).click()
    await expect(page).toHaveURL(/\/prompt$/)
    await box(page, 'Drug(s)').getByRole('button', { name: 'Use my 1 existing file' }).click()
    await expect(page).toHaveURL(/\/results$/)
  },
)

test('SPEC 30.5: each view of the account has at most 110 words', async ({ page }) => {
  await uploadSamples(page)
  await page.getByRole('link', { name: /^Files, credits, API and account of / }).click()
  await expect(page.getByText('1hpv.pdb').first()).toBeVisible()
  for (const view of ['Files', 'Credits', 'API', 'Account']) {
    const views = page.getByRole('navigation', { name: 'Account' })
    await views.getByRole('link', { name: view }).click()
    await expect(page.getByRole('heading', { name: view, level: 1 })).toBeVisible()
    await expect(page.locator('[data-skeleton]')).toHaveCount(0)
    expect(await countWords(page.getByRole('main')), view).toBeLessThanOrEqual(110)
  }
})
