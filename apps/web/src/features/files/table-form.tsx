/** The form for pasted compounds or a table, with a preview before anything is uploaded. */
import { Box, ColumnGrid, Stack } from '#web/ui/layout.ts'
import { type ReactNode, useEffect, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { chooseValueColumns, isSdf, refuseColumns } from '@pkdex/intake'
import { countOf } from '#web/lib/format.ts'
import { Button } from '#web/ui/button.ts'
import { FilePicker } from '#web/ui/drop-zone.tsx'
import { Checkbox, Select, TextArea } from '#web/ui/field.tsx'
import { Note } from '#web/ui/note.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import { SheetChoice, TablePreview } from '#web/ui/table-preview.tsx'
import {
  type Columns,
  type CompoundLines,
  type CompoundTable,
  countLines,
  KEPT_COLUMNS_MAX,
  takeColumns,
  refusedRows,
  toLines,
} from './compound-table.ts'
import { targetListQuery } from './file-lists.ts'
import { noSource, readFile, readText, type Source } from './table-source.ts'
import { tableExtensions } from './upload-kinds.ts'
import type { OnImport } from './upload-files.ts'
import classes from './table-form.module.css'

type Props = { file?: File; onImport: OnImport }

const UNREAD_SHOWN = 5

export function TableForm({ file, onImport }: Props) {
  const [source, setSource] = useState(noSource)
  const [given, setGiven] = useState(file)
  const [reading, setReading] = useState<string | null>(null)
  const [hasValues, setHasValues] = useState(false)
  const valued = useValueColumn(source)
  useEffect(() => {
    if (file) void readFile(file, setReading).then(setSource)
  }, [file])
  const read = (chosen: File, sheet?: number) => {
    setGiven(chosen)
    void readFile(chosen, setReading, sheet).then(setSource)
  }
  return (
    <Stack gap="md">
      <TextArea
        label="SMILES or a table"
        hint="One compound per line (SMILES and name), or cells pasted from a spreadsheet."
        rows={6}
        placeholder={'CC(=O)Oc1ccccc1C(=O)O aspirin'}
        value={source.text}
        onChange={(text) =>
          isSdf(text) ? read(new File([text], 'pasted.sdf')) : setSource(readText(text))
        }
      />
      <div className={classes.picker}>
        <FilePicker
          text="Choose a CSV, TSV, SMI, SDF or Excel file"
          variant="default"
          accept={[...tableExtensions, '.gz'].join(',')}
          label="Compound table"
          onPick={([picked]) => picked && read(picked)}
        />
        {source.filename !== '' && <span className="quiet small">{source.filename}</span>}
      </div>
      {reading !== null && <Spinner text={reading} />}
      {source.problem !== null && <Note tone="failure">{source.problem}</Note>}
      {source.table !== null && source.columns.smiles === null && (
        <Note tone="warning">{refuseColumns(source.table)}</Note>
      )}
      <NotRead lines={source.unread} noun="record" />
      <NotRead lines={source.table === null ? [] : refusedRows(source.table)} noun="row" />
      {source.table !== null && (
        <TableColumns
          sheets={
            <SheetChoice
              sheets={source.sheets}
              sheet={source.sheet}
              onChoose={(sheet) => given && read(given, sheet)}
            />
          }
          table={source.table}
          columns={source.columns}
          onChange={(columns) => setSource({ ...source, columns })}
        />
      )}
      {valued !== null && (
        <Checkbox isChecked={hasValues} onChange={setHasValues}>
          {`Then import “${valued}” as measured values`}
        </Checkbox>
      )}
      <UploadButton
        lines={linesOf(source)}
        onUpload={({ text }) => {
          const made = new File([text], nameOf(source), { type: 'text/plain' })
          const original = source.filename === '' ? undefined : given
          const values = original ?? new File([source.text], 'pasted.txt')
          onImport(made, original, valued !== null && hasValues ? values : undefined)
        }}
      />
    </Stack>
  )
}

/** The heading of a column of measured values, if there is a target to import them for. */
function useValueColumn({ table }: Source): string | null {
  const { data } = useQuery(targetListQuery())
  if (table === null || data === undefined || data.protein_names.length === 0) return null
  const { value } = chooseValueColumns(table).columns
  return value === null ? null : (table.heading[value] ?? null)
}

type UploadProps = { lines: CompoundLines; onUpload: (lines: CompoundLines) => void }

function NotRead({ lines, noun }: { lines: string[]; noun: string }) {
  if (lines.length === 0) return null
  return (
    <Note tone="warning" title={`${countOf(lines.length, noun)} not read`}>
      {lines.slice(0, UNREAD_SHOWN).join(' ')}
    </Note>
  )
}

function UploadButton({ lines, onUpload }: UploadProps) {
  return (
    <div className={classes.actions}>
      <output className="quiet small">{describeLines(lines)}</output>
      <Button disabled={lines.count === 0} onClick={() => onUpload(lines)}>
        {lines.count === 0 ? 'Upload' : `Upload ${countOf(lines.count, 'compound')}`}
      </Button>
    </div>
  )
}

function linesOf({ table, columns, text, problem }: Source): CompoundLines {
  if (problem !== null) return { text: '', count: 0, skipped: 0 }
  if (table !== null) return toLines(table, columns)
  return { text, count: countLines(text), skipped: 0 }
}

function describeLines({ count, skipped }: CompoundLines): string {
  if (count === 0) return skipped === 0 ? '' : 'No SMILES in this column.'
  return skipped === 0 ? '' : `${countOf(skipped, 'row')} without SMILES skipped.`
}

/** With the extension that uploads accept; pasted text is named after the current minute. */
function nameOf({ filename }: Source): string {
  const stem = filename.replace(/\.[^.]*$/, '')
  return `${stem || `pasted ${new Date().toISOString().slice(0, 16).replace(':', '')}`}.txt`
}

type TableColumnsProps = {
  sheets: ReactNode
  table: CompoundTable
  columns: Columns
  onChange: (columns: Columns) => void
}

const NO_COLUMN = 'none'

function TableColumns({ sheets, table, columns, onChange }: TableColumnsProps) {
  const { heading, rows } = table
  const choose = (chosen: Partial<Columns>) =>
    onChange(takeColumns(heading, { ...columns, ...chosen }))
  const options = heading.map((label, column) => ({ value: String(column), label }))
  return (
    <>
      <ColumnGrid template="repeat(auto-fit, minmax(200px, 1fr))" gap="md">
        {sheets}
        <Select
          label="SMILES column"
          value={columns.smiles === null ? NO_COLUMN : String(columns.smiles)}
          options={
            columns.smiles === null ? [{ value: NO_COLUMN, label: 'Choose' }, ...options] : options
          }
          onChange={(value) => choose({ smiles: value === NO_COLUMN ? null : Number(value) })}
        />
        <Select
          label="Name column"
          value={columns.name === null ? NO_COLUMN : String(columns.name)}
          options={[{ value: NO_COLUMN, label: 'None' }, ...options]}
          onChange={(value) => choose({ name: value === NO_COLUMN ? null : Number(value) })}
        />
      </ColumnGrid>
      <KeptColumns heading={heading} columns={columns} onChange={onChange} />
      <TablePreview heading={heading} rows={rows} isUsed={(column) => isUsed(columns, column)} />
    </>
  )
}

type KeptColumnsProps = Pick<TableColumnsProps, 'columns' | 'onChange'> & { heading: string[] }

/** Selects further columns to store with the compounds; screens show them. */
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
      <Box component="legend" className="small" fw={500}>
        {`Columns to keep${further.length > KEPT_COLUMNS_MAX ? ` (up to ${KEPT_COLUMNS_MAX})` : ''}`}
      </Box>
      {further.map(({ title, column }) => (
        <Checkbox
          key={column}
          isChecked={kept.includes(column)}
          isDisabled={isFull && !kept.includes(column)}
          onChange={(isKept) => toggle(column, isKept)}
        >
          {title}
        </Checkbox>
      ))}
    </fieldset>
  )
}

function isUsed({ smiles, name, kept }: Columns, column: number): boolean {
  return column === smiles || column === name || kept.includes(column)
}
