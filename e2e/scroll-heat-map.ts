/** Scrolls the heat map of a screen as fast as the browser draws, and says what a draw costs. */
import type { Page } from '@playwright/test'

export type Scrolled = {
  /** 95th percentile of the draws. */
  drawMs: number
  framesPerSecond: number
}

/** A step each frame, so far that all cells in it are others; what runs before a frame is measured there. */
export async function scrollHeatMap(page: Page, frames: number): Promise<Scrolled> {
  const cells = page.getByRole('region', { name: /^Cells of the heat map/ })
  await cells.waitFor()
  return cells.evaluate(async (scroller, count) => {
    const request = window.requestAnimationFrame.bind(window)
    const drawn: number[] = []
    // Draws ask for their frame from here on, so their own time is known.
    window.requestAnimationFrame = (draw) =>
      request((at) => {
        const started = performance.now()
        draw(at)
        drawn.push(performance.now() - started)
      })
    const next = () => new Promise((resolve) => request(resolve))
    for (let frame = 0; frame < 10; frame += 1) await next()
    const started = performance.now()
    for (let frame = 0; frame < count; frame += 1) {
      scroller.scrollTop += 700
      await next()
    }
    const seconds = (performance.now() - started) / 1000
    const slowest = drawn.toSorted((a, b) => a - b)
    if (drawn.length < count / 2) throw new Error(`the map was drawn ${drawn.length} times only`)
    return {
      drawMs: slowest[Math.floor(slowest.length * 0.95)] ?? Number.NaN,
      framesPerSecond: count / seconds,
    }
  }, frames)
}
