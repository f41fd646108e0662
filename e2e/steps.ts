/** A user's steps, named as on the page. Each step waits for its effect. */
import { fileURLToPath } from 'node:url'
import { API_KEY_HEADER } from '@pkdex/contract'
import { expect, type Locator, type Page } from '@playwright/test'
import type { ApiUser } from './api-user.ts'

export const sampleStructure = sample('1hpv.pdb')
export const sampleCompounds = sample('compounds.txt')

/** Signs in through the page, with the account chooser of the development identity provider. */
export async function signIn(page: Page, email: string): Promise<void> {
  await page.goto('/')
  await chooseAccount(page, email)
  await expect(page).toHaveURL(/\/prompt$/)
}

/** Signs in on the current page, whatever the result. */
async function chooseAccount(page: Page, email: string): Promise<void> {
  const opened = page.waitForEvent('popup')
  await page.getByRole('button', { name: 'Sign in with Google' }).click()
  const chooser = await opened
  await chooser.getByLabel('Email').fill(email)
  await chooser.getByRole('button', { name: 'Continue' }).click()
}

/** Gives the browser the key of a user who signed in through the API. */
export async function enter(page: Page, { url, headers }: ApiUser): Promise<void> {
  await page.goto(url)
  const { [API_KEY_HEADER]: key = '' } = headers
  await page.evaluate((value) => localStorage.setItem('API-key', value), key)
}

/**
 * Doubles the text size of every page opened from now on. It is set before layout, as the browser's own setting
 * would be: Chromium does not re-evaluate a container query in rem when the root's font size changes later.
 */
export async function enlargeText(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync('html { font-size: 200% !important }')
    document.adoptedStyleSheets = [sheet]
  })
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

/** Visible words in a part of the page; numbers and text for screen readers do not count. */
export function countWords(part: Locator): Promise<number> {
  return part.evaluate((element) => {
    const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
    const seen: string[] = []
    while (texts.nextNode()) {
      const { parentElement: parent, nodeValue } = texts.currentNode
      const isSeen = parent?.checkVisibility() && !parent.closest('.visually-hidden')
      seen.push(...(isSeen ? (nodeValue ?? '').split(/\s+/) : []))
    }
    return seen.filter((word) => /\p{L}/u.test(word)).length
  })
}

let visitors = 0
/** A separate user for each test. */
export function newEmail(): string {
  visitors += 1
  return `visitor-${process.pid}-${Date.now()}-${visitors}@example.org`
}

/** For a file input. */
export function textFile(name: string, content: string | Buffer) {
  return { name, mimeType: 'text/plain', buffer: Buffer.from(content) }
}

/** How many pixels the page is wider than the window. */
export function overflow(page: Page): Promise<number> {
  return page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
}

function sample(name: string): string {
  return fileURLToPath(new URL(`../samples/${name}`, import.meta.url))
}
