/** Another tool's scores on a target: which column counts, in which direction, and how well it ranks the compounds. */
import { chooseScore, judgeScore, type ScoreChoice } from '@pkdex/contract'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call, messageOf } from '#web/lib/api.ts'
import { OwnerOnly } from '#web/lib/viewing.tsx'
import { readAgain } from '#web/lib/read-again.ts'
import { Button } from '#web/ui/button.ts'
import { Select } from '#web/ui/field.tsx'
import { Note } from '#web/ui/note.tsx'
import classes from './series-side.module.css'

type ScoreRequest = { screens: string[]; target: string; chain: string }

function scoreQuery(request: ScoreRequest) {
  return queryOptions({
    queryKey: ['series', 'score', request],
    queryFn: ({ signal }) => call(judgeScore, { body: request, signal }),
    retry: false,
  })
}

const NONE = ''
const unchosen = { value: NONE, label: 'Select a direction' } as const
const directions = [
  { value: 'higher', label: 'Higher is stronger' },
  { value: 'lower', label: 'Lower is stronger' },
] as const

/** Shows nothing if no column of the user's compounds contains numbers. */
export function ScorePanel(request: ScoreRequest) {
  const client = useQueryClient()
  const score = useQuery(scoreQuery(request))
  const { data } = score
  const { mutate, variables, isPending, error } = useMutation({
    mutationFn: (choice: ScoreChoice | null) =>
      call(chooseScore, { body: { target: request.target, choice } }),
    onSuccess: () =>
      readAgain(client, {
        predicate: ({ queryKey: [scope, what] }) =>
          scope === 'series' && (what === 'score' || what === 'next'),
      }),
  })
  if (data === undefined && score.error !== null) {
    return (
      <Note
        tone="failure"
        title="Failed to load another tool’s score"
        action={
          <Button variant="default" loading={score.isFetching} onClick={() => void score.refetch()}>
            Retry
          </Button>
        }
      >
        {messageOf(score.error, 'The server is not responding.')}
      </Note>
    )
  }
  if (data === undefined || (data.columns.length === 0 && data.judgement === null)) return null
  return (
    <section
      className={`sheet wraps ${classes.panel}`}
      aria-label="Another tool’s score"
      aria-busy={isPending}
    >
      <h2>Another tool’s score</h2>
      <OwnerOnly>
        <Choice
          columns={data.columns}
          stored={isPending ? variables : data.judgement}
          onChange={mutate}
        />
      </OwnerOnly>
      {data.judgement && <p>{data.judgement.summary}</p>}
      {error && <Note tone="failure">{messageOf(error, 'The server is not responding.')}</Note>}
    </section>
  )
}

/**
 * A column counts only after its direction was selected: a wrong guess would reverse the ranking. A
 * column that no compound has any more stays selectable, so that it can be seen and cleared.
 */
function Choice({
  columns,
  stored,
  onChange,
}: {
  columns: string[]
  stored: ScoreChoice | null
  onChange: (choice: ScoreChoice | null) => void
}) {
  const [undirected, setUndirected] = useState<string | null>(null)
  const column = undirected ?? stored?.column ?? NONE
  const isListed = stored === null || columns.includes(stored.column)
  const known = isListed ? columns : [stored.column, ...columns]
  const choose = (name: string) => {
    setUndirected(name === NONE || name === stored?.column ? null : name)
    if (name === NONE && stored !== null) onChange(null)
  }
  return (
    <>
      <Select
        label="Column"
        value={column}
        options={[
          { value: NONE, label: 'None' },
          ...known.map((name) => ({ value: name, label: name })),
        ]}
        onChange={choose}
      />
      {column !== NONE && (
        <Direction
          column={column}
          chosen={undirected === null ? stored : null}
          onChange={(choice) => {
            setUndirected(null)
            onChange(choice)
          }}
        />
      )}
    </>
  )
}

type DirectionProps = {
  column: string
  chosen: ScoreChoice | null
  onChange: (choice: ScoreChoice) => void
}

function Direction({ column, chosen, onChange }: DirectionProps) {
  return (
    <>
      <Select
        label="Direction"
        value={chosen?.direction ?? NONE}
        options={chosen === null ? [unchosen, ...directions] : directions}
        onChange={(direction) => {
          if (direction !== NONE) onChange({ column, direction })
        }}
      />
      {chosen === null && (
        <p className="quiet">{`${column} is not used yet. Select its direction.`}</p>
      )}
    </>
  )
}
