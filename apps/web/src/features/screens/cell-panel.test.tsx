/** The panel beside the heat map. */
import { matrixFlags } from '@pkdex/contract'
import { cleanup, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { renderScreen } from '#web/test/screen.tsx'
import { CellPanel } from './cell-panel.tsx'
import { readDetails } from './screen-matrix.ts'

const { hasNumber, isInDomain, isKnownElsewhere } = matrixFlags

function bytes(values: number[]): string {
  return btoa(String.fromCharCode(...values))
}

function words(values: number[]): string {
  return bytes(values.flatMap((value) => [value & 0xff, (value >> 8) & 0xff]))
}

/** A compound on two targets, in hundredths of a pKd. */
function openPanel(predicted: [number, number], lower: [number, number], width = 200) {
  const details = readDetails({
    targets: ['src', 'abl'].map((name) => ({ name, chain: 'A' })),
    compounds: ['C1'],
    best_kd: words(predicted),
    flags: bytes([hasNumber | isInDomain, hasNumber | isKnownElsewhere]),
    interval_width: words([width, width]),
    interval_lower: words(lower),
    compound_similarity: bytes([255, 255]),
    target_similarity: bytes([255, 255]),
    smiles: ['CCO'],
    measured: [{ place: 1, pk: 6.415 }],
  })
  const panel = { grid: details.grid, details, unit: 'pKd' as const, drawSmiles: null, row: 0 }
  const rest = { starCompound: (name: string) => <button>{`Star ${name}`}</button> }
  return (column: number) =>
    renderScreen(<CellPanel {...panel} {...rest} column={column} onOpen={() => undefined} />)
}

test('SPEC 30.1: the panel shows value, interval, domain and a star for the compound', () => {
  openPanel([812, 600], [712, 520])(1)
  screen.getByText('6.0')
  screen.getByText('5.2 to 7.2')
  screen.getByText('Known on other targets only')
  screen.getByRole('button', { name: 'Star C1' })
})

test('SPEC 30.11: the panel shows the measured value of the pair, and no other', () => {
  openPanel([812, 600], [712, 520])(1)
  expect(screen.getByText('Measured', { selector: 'dt' }).nextSibling?.textContent).toBe(
    'Measured 6.42',
  )
  cleanup()
  openPanel([812, 600], [712, 520])(0)
  expect(screen.queryByText('Measured', { selector: 'dt' })).toBeNull()
})

test('a difference to the next target is printed only beyond the ends that face each other', () => {
  // 2.1 apart: 1.0 below the stronger and 1.2 above the weaker are 1.56 together.
  openPanel([810, 600], [710, 520])(0)
  screen.getByText('abl 6.0, +2.1')
})

test('the same difference is within error if the facing interval ends are wide', () => {
  // 1.9 below the stronger and 1.2 above the weaker are 2.25 together, though half the widths are 1.41.
  openPanel([810, 600], [620, 520])(0)
  screen.getByText('abl 6.0, within error')
})
