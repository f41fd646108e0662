/** The user's own structural alerts: a list of named SMARTS, which the server checks before it is saved. */
import {
  OWN_ALERTS_MAX,
  type OwnAlert,
  readAlertLines,
  readOwnAlerts,
  replaceOwnAlerts,
  writeAlertLines,
} from '@pkdex/contract'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { call, messageOf, reasonOf } from '#web/lib/api.ts'
import { countOf } from '#web/lib/format.ts'
import { Button } from '#web/ui/button.ts'
import { TextArea } from '#web/ui/field.tsx'
import { Loaded } from '#web/ui/loaded.tsx'
import { Announcement, Note } from '#web/ui/note.tsx'
import { Panel } from '#web/ui/panel.tsx'
import classes from './own-alerts.module.css'

function ownAlertsQuery() {
  return queryOptions({
    queryKey: ['own alerts'],
    queryFn: ({ signal }) => call(readOwnAlerts, { signal }),
    retry: false,
  })
}

/** The summary on the Account page. */
export function OwnAlertsSummary() {
  const { data } = useQuery(ownAlertsQuery())
  return (
    <Panel title="Structural alerts">
      <p>
        <Link className={classes.link} to="/account/alerts">
          {data === undefined || data.patterns.length === 0
            ? 'Add patterns'
            : `Your ${countOf(data.patterns.length, 'pattern')}`}
        </Link>
      </p>
    </Panel>
  )
}

export function OwnAlerts() {
  const query = useQuery(ownAlertsQuery())
  return (
    <Panel title="Your patterns">
      <Loaded
        query={query}
        what="your patterns"
        failure="Failed to load your patterns"
        reasonOf={reasonOf}
        lines={4}
      >
        {({ patterns }) => <PatternForm patterns={patterns} />}
      </Loaded>
    </Panel>
  )
}

/** Query keys of everything computed from the patterns, such as rows of screens and quotes. */
const READ_FROM_PATTERNS = [['alerts'], ['compound'], ['screen'], ['screen quote']]

function PatternForm({ patterns }: { patterns: OwnAlert[] }) {
  const client = useQueryClient()
  const [text, setText] = useState(() => writeAlertLines(patterns))
  const { mutate, data, error, isPending, reset } = useMutation({
    mutationFn: (wanted: OwnAlert[]) => call(replaceOwnAlerts, { body: { patterns: wanted } }),
    onSuccess: (answer) => {
      setText(writeAlertLines(answer.patterns))
      client.setQueryData(ownAlertsQuery().queryKey, answer)
      for (const queryKey of READ_FROM_PATTERNS) void client.invalidateQueries({ queryKey })
    },
  })
  const wanted = readAlertLines(text)
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault()
        // Without blank lines, the number in an error is the number of the line.
        setText(withoutBlankLines(text))
        mutate(wanted)
      }}
    >
      <TextArea
        label="Patterns"
        hint="One per line: a SMARTS, a space and a name. Write hydrogens as counts, for example [OX2H1]."
        rows={Math.min(20, Math.max(8, wanted.length + 1))}
        placeholder="C(=O)[OX2H1] carboxylic acid"
        value={text}
        onChange={(typed) => {
          setText(typed)
          reset()
        }}
      />
      {error !== null && (
        <Note tone="failure" title="The patterns were not saved">
          {messageOf(error, 'The server did not respond. Try again.')}
        </Note>
      )}
      {data !== undefined && (
        <Announcement key={text} tone="success">
          {`${countOf(data.patterns.length, 'pattern')} saved.`}
        </Announcement>
      )}
      {wanted.length > OWN_ALERTS_MAX && (
        <Note tone="warning">{`At most ${OWN_ALERTS_MAX} patterns can be saved.`}</Note>
      )}
      <Button type="submit" loading={isPending} disabled={wanted.length > OWN_ALERTS_MAX}>
        Check and save
      </Button>
    </form>
  )
}

function withoutBlankLines(text: string): string {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .join('\n')
}
