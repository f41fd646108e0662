/** The first rows of a table before its import, and the choice of a workbook's sheet. */
import { Select } from './field.tsx'
import classes from './table-preview.module.css'

const PREVIEW_ROWS = 5

type PreviewProps = { heading: string[]; rows: string[][]; isUsed: (column: number) => boolean }

export function TablePreview({ heading, rows, isUsed }: PreviewProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scroller must be reachable by keyboard
    <section className={classes.preview} aria-label="First rows" tabIndex={0}>
      <table>
        <thead>
          <tr>
            {heading.map((title, column) => (
              <th key={column} scope="col" data-used={isUsed(column)}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, PREVIEW_ROWS).map((row, index) => (
            <tr key={index}>
              {row.map((cell, column) => (
                <td key={column} data-used={isUsed(column)}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

type SheetProps = { sheets: string[]; sheet: number; onChoose: (sheet: number) => void }

/** Shown only if there is more than one sheet. */
export function SheetChoice({ sheets, sheet, onChoose }: SheetProps) {
  if (sheets.length < 2) return null
  return (
    <Select
      label="Sheet"
      value={String(sheet)}
      options={sheets.map((label, at) => ({ value: String(at), label }))}
      onChange={(value) => onChoose(Number(value))}
    />
  )
}
