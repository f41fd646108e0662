/** The plot used by every chart: titles, round ticks, and the card of the active point. */
import { fireEvent, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { renderScreen } from '#web/test/screen.tsx'
import { axisOf, countAxisOf, ticksOf } from './axis.ts'
import { Plot } from './plot.tsx'

test('ticks are round numbers around all values', () => {
  expect(ticksOf(axisOf([5.61, 7.93]))).toEqual([5.5, 6, 6.5, 7, 7.5, 8])
  expect(ticksOf(axisOf([0.12, 0.71]))).toEqual([0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8])
  expect(ticksOf(countAxisOf(3, 'Pairs'))).toEqual([0, 1, 2, 3])
  expect(ticksOf(countAxisOf(47, 'Pairs'))).toEqual([0, 10, 20, 30, 40, 50])
  expect(axisOf([])).toMatchObject({ from: 0, to: 1 })
})

function openPlot() {
  const points = {
    x: Float64Array.of(1, 2, 3),
    y: Float64Array.of(1, 3, 1),
  }
  renderScreen(
    <Plot
      label="Three points"
      x={axisOf(points.x, 'cLogP')}
      y={axisOf(points.y, 'Predicted pKd')}
      points={points}
      card={(index) => <b>{`Point ${index}`}</b>}
    />,
  )
  return screen.getByRole('group', { name: 'Three points' })
}

test('both axes have a title', () => {
  openPlot()
  screen.getByText('cLogP')
  screen.getByText('Predicted pKd')
})

test('arrow keys move to the nearest point in their direction, and Escape leaves', () => {
  const plot = openPlot()
  const press = (key: string) => {
    fireEvent.keyDown(plot, { key })
    return screen.queryByText(/^Point/)?.textContent
  }
  expect(press('ArrowRight')).toBe('Point 0')
  expect(press('ArrowUp')).toBe('Point 1')
  expect(press('ArrowUp')).toBe('Point 1')
  expect(press('ArrowRight')).toBe('Point 2')
  expect(press('Escape')).toBeUndefined()
})

test('hovering names the nearest point', () => {
  const plot = openPlot()
  fireEvent.pointerMove(plot, { clientX: 60, clientY: 308 })
  screen.getByText('Point 0')
  fireEvent.pointerMove(plot, { clientX: 250, clientY: 250 })
  expect(screen.queryByText(/^Point/)).toBeNull()
})
