/** What axe finds in what is on the screen now, by WCAG 2.2 AA and best practice, once nothing is on its way any more. */
import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
const SETTLED_MS_MAX = 45_000

type Options = {
  /** The state to look at is one of waiting, and lasts: parts of the page say that they are busy. */
  isBusy?: boolean
}

export async function expectNoViolations(
  page: Page,
  { isBusy = false }: Options = {},
): Promise<void> {
  await untilSettled(page, isBusy)
  const { violations } = await new AxeBuilder({ page }).withTags(tags).analyze()
  const found = violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join('; ')}`,
  )
  expect(found, page.url()).toEqual([])
}

/**
 * A colour halfway to another one, a word in the font that stands in for another, a list that is still its skeleton:
 * none is a state that a reader is left with, and which of them axe meets would hang on the load of the machine.
 */
async function untilSettled(page: Page, isBusy: boolean): Promise<void> {
  await page.waitForFunction(
    (mayBeBusy) => {
      // What turns without an end is no way from one state to another.
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
