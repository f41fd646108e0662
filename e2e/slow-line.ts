/** The first page over a slow line, as a newcomer's browser with an empty cache sees it. */
import { chromium } from '@playwright/test'
import { browserLaunch, unpackBrowser } from './browser.ts'

/** A phone at the edge of its network. */
const LINE = { kilobitsPerSecond: 400, latencyMs: 400 }

export type FirstPage = {
  firstPaintMs: number
  /** Until the button can be used: its service has opened. */
  signInMs: number
  scriptBytes: number
}

export async function openFirstPage(url: string): Promise<FirstPage> {
  await unpackBrowser()
  const browser = await chromium.launch(browserLaunch)
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 860 } })
    const line = await page.context().newCDPSession(page)
    const bytesPerSecond = (LINE.kilobitsPerSecond * 1000) / 8
    await line.send('Network.enable')
    await line.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: LINE.latencyMs,
      downloadThroughput: bytesPerSecond,
      uploadThroughput: bytesPerSecond,
    })
    await page.goto(url, { waitUntil: 'commit' })
    await page.getByRole('button', { name: 'Sign in with Google' }).waitFor()
    return await page.evaluate(() => {
      const resources = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
      const scripts = resources.filter(({ name }) => /\/assets\/.*\.js$/.test(name))
      return {
        firstPaintMs: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN,
        signInMs: performance.now(),
        scriptBytes: scripts.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
      }
    })
  } finally {
    await browser.close()
  }
}
