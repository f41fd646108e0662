/** Scrolls the results table of a screen as fast as the browser draws, and measures the frames per second. */
import type { Page } from '@playwright/test'

export type ScrolledTable = {
  framesPerSecond: number
  /** Rows of the last frame that have both their prediction and their structure. */
  drawnRows: number
}

/** One row per frame, like a fast mouse wheel. */
const STEP_PX = 72
const SETTLE_MS = 1500

export async function scrollTable(page: Page, frames: number): Promise<ScrolledTable> {
  const results = page.getByRole('region', { name: 'Results' })
  await results.locator('img').first().waitFor()
  const framesPerSecond = await results.evaluate(
    async (scroller, { count, step }) => {
      const next = () => new Promise((resolve) => requestAnimationFrame(resolve))
      for (let frame = 0; frame < 10; frame += 1) await next()
      const started = performance.now()
      for (let frame = 0; frame < count; frame += 1) {
        scroller.scrollTop += step
        await next()
      }
      return (1000 * count) / (performance.now() - started)
    },
    { count: frames, step: STEP_PX },
  )
  await page.waitForTimeout(SETTLE_MS)
  return { framesPerSecond, drawnRows: await results.locator('td img').count() }
}
