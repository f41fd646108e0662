/** Checks the current page with axe, by WCAG 2.2 AA and best practice, once no change is in progress. */
import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
const SETTLED_MS_MAX = 45_000

type Options = {
  /** The state to check is a lasting wait: parts of the page are marked as busy. */
  isBusy?: boolean
}

export async function expectNoViolations(
  page: Page,
  { isBusy = false }: Options = {},
): Promise<void> {
  await untilSettled(page, isBusy)
  const { violations } = await new AxeBuilder({ page })
    .options({ resultTypes: ['violations'] })
    .withTags(tags)
    // Otherwise every check opens a page of its own for what frames of other sites report; ours have none.
    .setLegacyMode()
    .analyze()
  const found = violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join('; ')}`,
  )
  expect(found, page.url()).toEqual([])
}

/** Covers each scheme and each width once: colours do not depend on the width. */
export const looks = [
  { colorScheme: 'light', width: 1280 },
  { colorScheme: 'dark', width: 390 },
] as const

/** The same on a phone, in dark colours. */
export async function expectNoViolationsOnDarkPhone(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.setViewportSize({ width: 390, height: 844 })
  await expectNoViolations(page)
}

/**
 * A colour in transition, text in a fallback font, a list still loading: these are not final states, and whether axe
 * sees one would depend on the load of the machine.
 */
async function untilSettled(page: Page, isBusy: boolean): Promise<void> {
  await page.waitForFunction(
    (mayBeBusy) => {
      // An endless animation is not a transition between states.
      const isMoving = document
        .getAnimations()
        .some(
          ({ playState, effect }) =>
            playState === 'running' && Number.isFinite(effect?.getComputedTiming().endTime),
        )
      const isWaiting = document.querySelector('[aria-busy=true]') !== null
      return !isMoving && document.fonts.status === 'loaded' && (mayBeBusy || !isWaiting)
    },
    isBusy,
    { timeout: SETTLED_MS_MAX },
  )
}
