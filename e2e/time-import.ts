/** Chooses a file of compounds on the upload page, and measures its reading: the whole time, and the longest stall. */
import type { Page } from '@playwright/test'

export type TimedImport = { ms: number; stallMs: number }

const watch = `
  window.stalls = []
  new PerformanceObserver((list) => stalls.push(...list.getEntries().map((one) => one.duration)))
    .observe({ type: 'longtask' })
  document.addEventListener('change', () => (window.chosenAt = performance.now()), true)
`

/** From the choice of the file to the button that says how many compounds can be uploaded. */
export async function timeImport(page: Page, url: string, path: string): Promise<TimedImport> {
  await page.goto(`${url}/prompt`)
  await page.getByRole('button', { name: 'Paste or import compounds' }).click()
  const dialog = page.getByRole('dialog', { name: 'Paste or import compounds' })
  await dialog.getByLabel('SMILES or a table').waitFor()
  await page.evaluate(watch)
  await dialog.getByLabel('Compound table').setInputFiles(path)
  const button = dialog.getByRole('button', { name: /^Upload [\d,]{4,} compounds$/ })
  await button.waitFor({ timeout: 120_000 })
  const ms = await page.evaluate<number>('performance.now() - chosenAt')
  // A stall is reported when it ends.
  await page.waitForTimeout(300)
  return { ms, stallMs: await page.evaluate<number>('Math.max(0, ...stalls)') }
}
