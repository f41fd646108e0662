/** What a stored file needs said about it: lines that were not taken, names that were taken already, things that were there already. */
import { RejectedLine, type UploadAnswer } from '@pkdex/contract'
import { useClipboard } from '@mantine/hooks'
import { useMemo } from 'react'
import { z } from 'zod'
import { countOf, nounFor } from '#web/lib/format.ts'
import { Button } from '#web/ui/button.ts'
import { Note } from '#web/ui/note.tsx'
import classes from './upload-report.module.css'

/** More rejected lines, and longer ones, are counted and cut: a file may hold thousands. */
const SHOWN_LINES_MAX = 1000
const SHOWN_CHARACTERS_MAX = 120

export const UploadNotice = z.object({
  filename: z.string(),
  /** The first of them. */
  rejected: z.array(RejectedLine),
  rejectedCount: z.number(),
  renamed: z.array(z.object({ from: z.string(), to: z.string() })),
  unchanged: z.array(z.string()),
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
  return { filename, rejected: shown, rejectedCount, renamed, unchanged }
}

/** Worth carrying on to the results page, where the boxes are gone. */
export function isWorthTelling({ rejectedCount, renamed }: UploadNotice): boolean {
  return rejectedCount > 0 || renamed.length > 0
}

export function UploadNoticeView({ notice }: { notice: UploadNotice }) {
  const { filename, rejected, rejectedCount, renamed, unchanged } = notice
  return (
    <>
      {renamed.map(({ from, to }) => (
        <Note key={to} tone="info">
          {`${from} is the name of another entry of yours. This one is stored as ${to}.`}
        </Note>
      ))}
      {unchanged.length > 0 && <p className="quiet small">{describeUnchanged(unchanged)}</p>}
      {rejected.length > 0 && (
        <Note tone="warning" title={titleOf(filename, rejectedCount)}>
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scroller must be reachable by keyboard */}
          <ul className={classes.rejected} aria-label="Rejected lines" tabIndex={0}>
            {rejected.map(({ line, text, reason }) => (
              <li key={line}>
                <span className="quiet">Line {line}</span> <code className="mono">{text}</code>
                <p>{reason}</p>
              </li>
            ))}
            {rejectedCount > rejected.length && (
              <li>{`and ${rejectedCount - rejected.length} more lines`}</li>
            )}
          </ul>
          <RejectedOut filename={filename} rejected={rejected} />
        </Note>
      )}
    </>
  )
}

/** The lines to take along: to the clipboard, or as a file. */
function RejectedOut({ filename, rejected }: Pick<UploadNotice, 'filename' | 'rejected'>) {
  const { copy, copied, error } = useClipboard({ timeout: 2000 })
  const text = useMemo(() => tableOf(rejected), [rejected])
  const href = useMemo(
    () => `data:text/tab-separated-values;charset=utf-8,${encodeURIComponent(text)}`,
    [text],
  )
  return (
    <div className={classes.out}>
      <Button variant="subtle" color="gray" onClick={() => copy(text)}>
        {copied ? 'Copied' : 'Copy lines'}
      </Button>
      <Button
        component="a"
        variant="subtle"
        color="gray"
        href={href}
        download={`${filename} rejected lines.tsv`}
      >
        Download lines
      </Button>
      <output className={error ? 'small' : 'visually-hidden'}>
        {error ? 'The browser did not allow it. Download the lines instead.' : ''}
      </output>
    </div>
  )
}

/** A line of the file a row: its number, what it holds, and why it was not taken. */
function tableOf(rejected: UploadNotice['rejected']): string {
  const rows = rejected.map(({ line, text, reason }) => [
    line,
    text.replaceAll(/\s+/g, ' '),
    reason,
  ])
  return [['line', 'text', 'reason'], ...rows].map((row) => row.join('\t')).join('\n')
}

function titleOf(filename: string, count: number): string {
  return `${countOf(count, 'line')} of ${filename} ${nounFor(count, 'was', 'were')} not taken`
}

function describeUnchanged(names: string[]): string {
  const [first] = names
  return names.length === 1
    ? `${first} was there already, with the same content. Nothing is stored twice.`
    : `${names.length} of these were there already, with the same content. Nothing is stored twice.`
}
