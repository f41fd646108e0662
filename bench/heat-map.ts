/** Scrolling the heat map of a screen of 10,000 compounds by 20 targets: time per frame and number of frames. */
import {
  API_KEY_HEADER,
  matrixFlags,
  readScreen,
  readScreenMatrix,
  type Screen,
  type ScreenMatrix,
} from '@pkdex/contract'
import { chromium } from '@playwright/test'
import { signIn } from '../e2e/api-user.ts'
import { drawingLaunch, unpackBrowser } from '../e2e/browser.ts'
import { scrollHeatMap } from '../e2e/scroll-heat-map.ts'
import { startProduct } from '../e2e/start-product.ts'
import type { Figure } from './figure.ts'

const COMPOUNDS = 10_000
const TARGETS = 20
/** One frame at 60 frames per second. */
const FRAME_MS = 1000 / 60
const FRAMES = 180
const ID = '00000000-0000-4000-8000-000000000000'

export async function measureHeatMap(): Promise<Figure[]> {
  const product = await startProduct({ LOG_LEVEL: 'warn' })
  await unpackBrowser()
  const browser = await chromium.launch(drawingLaunch)
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 860 } })
    const { headers } = await signIn(product.url, 'bench@example.org')
    await page.goto(product.url)
    const { [API_KEY_HEADER]: key = '' } = headers
    await page.evaluate((value) => localStorage.setItem('API-key', value), key)
    // Predictions are made up: predicting them is measured elsewhere.
    const answers = [readScreen.path, readScreenMatrix.path].map((path) => path.replace(':id', ID))
    await page.route(`**${answers[0]}`, (route) =>
      route.request().resourceType() === 'document'
        ? route.continue()
        : route.fulfill({ json: screen }),
    )
    await page.route(`**${answers[1]}`, (route) => route.fulfill({ json: matrix() }))
    await page.goto(`${product.url}/screens/${ID}?view=map`)
    const { drawMs, framesPerSecond } = await scrollHeatMap(page, FRAMES)
    const what = 'heat map 10,000 × 20, scrolling'
    return [
      figure(`${what}: 95th percentile of a draw`, drawMs, 'ms', FRAME_MS),
      { ...figure(`${what}: frames`, framesPerSecond, 'frames/s', 57), isFloor: true },
    ]
  } finally {
    await browser.close()
    await product.stop()
  }
}

function figure(name: string, measured: number, unit: Figure['unit'], value: number): Figure {
  return { name, measured, unit, against: { name: 'limit', value } }
}

const targets = Array.from({ length: TARGETS }, (_, n) => ({ name: `target-${n}`, chain: 'A' }))

const screen: Screen = {
  id: ID,
  status: 'DONE',
  total: COMPOUNDS * TARGETS,
  done: COMPOUNDS * TARGETS,
  known: 0,
  credits_charged: COMPOUNDS * TARGETS,
  targets,
  target_count: TARGETS,
  compounds: COMPOUNDS,
  model_version: 'bench',
  created_at: '2026-01-01T00:00:00Z',
  finished_at: '2026-01-01T00:01:00Z',
  message: null,
  structure_status: null,
  structure_total: null,
  structure_done: null,
  structure_message: null,
}

/** Values over the whole scale; every third pair is outside the domain, because such cells are the slowest to draw. */
function matrix(): ScreenMatrix {
  const count = COMPOUNDS * TARGETS
  const numbers = Buffer.alloc(2 * count)
  const flags = Buffer.alloc(count)
  for (let place = 0; place < count; place += 1) {
    numbers.writeInt16LE(400 + ((place * 7919) % 600), 2 * place)
    flags[place] = matrixFlags.hasNumber | (place % 3 === 0 ? 0 : matrixFlags.isInDomain)
  }
  return {
    targets,
    compounds: Array.from({ length: COMPOUNDS }, (_, n) => `compound-${n}`),
    predicted_kd: numbers.toString('base64'),
    flags: flags.toString('base64'),
  }
}
