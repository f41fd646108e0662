/** The scale as a screen reader reads it, and values beyond its ends. */
import { render, screen } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { toPrediction } from './prediction-state.ts'
import { AffinityScale, bandLabels, positionOf, spanOf } from './affinity-scale.tsx'

test('its accessible name contains value, label and both intervals', () => {
  render(<AffinityScale prediction={toPrediction(7.84, detailsWith(7.02, 8.58))} />)
  expect(screen.getByRole('img').getAttribute('aria-label')).toBe(
    'pKd 7.84 on a scale from 2 to 12, moderate. Fixed interval 6.34 to 9.34. Prediction interval 7.02 to 8.58.',
  )
})

test('without a prediction it shows its axis and says so', () => {
  render(<AffinityScale prediction={null} />)
  screen.getByRole('img', { name: 'pKd scale from 2 to 12, no prediction' })
  expect(screen.getByText('100 µM').parentElement?.textContent).toBe('4100 µM')
  expect(screen.getByText('1 pM').parentElement?.textContent).toBe('121 pM')
})

describe('beyond its ends', () => {
  test('marks stop at the axis, and a cut end is marked as cut', () => {
    expect(positionOf(13.2)).toBe(100)
    expect(positionOf(-1)).toBe(0)
    expect(spanOf({ lower: 9.91, upper: 12.91 })).toMatchObject({
      isCutLeft: false,
      isCutRight: true,
    })
    const low = spanOf({ lower: 0.5, upper: 3.5 })
    expect(low).toEqual({ left: 0, width: 15, isCutLeft: true, isCutRight: false })
  })

  test('a cut end of the interval has no number in the track', () => {
    expect(bandLabels(11.41, { lower: 9.91, upper: 12.91 })).toEqual({ lower: true, upper: false })
    expect(bandLabels(2.31, { lower: 0.81, upper: 3.81 })).toEqual({ lower: false, upper: true })
    expect(bandLabels(12.9, { lower: 11.4, upper: 14.4 })).toEqual({ lower: false, upper: false })
  })

  test('the value is written in full', () => {
    render(<AffinityScale prediction={toPrediction(12.4, null)} />)
    expect(screen.getByRole('img').getAttribute('aria-label')).toBe(
      'pKd 12.40 on a scale from 2 to 12, strong. Fixed interval 10.90 to 13.90.',
    )
  })
})

function detailsWith(lower: number, upper: number) {
  return {
    predicted_kd: 7.84,
    unit: 'pKd' as const,
    interval: { lower, upper, level: 0.95 },
    domain: { is_inside: true, is_ligand_driven: false, reason: '' },
    nearest_compound: { similarity: 1 },
    nearest_targets: [],
    model_version: '1',
  }
}
