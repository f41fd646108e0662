/** Which column of another tool's scores counts on a target, which way it points, and what it is worth. */
import { chooseScore, judgeScore, type ScoreChoice, type SeriesScore } from '@pkdex/contract'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call, messageOf } from '#web/lib/api.ts'
import { readAgain } from '#web/lib/read-again.ts'
import { Button } from '#web/ui/button.ts'
import { Select } from '#web/ui/field.tsx'
import { Note } from '#web/ui/note.tsx'
import classes from './series-side.module.css'

type Asked = { screens: string[]; target: string; chain: string }

function scoreQuery(asked: Asked) {
  return queryOptions({
    queryKey: ['series', 'score', asked],
    queryFn: ({ signal }) => call(judgeScore, { body: asked, signal }),
    retry: false,
  })
}

const NONE = ''
const directions = [
  { value: 'higher', label: 'Higher is stronger' },
  { value: 'lower', label: 'Lower is stronger' },
]

/** Nothing while no column of the user's compounds contains numbers. */
export function ScorePanel(asked: Asked) {
  const client = useQueryClient()
  const score = useQuery(scoreQuery(asked))
  const { data } = score
  const { mutate, isPending, error } = useMutation({
    mutationFn: (choice: ScoreChoice | null) =>
      call(chooseScore, { body: { target: asked.target, choice } }),
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
      className={`sheet ${classes.panel}`}
      aria-label="Another tool’s score"
      aria-busy={isPending}
    >
      <h2>Another tool’s score</h2>
      <Choice score={data} onChange={mutate} />
      {data.judgement && <p>{data.judgement.summary}</p>}
      {error && <Note tone="failure">{messageOf(error, 'The server is not responding.')}</Note>}
    </section>
  )
}

/** A column that no compound has any more stays selectable, so that it can be seen and cleared. */
function Choice({
  score: { columns, judgement },
  onChange,
}: {
  score: SeriesScore
  onChange: (choice: ScoreChoice | null) => void
}) {
  const column = judgement?.column ?? NONE
  const known = column === NONE || columns.includes(column) ? columns : [column, ...columns]
  const direction = judgement?.direction ?? 'higher'
  return (
    <>
      <Select
        label="Column"
        value={column}
        options={[
          { value: NONE, label: 'None' },
          ...known.map((name) => ({ value: name, label: name })),
        ]}
        onChange={(name) => onChange(name === NONE ? null : { column: name, direction })}
      />
      {column !== NONE && (
        <Select
          label="Direction"
          value={direction}
          options={directions}
          onChange={(value) =>
            onChange({ column, direction: value === 'lower' ? 'lower' : 'higher' })
          }
        />
      )}
    </>
  )
}
