/** Imports pasted values or a file, with a choice of columns for tables, and lists the lines that were skipped. */
import { Flex } from '#web/ui/layout.ts'
import { type ImportedMeasurements, importMeasurements } from '@pkdex/contract'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { call, messageOf } from '#web/lib/api.ts'
import { countOf } from '#web/lib/format.ts'
import { Button } from '#web/ui/button.ts'
import { FilePicker } from '#web/ui/drop-zone.tsx'
import { TextArea } from '#web/ui/field.tsx'
import { Announcement, Note } from '#web/ui/note.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import { type Kind, KindChoice } from './measured-kind.tsx'
import classes from './measurements.module.css'
import { useRefreshMeasurements } from './measurement-queries.ts'
import { ColumnsChoice } from './value-columns-choice.tsx'
import { readPlainLines, toValueLines, type ValueLines } from './value-columns.ts'
import { Questions, questionsOf, ValuePreview } from './value-preview.tsx'
import { type TableReader, useValueSource } from './value-source.ts'

const hint = 'One per line: compound or SMILES, value, unit. Headings allowed.'

/** `target`: null until one is chosen. */
type Props = {
  target: string | null
  loadReader: () => Promise<TableReader>
  /** The file to begin with. */
  table?: File | undefined
}

export function ImportForm({ target, loadReader, table }: Props) {
  const [kind, setKind] = useState<Kind>({ type: 'Kd', unit: 'nM' })
  const [replace, setReplace] = useState(false)
  const source = useValueSource(loadReader, setKind)
  useEffect(() => {
    if (table !== undefined) source.pick(table)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once for each file
  }, [table])
  const { found } = source
  const [sureOf, setSureOf] = useState('')
  const lines =
    found && toValueLines(found.table, { columns: found.chosen, kind, comma: found.comma })
  const read = lines ?? readPlainLines(source.text, kind)
  const text = lines?.text ?? source.text
  const choose = (next: Kind) => {
    setKind(next)
    setSureOf(text)
  }
  const questions = questionsOf({
    source,
    lines,
    kind,
    isLikePk: read.isLikePk && sureOf !== text,
    choose,
  })
  const refresh = useRefreshMeasurements()
  const sent = useMutation({
    mutationFn: (to: string) =>
      call(importMeasurements, { body: { target: to, text, replace, ...kind } }),
    onSuccess(outcome) {
      refresh()
      source.write(linesToCorrect(text, outcome))
    },
  })
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault()
        if (target !== null) sent.mutate(target)
      }}
    >
      <Given source={source} />
      <Flex wrap="wrap" rowGap="sm" columnGap="md" align="end" justify="space-between">
        <fieldset>
          <legend className="small quiet">Default type and unit</legend>
          <KindChoice kind={kind} onChange={choose} />
        </fieldset>
        <ReplaceChoice replace={replace} onChange={setReplace} />
        <Buttons
          target={target}
          lines={lines}
          isEmpty={text.trim() === '' || questions.length > 0}
          isSending={sent.isPending}
          onPick={source.pick}
        />
      </Flex>
      <Questions questions={questions} />
      {read.lines.length > 0 && <ValuePreview read={read} kind={kind} />}
      {lines !== null && <Understood filename={found?.filename ?? ''} lines={lines} />}
      {sent.isError && (
        <Note tone="failure" title="Nothing was imported">
          {messageOf(sent.error, 'Try again.')}
        </Note>
      )}
      {sent.isSuccess && sent.variables === target && <Outcome outcome={sent.data} />}
    </form>
  )
}

/** The pasted text or file, and how it was parsed. */
function Given({ source }: { source: ReturnType<typeof useValueSource> }) {
  const { found } = source
  return (
    <>
      <TextArea
        label="Measured values"
        hint={hint}
        rows={7}
        value={source.text}
        placeholder={'imatinib, 12\nCC(=O)Oc1ccccc1C(=O)O, >10, µM'}
        onChange={source.write}
      />
      {source.reading !== null && <Spinner text={source.reading} />}
      {source.problem !== null && <Note tone="failure">{source.problem}</Note>}
      {found !== null && (
        <ColumnsChoice source={found} onChoose={source.choose} onSheet={source.chooseSheet} />
      )}
    </>
  )
}

type ButtonsProps = {
  target: string | null
  lines: ValueLines | null
  isEmpty: boolean
  isSending: boolean
  onPick: (file: File) => void
}

function Buttons({ target, lines, isEmpty, isSending, onPick }: ButtonsProps) {
  return (
    <Flex wrap="wrap" gap="xs">
      <FilePicker
        text="Choose a file"
        variant="default"
        accept={FILES}
        label="Table of measured values"
        onPick={([picked]) => picked && onPick(picked)}
      />
      <Button
        type="submit"
        disabled={target === null || isEmpty || lines?.count === 0}
        loading={isSending}
      >
        {wordImport(lines, target)}
      </Button>
    </Flex>
  )
}

/** `Import 28 values for MET`; without a target, what is missing. */
function wordImport(lines: ValueLines | null, target: string | null): string {
  if (target === null) return 'Choose a target first'
  return `Import ${lines === null ? '' : `${countOf(lines.count, 'value')} `}for ${target}`
}

const FILES = '.csv,.tsv,.txt,.xlsx,.sdf,.sd,.mol'

function Understood({ filename, lines }: { filename: string; lines: ValueLines }) {
  const skipped =
    lines.skipped > 0 ? [`${countOf(lines.skipped, 'row')} without a value skipped`] : []
  const told = [...(filename === '' ? [] : [filename]), ...skipped]
  return <output className="small quiet">{told.join(': ')}</output>
}

type ReplaceProps = { replace: boolean; onChange: (replace: boolean) => void }

function ReplaceChoice({ replace, onChange }: ReplaceProps) {
  return (
    <Flex component="label" gap="xs" align="center" mih={44}>
      <input
        type="checkbox"
        checked={replace}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
      Replace stored values of these compounds
    </Flex>
  )
}

/** Skipped lines, below the header that states their type and unit. */
function linesToCorrect(text: string, { rejected, has_header }: ImportedMeasurements): string {
  const lines = text.split(/\r\n|\r|\n/)
  const header = lines.filter((line) => line.trim() !== '').slice(0, 1)
  const skipped = rejected.map(({ line }) => lines[line - 1] ?? '')
  return (has_header && skipped.length > 0 ? [...header, ...skipped] : skipped).join('\n')
}

const REJECTED_SHOWN = 50

function Outcome({ outcome }: { outcome: ImportedMeasurements }) {
  const { added, replaced, repeated, rejected } = outcome
  const told = [
    `${countOf(added, 'value')} added`,
    ...(replaced > 0 ? [`${replaced} replaced`] : []),
    ...(repeated > 0 ? [`${repeated} stored already`] : []),
  ]
  return (
    <Announcement tone={rejected.length > 0 ? 'warning' : 'success'} title={told.join(', ')}>
      {rejected.length > 0 && (
        <>
          <p>{`${countOf(rejected.length, 'line')} skipped. Correct them above and import again.`}</p>
          <ul className={classes.rejected}>
            {rejected.slice(0, REJECTED_SHOWN).map(({ line, text, reason }) => (
              <li key={line}>
                <div className="mono">{text}</div>
                <div>{`Line ${line}: ${reason}`}</div>
              </li>
            ))}
          </ul>
          {rejected.length > REJECTED_SHOWN && (
            <p>{`and ${rejected.length - REJECTED_SHOWN} more.`}</p>
          )}
        </>
      )}
    </Announcement>
  )
}
