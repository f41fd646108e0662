/** The rows of a screen that are ticked: their keys, their compounds, and the table that is copied. */
import {
  describeColumn,
  type RowProperty,
  type ScreenRow,
  type ScreenTarget,
} from '@pkdex/contract'
import type { CopiedTable } from '#web/lib/copy-table.ts'
import { titleOf } from './screen-matrix.ts'
import { type Pairs, strongestOf } from './table-columns.tsx'

/** In the order in which they were ticked. */
export type Selection = ReadonlyMap<string, Pairs>

/** A row of one pair is another row for each target. */
export function keyOfRow(pairs: Pairs): string {
  const [{ row, target, chain }] = pairs
  return pairs.length === 1 ? JSON.stringify([row, target, chain]) : `${row}`
}

/** One row per compound, however many of its pairs are ticked. */
export function compoundsOf(selection: Selection): Pairs[] {
  const rows = [...selection.values()].flat()
  return [...Map.groupBy(rows, ({ row }) => row).values()].flatMap(([first, ...others]) =>
    first === undefined ? [] : [[first, ...others] as const],
  )
}

type TableOptions = {
  targets: ScreenTarget[]
  /** Properties among the columns on screen, in their order. */
  properties: RowProperty[]
  draw: CopiedTable['draw']
}

/** Compound, SMILES, for each target the estimate with its interval and the measured value, then properties. */
export function tableOf(selection: Selection, options: TableOptions): CopiedTable {
  const { targets, properties, draw } = options
  const titles = targets.map((_, at) => titleOf({ targets }, at))
  const numbers = titles.flatMap((title) =>
    ['pKd', 'Lower 95%', 'Upper 95%', 'Measured pK'].map((name) =>
      targets.length === 1 ? name : `${name} ${title}`,
    ),
  )
  const head = [
    'Compound',
    'SMILES',
    ...numbers,
    ...properties.map((name) => describeColumn(name).title),
  ]
  const compounds = compoundsOf(selection)
  const rows = compounds.map((pairs) => {
    const cells = targets.flatMap(({ name, chain }) =>
      cellsOf(pairs.find((pair) => pair.target === name && pair.chain === chain)),
    )
    const row = strongestOf(pairs) ?? pairs[0]
    const facts = properties.map((name) => row[name]?.toFixed(describeColumn(name).digits) ?? '')
    return [pairs[0].compound, pairs[0].smiles, ...cells, ...facts]
  })
  return { head, rows, smiles: compounds.map(([{ smiles }]) => smiles), ...(draw && { draw }) }
}

function cellsOf(row: ScreenRow | undefined): string[] {
  const numbers = [row?.best_kd, row?.best_lower, row?.best_upper, row?.measured_pk]
  return numbers.map((number) => number?.toFixed(2) ?? '')
}
