/** Values pasted or read from a file, and what became of each line. */
import { type ImportedMeasurements, importMeasurements } from '@pkdex/contract'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { call, messageOf } from '#web/lib/api.ts'
import { countOf } from '#web/lib/format.ts'
import { Button, FileButton } from '#web/ui/button.ts'
import { TextArea } from '#web/ui/field.tsx'
import { Announcement, Note } from '#web/ui/note.tsx'
import { type Kind, KindChoice } from './measured-kind.tsx'
import classes from './measurements.module.css'
import { useRefreshMeasurements } from './measurement-queries.ts'

const hint =
  'A line each: compound (a name of yours, or SMILES), value, and its unit where it differs. “<” and “>” may stand before a value. A first line may name the columns.'

export function ImportForm({ target }: { target: string }) {
  const [text, setText] = useState('')
  const [kind, setKind] = useState<Kind>({ type: 'Kd', unit: 'nM' })
  const refresh = useRefreshMeasurements()
  const sent = useMutation({
    mutationFn: () => call(importMeasurements, { body: { target, text, ...kind } }),
    onSuccess({ rejected }) {
      refresh()
      // What was not taken stays, to be put right.
      const lines = text.split(/\r\n|\r|\n/)
      setText(rejected.map(({ line }) => lines[line - 1] ?? '').join('\n'))
    },
  })
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault()
        sent.mutate()
      }}
    >
      <TextArea
        label="Measured values"
        hint={hint}
        rows={7}
        value={text}
        placeholder={'imatinib, 12\nCC(=O)Oc1ccccc1C(=O)O, >10, µM'}
        onChange={setText}
      />
      <div className={classes.send}>
        <fieldset>
          <legend className="small quiet">Where a line does not say</legend>
          <KindChoice kind={kind} onChange={setKind} />
        </fieldset>
        <div className={classes.buttons}>
          <FileButton
            accept=".csv,.txt,.tsv,text/csv,text/plain"
            onChange={(file) => void file?.text().then(setText)}
          >
            {(props) => (
              <Button variant="default" {...props}>
                Open a file
              </Button>
            )}
          </FileButton>
          <Button type="submit" disabled={text.trim() === ''} loading={sent.isPending}>
            Import
          </Button>
        </div>
      </div>
      {sent.isError && (
        <Note tone="failure" title="Nothing was imported">
          {messageOf(sent.error, 'Please try again.')}
        </Note>
      )}
      {sent.isSuccess && !sent.isPending && <Outcome outcome={sent.data} />}
    </form>
  )
}

const REJECTED_SHOWN = 50

function Outcome({ outcome: { added, replaced, rejected } }: { outcome: ImportedMeasurements }) {
  const again = replaced > 0 ? `, ${countOf(replaced, 'value')} replaced` : ''
  return (
    <Announcement
      tone={rejected.length > 0 ? 'warning' : 'success'}
      title={`${countOf(added, 'value')} added${again}`}
    >
      {rejected.length > 0 && (
        <>
          <p>{`${countOf(rejected.length, 'line')} not taken; they stay above to be put right.`}</p>
          <ul className={classes.rejected}>
            {rejected.slice(0, REJECTED_SHOWN).map(({ line, text, reason }) => (
              <li key={line}>
                <div className="mono">{text}</div>
                <div>{`Line ${line}: ${reason}`}</div>
              </li>
            ))}
          </ul>
          {rejected.length > REJECTED_SHOWN && <p>and more of the kind.</p>}
        </>
      )}
    </Announcement>
  )
}
