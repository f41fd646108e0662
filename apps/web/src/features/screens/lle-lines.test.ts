import { expect, test } from 'vitest'
import { axisOf } from '#web/ui/axis.ts'
import { lleLines } from './lle-lines.tsx'

const axes = (x: number[], y: number[]) => ({
  x: axisOf(Float64Array.from(x), 'cLogP'),
  y: axisOf(Float64Array.from(y), 'pKd'),
})

test('SPEC 32.12: each line joins points whose pKd less cLogP is a whole number, inside the plot', () => {
  const { x, y } = axes([2.5, 5.5], [5.5, 9.5])
  const lines = lleLines({ x, y })
  expect(lines.length).toBeGreaterThan(2)
  for (const { lle, from, to } of lines) {
    expect(lle).toBe(Math.round(lle))
    for (const [logP, pkd] of [from, to]) {
      expect(pkd - logP).toBeCloseTo(lle)
      expect(logP >= x.from && logP <= x.to && pkd >= y.from && pkd <= y.to).toBe(true)
    }
  }
})

test('over wide axes only every second line or fewer is drawn', () => {
  expect(lleLines(axes([-8, 12], [2, 12])).length).toBeLessThanOrEqual(7)
})
