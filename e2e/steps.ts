/** What a visitor does, in the words of the screen. Each step waits for what it causes. */
import { fileURLToPath } from 'node:url'
import { expect, type Page } from '@playwright/test'

export const sampleStructure = sample('1hpv.pdb')
export const sampleCompounds = sample('compounds.txt')

/** Signs in through the page, by the account chooser of the development identity provider. */
export async function signIn(page: Page, email: string): Promise<void> {
  await page.goto('/')
  const opened = page.waitForEvent('popup')
  await page.getByRole('button', { name: 'Sign in with Google' }).click()
  const chooser = await opened
  await chooser.getByLabel('E-mail').fill(email)
  await chooser.getByRole('button', { name: 'Continue' }).click()
  await expect(page).toHaveURL(/\/prompt$/)
}

/** Fills both boxes with the sample files and waits for the results page. */
export async function uploadSamples(page: Page): Promise<void> {
  await page.getByLabel('Target(s) files').setInputFiles(sampleStructure)
  await expect(page.getByText('1 target uploaded')).toBeVisible()
  await page.getByLabel('Drug(s) files').setInputFiles(sampleCompounds)
  await expect(page).toHaveURL(/\/results$/)
}

export async function select(
  page: Page,
  list: 'Targets' | 'Compounds',
  name: string,
): Promise<void> {
  await page.getByRole('listbox', { name: list }).getByRole('option', { name }).click()
}

export function reading(page: Page) {
  return page.getByRole('region', { name: 'Prediction' })
}

/** The balance in the header. */
export async function creditsOf(page: Page): Promise<number> {
  const counter = page.getByText(/^Credits \d/)
  await expect(counter).toBeVisible()
  return Number((await counter.innerText()).replaceAll(/\D/g, ''))
}

let visitors = 0
/** A user of one's own for each test. */
export function newEmail(): string {
  visitors += 1
  return `visitor-${process.pid}-${Date.now()}-${visitors}@example.org`
}

function sample(name: string): string {
  return fileURLToPath(new URL(`../samples/${name}`, import.meta.url))
}
