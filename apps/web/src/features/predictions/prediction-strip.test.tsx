/** The strip that keeps the prediction in view where the lists are below it. */
import { fireEvent, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { renderScreen } from '#web/test/screen.tsx'
import type { PredictionState } from './prediction-state.ts'
import { PredictionStrip } from './prediction-strip.tsx'

const cost = { cost: 1, returned: 0 }
const value: PredictionState = {
  status: 'value',
  prediction: { pkd: 7.84, interval: null, details: null },
  ...cost,
}
const failure = { title: 'Not enough credits', message: null, remedy: 'try again' as const }

test.each<[string, PredictionState]>([
  ['7.84 ± 1.5, moderateShow', value],
  ['PredictingShow', { status: 'waiting', stage: 'Queued', isOutOfReach: false, ...cost }],
  ['Not enough creditsShow', { status: 'failed', failure, ...cost }],
])('when out of view the value is repeated as %s', (text, state) => {
  scrollAway(true)
  renderScreen(<PredictionStrip state={state} summary={{ current: document.body }} />)
  expect(screen.getByRole('button').textContent).toBe(text)
})

test('it links back to the value', () => {
  scrollAway(true)
  const summary = document.createElement('div')
  const scrollIntoView = vi.fn<() => void>()
  summary.scrollIntoView = scrollIntoView
  renderScreen(<PredictionStrip state={value} summary={{ current: summary }} />)
  fireEvent.click(screen.getByRole('button'))
  expect(scrollIntoView).toHaveBeenCalledOnce()
})

test('in view, or without a prediction, there is no strip', () => {
  scrollAway(false)
  renderScreen(<PredictionStrip state={value} summary={{ current: document.body }} />)
  scrollAway(true)
  renderScreen(<PredictionStrip state={{ status: 'none' }} summary={{ current: document.body }} />)
  expect(screen.queryByRole('button')).toBeNull()
})

/** Reports every observed element immediately. */
function scrollAway(isAway: boolean) {
  type Report = (entries: { isIntersecting: boolean }[]) => void
  class Observer {
    report: Report
    constructor(report: Report) {
      this.report = report
    }
    observe() {
      this.report([{ isIntersecting: !isAway }])
    }
    disconnect() {}
  }
  vi.stubGlobal('IntersectionObserver', Observer)
}
