/** Compounds that are pasted, or in a table: what was understood of them stands there before anything is uploaded. */
import { useEffect, useState } from 'react'
import { countOf } from '#web/lib/format.ts'
import { Button } from '#web/ui/button.ts'
import { FilePicker } from '#web/ui/drop-zone.tsx'
import { Select, TextArea } from '#web/ui/field.tsx'
import { Note } from '#web/ui/note.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import {
  type Columns,
  type CompoundLines,
  type CompoundTable,
  countLines,
  guessColumns,
  KEPT_COLUMNS_MAX,
  orderLines,
  readTable,
  takeColumns,
  toLines,
  toTable,
} from './compound-table.ts'
import { readWorkbook } from './read-workbook.ts'
import classes from './table-form.module.css'

type Props = { file?: File; onImport: (file: File) => void }

/** What was given, as it was understood. */
type Source = {
  filename: string
  /** As it stands in the text area; empty for what cannot stand there. */
  text: string
  table: CompoundTable | null
  columns: Columns
  problem: string | null
}

const nothing: Source = {
  filename: '',
  text: '',
  table: null,
  columns: { smiles: 0, name: null, kept: [] },
  problem: null,
}
const FILES = '.csv,.tsv,.smi,.txt,.xlsx,.sdf,.sd,.mol'
/** Larger texts are not drawn in a text area. */
const SHOWN_CHARACTERS_MAX = 200_000

export function TableForm({ file, onImport }: Props) {
  const [source, setSource] = useState(nothing)
  const [reading, setReading] = useState<string | null>(null)
  useEffect(() => {
    if (file) void readFile(file, setReading).then(setSource)
  }, [file])
  const lines = linesOf(source)
  return (
    <div className={classes.form}>
      <h2>Paste or import compounds</h2>
      <TextArea
        label="SMILES or a table"
        hint="One molecule a line, SMILES and a name in either order; or cells as they are copied from a spreadsheet."
        rows={6}
        placeholder={'CC(=O)Oc1ccccc1C(=O)O aspirin'}
        value={source.text}
        onChange={(text) => setSource(readText(text, nothing.filename))}
      />
      <div className={classes.picker}>
        <FilePicker
          text="Choose a CSV, TSV, SMI, SDF or Excel file"
          variant="default"
          accept={FILES}
          label="Table of compounds"
          onPick={([picked]) => picked && void readFile(picked, setReading).then(setSource)}
        />
        {source.filename !== '' && <span className="quiet small">{source.filename}</span>}
      </div>
      {reading !== null && <Spinner text={reading} />}
      {source.problem !== null && <Note tone="failure">{source.problem}</Note>}
      {source.table !== null && (
        <TableColumns
          table={source.table}
          columns={source.columns}
          onChange={(columns) => setSource({ ...source, columns })}
        />
      )}
      <div className={classes.actions}>
        <output className="quiet small">{describeLines(lines)}</output>
        <Button
          disabled={lines.count === 0}
          onClick={() => onImport(new File([lines.text], nameOf(source), { type: 'text/plain' }))}
        >
          {lines.count === 0 ? 'Upload' : `Upload ${countOf(lines.count, 'compound')}`}
        </Button>
      </div>
    </div>
  )
}

function readText(text: string, filename: string): Source {
  const source = { ...nothing, filename, text: text.length > SHOWN_CHARACTERS_MAX ? '' : text }
  try {
    const table = readTable(text)
    if (table === null) return { ...source, text }
    return { ...source, table, columns: guessColumns(table) }
  } catch (error) {
    return { ...source, problem: `The table cannot be read: ${reasonOf(error)}` }
  }
}

async function readFile(file: File, onReading: (text: string | null) => void): Promise<Source> {
  const { name: filename } = file
  if (/\.(?:sdf?|mol)$/i.test(filename)) {
    return readRecords(file, onReading).finally(() => onReading(null))
  }
  if (!/\.xlsx$/i.test(filename)) return readText(await file.text(), filename)
  try {
    const table = toTable(readWorkbook(new Uint8Array(await file.arrayBuffer())))
    return { ...nothing, filename, table, columns: guessColumns(table) }
  } catch (error) {
    return { ...nothing, filename, problem: reasonOf(error) }
  }
}

/** What reads molecules comes when there are some to read. */
async function readRecords(file: File, onReading: (text: string | null) => void): Promise<Source> {
  const { name: filename } = file
  onReading('Reading molecules')
  try {
    const { readSdf } = await import('./read-sdf.ts')
    const table = await readSdf(await file.text(), (done, total) =>
      onReading(`Reading molecules: ${done} of ${total}`),
    )
    const { name } = guessColumns(table)
    // The title is the name, unless no record has one.
    const hasTitles = table.rows.some((row) => row[SDF_TITLE] !== '')
    const columns = takeColumns(table.heading, { smiles: 0, name: hasTitles ? SDF_TITLE : name })
    return { ...nothing, filename, table, columns }
  } catch (error) {
    return { ...nothing, filename, problem: reasonOf(error) }
  }
}

const SDF_TITLE = 1

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function linesOf({ table, columns, text, problem }: Source): CompoundLines {
  if (problem !== null) return { text: '', count: 0, skipped: 0 }
  if (table !== null) return toLines(table, columns)
  return { text: orderLines(text), count: countLines(text), skipped: 0 }
}

function describeLines({ count, skipped }: CompoundLines): string {
  if (count === 0) return skipped === 0 ? '' : 'No row has a SMILES in this column.'
  return skipped === 0 ? '' : `${countOf(skipped, 'row')} without a SMILES left out.`
}

/** The upload's own ending; what is pasted is named by its minute. */
function nameOf({ filename }: Source): string {
  const stem = filename.replace(/\.[^.]*$/, '')
  return `${stem || `pasted ${new Date().toISOString().slice(0, 16).replace(':', '')}`}.txt`
}

type TableColumnsProps = {
  table: CompoundTable
  columns: Columns
  onChange: (columns: Columns) => void
}

const PREVIEW_ROWS = 5
const NO_NAME = 'none'

function TableColumns({ table: { heading, rows }, columns, onChange }: TableColumnsProps) {
  const choose = (chosen: Partial<Columns>) =>
    onChange(takeColumns(heading, { ...columns, ...chosen }))
  const options = heading.map((label, column) => ({ value: String(column), label }))
  return (
    <>
      <div className={classes.choices}>
        <Select
          label="Column with the SMILES"
          value={String(columns.smiles)}
          options={options}
          onChange={(value) => choose({ smiles: Number(value) })}
        />
        <Select
          label="Column with the name"
          value={columns.name === null ? NO_NAME : String(columns.name)}
          options={[{ value: NO_NAME, label: 'None' }, ...options]}
          onChange={(value) => choose({ name: value === NO_NAME ? null : Number(value) })}
        />
      </div>
      <KeptColumns heading={heading} columns={columns} onChange={onChange} />
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scroller must be reachable by keyboard */}
      <section className={classes.preview} aria-label="First rows" tabIndex={0}>
        <table>
          <thead>
            <tr>
              {heading.map((title, column) => (
                <th key={column} scope="col" data-used={isUsed(columns, column)}>
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, PREVIEW_ROWS).map((row, index) => (
              <tr key={index}>
                {row.map((cell, column) => (
                  <td key={column} data-used={isUsed(columns, column)}>
                    {cell}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
  )
}

type KeptColumnsProps = Pick<TableColumnsProps, 'columns' | 'onChange'> & { heading: string[] }

/** Which further columns stay with the compounds; they come back in the tables of screens. */
function KeptColumns({ heading, columns, onChange }: KeptColumnsProps) {
  const { smiles, name, kept } = columns
  const further = heading.flatMap((title, column) =>
    column === smiles || column === name ? [] : [{ title, column }],
  )
  if (further.length === 0) return null
  const isFull = kept.length >= KEPT_COLUMNS_MAX
  const toggle = (column: number, isKept: boolean) => {
    const next = isKept ? [...kept, column] : kept.filter((one) => one !== column)
    onChange({ ...columns, kept: next.toSorted((one, other) => one - other) })
  }
  return (
    <fieldset className={classes.kept}>
      <legend className="small">
        {`Columns to keep${further.length > KEPT_COLUMNS_MAX ? `, ${KEPT_COLUMNS_MAX} at most` : ''}`}
      </legend>
      {further.map(({ title, column }) => (
        <label key={column}>
          <input
            type="checkbox"
            checked={kept.includes(column)}
            disabled={isFull && !kept.includes(column)}
            onChange={({ currentTarget }) => toggle(column, currentTarget.checked)}
          />
          {title}
        </label>
      ))}
    </fieldset>
  )
}

function isUsed({ smiles, name, kept }: Columns, column: number): boolean {
  return column === smiles || column === name || kept.includes(column)
}
