/** What a stored file needs said about it: lines that were not taken, names that were, things that were there already. */
import { RejectedLine, type UploadAnswer } from '@pkdex/contract'
import { z } from 'zod'
import { Note } from '#web/ui/note.tsx'
import classes from './report.module.css'

/** More rejected lines, and longer ones, are counted and cut: a file may hold thousands. */
const SHOWN_LINES_MAX = 100
const SHOWN_CHARACTERS_MAX = 120

export const Remarks = z.object({
  filename: z.string(),
  /** The first of them. */
  rejected: z.array(RejectedLine),
  rejectedCount: z.number(),
  renamed: z.array(z.object({ from: z.string(), to: z.string() })),
  unchanged: z.array(z.string()),
})
export type Remarks = z.infer<typeof Remarks>

export function remarksOf({ filename, rejected, renamed, unchanged }: UploadAnswer): Remarks {
  const shown = rejected.slice(0, SHOWN_LINES_MAX).map(({ line, text, reason }) => ({
    line,
    text: text.length > SHOWN_CHARACTERS_MAX ? `${text.slice(0, SHOWN_CHARACTERS_MAX)}…` : text,
    reason,
  }))
  return { filename, rejected: shown, rejectedCount: rejected.length, renamed, unchanged }
}

/** Worth carrying on to the results page, where the boxes are gone. */
export function isWorthTelling({ rejectedCount, renamed }: Remarks): boolean {
  return rejectedCount > 0 || renamed.length > 0
}

export function UploadRemarks({ remarks }: { remarks: Remarks }) {
  const { filename, rejected, rejectedCount, renamed, unchanged } = remarks
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
        </Note>
      )}
    </>
  )
}

function titleOf(filename: string, count: number): string {
  return count === 1
    ? `1 line of ${filename} was not taken`
    : `${count} lines of ${filename} were not taken`
}

function describeUnchanged(names: string[]): string {
  const [first] = names
  return names.length === 1
    ? `${first} was there already, with the same content. Nothing is stored twice.`
    : `${names.length} of these were there already, with the same content. Nothing is stored twice.`
}
