/** Which files were not uploaded, and why: one sentence where one reason holds for all. */
import { Button } from '@mantine/core'
import { messages } from '@pkdex/contract'
import { leaveSession } from '#web/lib/session.ts'
import { Note } from '#web/ui/note.tsx'
import type { FailedFile } from './upload-files.ts'
import classes from './upload-box.module.css'

export function FailedFiles({ failures }: { failures: FailedFile[] }) {
  const [first, ...others] = failures
  if (first === undefined) return null
  const isOneReason = others.every(({ message }) => message === first.message)
  return (
    <Note
      tone="failure"
      title={titleOf(first, others.length)}
      action={
        first.needsLogin === true ? (
          <Button variant="default" onClick={leaveSession}>
            {messages.results.returnToLogin}
          </Button>
        ) : undefined
      }
    >
      {isOneReason && <p>{first.message}</p>}
      {others.length > 0 && (
        <ul className={classes.failed}>
          {failures.map(({ filename, message }, index) => (
            <li key={index}>
              {isOneReason ? filename : <strong>{filename}</strong>}
              {!isOneReason && <p>{message}</p>}
            </li>
          ))}
        </ul>
      )}
    </Note>
  )
}

function titleOf({ filename }: FailedFile, others: number): string | undefined {
  if (filename === null) return undefined
  return others === 0 ? `${filename} was not uploaded` : `${others + 1} files were not uploaded`
}
