/** Notes on a stored file: skipped lines, changed names, and entries already uploaded. */
import { Flex } from '#web/ui/layout.ts'
import { RejectedLine, type UploadAnswer } from '@pkdex/contract'
import { useClipboard } from '@mantine/hooks'
import { useMemo } from 'react'
import { Link } from 'react-router'
import { z } from 'zod'
import { countOf, largeCountOf } from '#web/lib/format.ts'
import { Button } from '#web/ui/button.ts'
import { Note } from '#web/ui/note.tsx'
import classes from './upload-report.module.css'

/** Rejected lines beyond this are only counted, and longer lines are cut: a file may contain thousands. */
const SHOWN_LINES_MAX = 1000
const SHOWN_CHARACTERS_MAX = 120

export const UploadNotice = z.object({
  filename: z.string(),
  /** The first rejected lines. */
  rejected: z.array(RejectedLine),
  rejectedCount: z.number(),
  renamed: z.array(z.object({ from: z.string(), to: z.string() })),
  unchanged: z.array(z.string()),
  compounds: z.number().default(0),
  /** The first compounds with structural alerts. */
  flagged: z.array(z.object({ name: z.string(), alerts: z.array(z.string()) })).default([]),
  flaggedCount: z.number().default(0),
  ownAlertsChecked: z.boolean().default(true),
  /** The first compounds that the user had under another name. */
  duplicates: z.array(z.object({ name: z.string(), same_as: z.string() })).default([]),
  duplicateCount: z.number().default(0),
})
export type UploadNotice = z.infer<typeof UploadNotice>

export function noticeOf(answer: UploadAnswer): UploadNotice {
  const { filename, rejected, renamed, unchanged } = answer
  const rejectedCount = answer.rejected_count ?? rejected.length
  const shown = rejected.slice(0, SHOWN_LINES_MAX).map(({ line, text, reason }) => ({
    line,
    text: text.length > SHOWN_CHARACTERS_MAX ? `${text.slice(0, SHOWN_CHARACTERS_MAX)}…` : text,
    reason,
  }))
  const { names, flagged = [], flagged_count: flaggedCount = 0 } = answer
  const { own_alerts_checked: ownAlertsChecked = true } = answer
  const alerts = { compounds: names.length, flagged, flaggedCount, ownAlertsChecked }
  const { duplicates = [], duplicate_count: duplicateCount = 0 } = answer
  const repeated = { duplicates, duplicateCount }
  return { filename, rejected: shown, rejectedCount, renamed, unchanged, ...alerts, ...repeated }
}

/** Whether the results page, which has no boxes, should show the notice. */
export function isWorthTelling({ rejectedCount, renamed, duplicateCount }: UploadNotice): boolean {
  return rejectedCount > 0 || renamed.length > 0 || duplicateCount > 0
}

export function UploadNoticeView({ notice }: { notice: UploadNotice }) {
  const { filename, rejected, rejectedCount, renamed, unchanged } = notice
  return (
    <>
      {renamed.map(({ from, to }) => (
        <Note key={to} tone="info">
          {`You already have ${from}; saved as ${to}.`}
        </Note>
      ))}
      {unchanged.length > 0 && <p className="quiet small">{describeUnchanged(unchanged)}</p>}
      {notice.duplicateCount > 0 && <Duplicates {...notice} />}
      {notice.flaggedCount > 0 && <Flagged {...notice} />}
      {rejected.length > 0 && (
        <Note tone="warning" title={titleOf(filename, rejectedCount)}>
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scroller must be reachable by keyboard */}
          <ul className={classes.rejected} aria-label="Skipped lines" tabIndex={0}>
            {rejected.map(({ line, text, reason }) => (
              <li key={line}>
                <span className="quiet">Line {line}</span> <code className="mono">{text}</code>
                <p>{reason}</p>
              </li>
            ))}
            {rejectedCount > rejected.length && (
              <li>{`and ${rejectedCount - rejected.length} more`}</li>
            )}
          </ul>
          <RejectedOut filename={filename} rejected={rejected} />
        </Note>
      )}
    </>
  )
}

type FlaggedProps = Pick<
  UploadNotice,
  'compounds' | 'flagged' | 'flaggedCount' | 'ownAlertsChecked'
>

/** An alert is only a warning: the list is folded, and each compound is a link. */
function Duplicates({ duplicates, duplicateCount }: UploadNotice) {
  const more = duplicateCount - duplicates.length
  const are = duplicateCount === 1 ? 'is' : 'are'
  return (
    <details className={classes.flagged}>
      <summary className="unfold">{`${largeCountOf(duplicateCount, 'compound')} ${are} listed twice`}</summary>
      <ul>
        {duplicates.map(({ name, same_as: other }) => (
          <li key={name}>
            <b>{name}</b> has the structure of {other}
          </li>
        ))}
        {more > 0 && <li>{`and ${more.toLocaleString('en')} more`}</li>}
      </ul>
    </details>
  )
}

function Flagged({ compounds, flagged, flaggedCount, ownAlertsChecked }: FlaggedProps) {
  const more = flaggedCount - flagged.length
  const lists = ownAlertsChecked ? 'a structural alert' : 'a PAINS or Brenk alert'
  return (
    <details className={classes.flagged}>
      <summary className="unfold">
        {`${flaggedCount.toLocaleString('en')} of ${compounds.toLocaleString('en')} match ${lists}`}
      </summary>
      {!ownAlertsChecked && (
        <p className="quiet">Your own patterns were not checked: the file is too large.</p>
      )}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scroller must be reachable by keyboard */}
      <ul className={classes.rejected} aria-label="Compounds with alerts" tabIndex={0}>
        {flagged.map(({ name, alerts }) => (
          <li key={name}>
            <Link to={`/results?${new URLSearchParams({ compound: name })}`}>{name}</Link>{' '}
            <span className="quiet">{alerts.join(', ')}</span>
          </li>
        ))}
        {more > 0 && <li>{`and ${more.toLocaleString('en')} more`}</li>}
      </ul>
    </details>
  )
}

/** Copies the rejected lines, or downloads them as a file. */
function RejectedOut({ filename, rejected }: Pick<UploadNotice, 'filename' | 'rejected'>) {
  const { copy, copied, error } = useClipboard({ timeout: 2000 })
  const text = useMemo(() => tableOf(rejected), [rejected])
  const href = useMemo(
    () => `data:text/tab-separated-values;charset=utf-8,${encodeURIComponent(text)}`,
    [text],
  )
  return (
    <Flex wrap="wrap" mt="var(--s-1)" mb="-8px" ml="-18px">
      <Button variant="subtle" color="gray" onClick={() => copy(text)}>
        {copied ? 'Copied' : 'Copy lines'}
      </Button>
      <Button
        component="a"
        variant="subtle"
        color="gray"
        href={href}
        download={`${filename} skipped lines.tsv`}
      >
        Download lines
      </Button>
      <output className={error ? 'small' : 'visually-hidden'}>
        {error ? 'The browser blocked copying. Download the lines instead.' : ''}
      </output>
    </Flex>
  )
}

/** One row per rejected line: its number, its text, and the reason. */
function tableOf(rejected: UploadNotice['rejected']): string {
  const rows = rejected.map(({ line, text, reason }) => [
    line,
    text.replaceAll(/\s+/g, ' '),
    reason,
  ])
  return [['line', 'text', 'reason'], ...rows].map((row) => row.join('\t')).join('\n')
}

function titleOf(filename: string, count: number): string {
  return `${countOf(count, 'line')} of ${filename} skipped`
}

function describeUnchanged(names: string[]): string {
  const [first] = names
  return names.length === 1 ? `${first} already uploaded` : `${names.length} already uploaded`
}
