/** Imports users from a CSV: first a preview of each line, then the import. */
import { importUsers, type ImportedUsers } from '@pkdex/contract'
import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { readFileText } from '#web/lib/read-file-text.ts'
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
  'The first line names the columns: email, and optionally name, credits and note. Credits are added to an existing user’s balance (−5 removes 5). A new user starts with them instead of the default.'

const example = `email,name,credits,note
ada@lab.example,Ada Lovelace,50,Spring course`

type Order = { csv: string; apply: boolean; orderKey?: string }

/** The text, the server's result, and the three possible requests. */
function useImport() {
  const [csv, setCsv] = useState('')
  const [imported, setImported] = useState<ImportedUsers | null>(null)
  // The key for importing a list again on purpose: one per list, so that a repeated request imports it once.
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
    const text = await readFileText(file)
    change(text)
    check(text)
  }

  return (
    <div className={`stack ${classes.body}`}>
      <Panel title="Users" action={<FileChoice onChoose={(file) => void readFile(file)} />}>
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
          Preview
        </Button>
      </Panel>
      {error !== null && (
        <Note tone="failure" title="No users were imported">
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

/** The same file can be selected again once it is corrected. */
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
  const who = `${countOf(created, 'new user')}, ${countOf(credited, 'balance change')}`
  if (repeated && applied_at !== null) {
    return (
      <Note
        tone="warning"
        title={`This list was imported on ${formatMinute(applied_at)}`}
        action={
          <Button variant="default" loading={isBusy} onClick={onRepeat}>
            Import again
          </Button>
        }
      >
        No credits were added this time. The result of the first import is shown below.
      </Note>
    )
  }
  if (applied_at !== null) {
    return (
      <Announcement tone="success" title="Import complete" takesFocus>
        {who}.
      </Announcement>
    )
  }
  if (refused > 0) {
    return (
      <Note tone="failure" title={`${countOf(refused, 'line')} invalid`}>
        Nothing was imported, because every line must be valid. Correct or remove the lines below.
      </Note>
    )
  }
  return (
    <Note
      tone="info"
      title={`${who}. Nothing has changed yet.`}
      action={
        <Button loading={isBusy} disabled={created + credited === 0} onClick={onApply}>
          Import users
        </Button>
      }
    />
  )
}
