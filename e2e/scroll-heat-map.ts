/** Scrolls the heat map of a screen as fast as the browser draws, and measures the cost of a draw. */
import type { Page } from '@playwright/test'

export type Scrolled = {
  /** 95th percentile of the draw times. */
  drawMs: number
  framesPerSecond: number
}

/** One step per frame, so large that all cells change; work before a frame is measured there. */
export async function scrollHeatMap(page: Page, frames: number): Promise<Scrolled> {
  const cells = page.getByRole('region', { name: /^Heat map cells/ })
  await cells.waitFor()
  return cells.evaluate(async (scroller, count) => {
    const request = window.requestAnimationFrame.bind(window)
    const drawn: number[] = []
    // From here on, draws request their frame here, so their own time can be measured.
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
