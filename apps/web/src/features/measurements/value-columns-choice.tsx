/** Which columns of a table contain the compounds, their values, unit, type and relation. */
import { ColumnGrid } from '#web/ui/layout.ts'
import type { ValueColumns } from '@pkdex/intake'
import { Select } from '#web/ui/field.tsx'
import { SheetChoice, TablePreview } from '#web/ui/table-preview.tsx'
import classes from './measurements.module.css'
import type { ChosenTable } from './value-source.ts'

type Props = {
  source: ChosenTable
  onChoose: (change: Partial<ValueColumns>) => void
  onSheet: (sheet: number) => void
}

const NONE = 'none'

export function ColumnsChoice({ source: { table, chosen, sheets, sheet }, ...props }: Props) {
  const { heading, rows } = table
  const titles = heading.map((label, column) => ({ value: String(column), label }))
  const open = [{ value: NONE, label: 'None' }, ...titles]
  const used = Object.values(chosen)
  return (
    <>
      <ColumnGrid
        className={classes.choices}
        template="repeat(auto-fit, minmax(150px, 1fr))"
        gap="sm"
      >
        <SheetChoice sheets={sheets} sheet={sheet} onChoose={props.onSheet} />
        {columnLabels.map(({ column, label, isNeeded }) => (
          <Select
            key={column}
            label={label}
            value={String(chosen[column] ?? NONE)}
            options={isNeeded && chosen[column] !== null ? titles : open}
            onChange={(value) =>
              props.onChoose({ [column]: value === NONE ? null : Number(value) })
            }
          />
        ))}
      </ColumnGrid>
      <TablePreview heading={heading} rows={rows} isUsed={(column) => used.includes(column)} />
    </>
  )
}

const columnLabels = [
  { column: 'compound', label: 'SMILES or compound', isNeeded: true },
  { column: 'name', label: 'Name', isNeeded: false },
  { column: 'value', label: 'Value', isNeeded: true },
  { column: 'unit', label: 'Unit of each value', isNeeded: false },
  { column: 'type', label: 'Type of each value', isNeeded: false },
  { column: 'relation', label: 'Relation (<, >)', isNeeded: false },
] as const satisfies { column: keyof ValueColumns; label: string; isNeeded: boolean }[]
