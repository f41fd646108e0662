/** A list of users from a CSV: what would become of each line, and then, on a word, of all of them. */
import { importUsers, type ImportedUsers } from '@pkdex/contract'
import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { adminReason, callAdmin } from '#web/lib/admin-api.ts'
import { newOrderKey } from '#web/lib/api.ts'
import { countOf, formatMinute } from '#web/lib/format.ts'
import { Button, FileButton } from '#web/ui/button.ts'
import { TextArea } from '#web/ui/field.tsx'
import { Announcement, Note } from '#web/ui/note.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { ImportReport } from './import-report.tsx'
import classes from './import-users.module.css'
import { useRefreshAdmin } from './users-query.ts'

const hint =
  'The first line names the columns: email, and if wanted name, credits and note. Credits are added to the balance of a user who is there (−5 takes some away); a new user begins with them.'

const example = `email,name,credits,note
ada@lab.example,Ada Lovelace,50,Course of spring`

type Order = { csv: string; apply: boolean; orderKey?: string }

/** What was typed, what the server says of it, and the three things that can be asked of it. */
function useImport() {
  const [csv, setCsv] = useState('')
  const [imported, setImported] = useState<ImportedUsers | null>(null)
  // One for a list, so that taking it in once more happens once, however often it is sent.
  const [againKey, setAgainKey] = useState(newOrderKey)
  const refresh = useRefreshAdmin()
  const { mutate, error, isPending, reset } = useMutation({
    mutationFn: ({ orderKey, ...body }: Order) => callAdmin(importUsers, { body, orderKey }),
    onSuccess(answer) {
      setImported(answer)
      if (answer.applied_at !== null) refresh('users', 'user', 'database', 'audit')
    },
  })
  return {
    csv,
    imported,
    isPending,
    error: isPending ? null : error,
    change: (text: string) => {
      setCsv(text)
      setImported(null)
      setAgainKey(newOrderKey())
      reset()
    },
    check: (text: string) => mutate({ csv: text, apply: false }),
    apply: () => mutate({ csv, apply: true }),
    applyAgain: () => mutate({ csv, apply: true, orderKey: againKey }),
  }
}

export function ImportUsers() {
  const { csv, imported, isPending, error, change, check, apply, applyAgain } = useImport()

  async function readFile(file: File | null) {
    if (file === null) return
    const text = await file.text()
    change(text)
    check(text)
  }

  return (
    <div className={classes.stack}>
      <Panel title="List" action={<FileChoice onChoose={(file) => void readFile(file)} />}>
        <TextArea
          label="Users as CSV"
          hint={hint}
          rows={8}
          value={csv}
          placeholder={example}
          onChange={change}
        />
        <Button
          loading={isPending && imported === null}
          disabled={csv.trim() === ''}
          onClick={() => check(csv)}
        >
          Check the list
        </Button>
      </Panel>
      {error !== null && (
        <Note tone="failure" title="Nobody was created or credited">
          {adminReason(error)}
        </Note>
      )}
      {imported !== null && (
        <>
          <Verdict imported={imported} isBusy={isPending} onApply={apply} onRepeat={applyAgain} />
          <ImportReport rows={imported.rows} isDone={imported.applied_at !== null} />
        </>
      )}
    </div>
  )
}

/** The same file may be chosen again, once it was mended. */
function FileChoice({ onChoose }: { onChoose: (file: File | null) => void }) {
  const resetRef = useRef<() => void>(null)
  return (
    <FileButton
      accept=".csv,.txt,.tsv,text/csv"
      inputProps={{ 'aria-label': 'CSV file' }}
      resetRef={resetRef}
      onChange={(file) => {
        resetRef.current?.()
        onChoose(file)
      }}
    >
      {(picker) => (
        <Button variant="default" {...picker}>
          Choose a file
        </Button>
      )}
    </FileButton>
  )
}

type VerdictProps = {
  imported: ImportedUsers
  isBusy: boolean
  onApply: () => void
  onRepeat: () => void
}

function Verdict({ imported, isBusy, onApply, onRepeat }: VerdictProps) {
  const { rows, applied_at, repeated } = imported
  const count = (outcome: string) => rows.filter((row) => row.outcome === outcome).length
  const [created, credited, refused] = [count('create'), count('credit'), count('refused')]
  const who = `${countOf(created, 'new user')}, ${countOf(credited, 'change')} of a balance`
  if (repeated && applied_at !== null) {
    return (
      <Note
        tone="warning"
        title={`This list was taken in on ${formatMinute(applied_at)}`}
        action={
          <Button variant="default" loading={isBusy} onClick={onRepeat}>
            Credit them once more
          </Button>
        }
      >
        Nobody was credited again. Below is what became of it then.
      </Note>
    )
  }
  if (applied_at !== null) {
    return (
      <Announcement tone="success" title="The list was taken in" takesFocus>
        {who}.
      </Announcement>
    )
  }
  if (refused > 0) {
    return (
      <Note tone="failure" title={`${countOf(refused, 'line')} cannot be used`}>
        A list is taken in as a whole, so nothing was changed. Mend the lines below, or leave them
        out.
      </Note>
    )
  }
  return (
    <Note
      tone="info"
      title={`${who}. Nothing has been changed yet.`}
      action={
        <Button loading={isBusy} disabled={created + credited === 0} onClick={onApply}>
          Take the list in
        </Button>
      }
    />
  )
}
