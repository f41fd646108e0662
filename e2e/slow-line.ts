/** The first page over a slow connection or on a slow machine, as a new user's browser with an empty cache loads it. */
import { type CDPSession, chromium } from '@playwright/test'
import { browserLaunch, unpackBrowser } from './browser.ts'

type Conditions = { line?: { kilobitsPerSecond: number; latencyMs: number }; cpuSlowdown?: number }

/** A phone with poor reception. */
const slowLine: Conditions = { line: { kilobitsPerSecond: 400, latencyMs: 400 } }

export type FirstPage = {
  firstPaintMs: number
  /** Time until the sign-in button is usable, because its service has loaded. */
  signInMs: number
  scriptBytes: number
}

export async function openFirstPage(
  url: string,
  conditions: Conditions = slowLine,
): Promise<FirstPage> {
  await unpackBrowser()
  const browser = await chromium.launch(browserLaunch)
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 860 } })
    await impose(await page.context().newCDPSession(page), conditions)
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

async function impose(session: CDPSession, { line, cpuSlowdown = 1 }: Conditions): Promise<void> {
  await session.send('Emulation.setCPUThrottlingRate', { rate: cpuSlowdown })
  if (line === undefined) return
  const bytesPerSecond = (line.kilobitsPerSecond * 1000) / 8
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: line.latencyMs,
    downloadThroughput: bytesPerSecond,
    uploadThroughput: bytesPerSecond,
  })
}
