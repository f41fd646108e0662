/** The rows of a screen that are ticked: their keys, their compounds, and the table that is copied. */
import type { ScreenRow, ScreenTarget } from '@pkdex/contract'
import type { CopiedTable } from '#web/lib/copy-table.ts'
import { titleOf } from './screen-matrix.ts'
import type { Pairs } from './table-columns.tsx'

/** In the order in which they were ticked. */
export type Selection = ReadonlyMap<string, Pairs>

/** A row of one pair is another row for each target. */
export function keyOfRow(pairs: Pairs): string {
  const [{ row, target, chain }] = pairs
  return pairs.length === 1 ? JSON.stringify([row, target, chain]) : `${row}`
}

export function toggled(selection: Selection, pairs: Pairs): Selection {
  const next = new Map(selection)
  const key = keyOfRow(pairs)
  if (!next.delete(key)) next.set(key, pairs)
  return next
}

/** One row per compound, however many of its pairs are ticked. */
export function compoundsOf(selection: Selection): Pairs[] {
  const rows = [...selection.values()].flat()
  return [...Map.groupBy(rows, ({ row }) => row).values()].flatMap(([first, ...others]) =>
    first === undefined ? [] : [[first, ...others] as const],
  )
}

/** Compound, SMILES, and for each target the estimate with its interval and the measured value. */
export function tableOf(selection: Selection, targets: ScreenTarget[]): CopiedTable {
  const titles = targets.map((_, at) => titleOf({ targets }, at))
  const head = titles.flatMap((title) =>
    ['pKd', 'Lower 95%', 'Upper 95%', 'Measured pK'].map((name) =>
      targets.length === 1 ? name : `${name} ${title}`,
    ),
  )
  const rows = compoundsOf(selection).map((pairs) => {
    const cells = targets.flatMap(({ name, chain }) =>
      cellsOf(pairs.find((pair) => pair.target === name && pair.chain === chain)),
    )
    return [pairs[0].compound, pairs[0].smiles, ...cells]
  })
  return { head: ['Compound', 'SMILES', ...head], rows }
}

function cellsOf(row: ScreenRow | undefined): string[] {
  const numbers = [row?.best_kd, row?.best_lower, row?.best_upper, row?.measured_pk]
  return numbers.map((number) => number?.toFixed(2) ?? '')
}
