/** The tab of a series that suggests what to make or measure next, five compounds at a time. */
import {
  NEXT_SUGGESTIONS,
  NEXT_VALUES_MIN,
  type NextCompounds,
  type Screen,
  type ScreenRow,
  type ScreenTarget,
} from '@pkdex/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { numberInRows } from '#web/features/series/cells.ts'
import { useLists } from '#web/features/series/make-list.ts'
import { nextQuery } from '#web/features/series/next-queries.ts'
import { ScorePanel } from '#web/features/series/score-panel.tsx'
import { followUpsQuery } from '#web/features/series/series-queries.ts'
import { MakeList } from '#web/features/series/series-side.tsx'
import { Suggestions } from '#web/features/series/suggestions.tsx'
import { messageOf } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.ts'
import { Field } from '#web/ui/field.tsx'
import { focusHeading } from '#web/ui/focus-neighbour.ts'
import { Loaded } from '#web/ui/loaded.tsx'
import { Note } from '#web/ui/note.tsx'
import classes from './series-page.module.css'

type Props = {
  screen: Screen
  target: ScreenTarget
  goal: string | null
  rows: ScreenRow[] | undefined
  change: (changes: Record<string, string | null>) => void
}

export function NextTab({ screen, target, goal, rows, change }: Props) {
  const { make, added_with, isKnown, excluded, toggle, clear, failure } = useLists(target.name)
  const [page, setPage] = useState(1)
  const followed = useQuery(followUpsQuery(screen.id, target)).data?.rows
  const asked = { screens: [screen.id], target: target.name, chain: target.chain }
  const next = useQuery(nextQuery({ ...asked, ...readGoal(goal), page }))
  return (
    <div className={classes.columns} aria-busy={next.isPlaceholderData}>
      <section className={`sheet ${classes.sheet}`} aria-label="Next compounds">
        <Loaded
          query={next}
          what="suggestions"
          failure="Failed to load the suggestions"
          reasonOf={(error) => messageOf(error, 'The server is not responding.')}
          lines={5}
        >
          {(there) => (
            <>
              <Head
                next={there}
                goal={goal}
                onGoal={(value) => {
                  setPage(1)
                  change({ goal: value })
                }}
              />
              <Found
                next={there}
                page={page}
                listed={new Set(make)}
                onPage={setPage}
                onList={(smiles) =>
                  toggle('make', smiles, numberOf(there, [rows, followed], smiles))
                }
                onExclude={(smiles) => toggle('excluded', smiles)}
                target={target.name}
              />
            </>
          )}
        </Loaded>
        <Excluded count={excluded.length} failure={failure} onClear={() => clear('excluded')} />
      </section>
      <div className={`stack ${classes.side}`}>
        <ScorePanel {...asked} />
        {next.data?.best && <Best next={next.data} best={next.data.best} />}
        <MakeList
          list={make}
          addedWith={added_with}
          isKnown={isKnown}
          cellOf={(smiles) => numberOf(next.data, [rows, followed], smiles)}
          onRemove={(smiles) => toggle('make', smiles)}
        />
      </div>
    </div>
  )
}

type HeadProps = Pick<GoalProps, 'goal'> & {
  next: NextCompounds
  onGoal: (goal: string | null) => void
}

function Head({ next, goal, onGoal }: HeadProps) {
  return (
    <div className={classes.head}>
      <div>
        <h2>Make or measure next</h2>
        {next.candidates > 0 && <p className="quiet">{wordBasis(next)}</p>}
      </div>
      <GoalForm key={goal} goal={goal} best={next.best?.pk ?? null} onChange={onGoal} />
    </div>
  )
}

type ExcludedProps = { count: number; failure: string | null; onClear: () => void }

function Excluded({ count, failure, onClear }: ExcludedProps) {
  return (
    <>
      {count > 0 && (
        <p className={classes.excluded}>
          {`${count} excluded`}
          <Button
            variant="subtle"
            onClick={({ currentTarget }) => {
              focusHeading(currentTarget)
              onClear()
            }}
          >
            Include again
          </Button>
        </p>
      )}
      {failure !== null && <Note tone="failure">{failure}</Note>}
    </>
  )
}

/** Empty if the URL has no goal, or an invalid one. */
function readGoal(goal: string | null): { goal?: number } {
  return goal === null || !Number.isFinite(Number(goal)) ? {} : { goal: Number(goal) }
}

/** The prediction of a listed molecule: from its suggestion, else from its row. */
function numberOf(
  next: NextCompounds | undefined,
  rows: (ScreenRow[] | undefined)[],
  smiles: string,
) {
  const found = next?.suggestions.find((one) => one.smiles === smiles)
  if (found === undefined) {
    return numberInRows(
      rows.flatMap((some) => some ?? []),
      smiles,
    )
  }
  const { predicted_kd: value, lower, upper } = found
  return { value, interval: { lower, upper } }
}

type GoalProps = {
  goal: string | null
  best: number | null
  onChange: (goal: string | null) => void
}

function GoalForm({ goal, best, onChange }: GoalProps) {
  const [text, setText] = useState(goal ?? '')
  return (
    <form
      className={classes.core}
      onSubmit={(event) => {
        event.preventDefault()
        onChange(text.trim() === '' ? null : text.trim())
      }}
    >
      <Field
        label="Goal (pK)"
        type="number"
        min={0}
        max={15}
        step="any"
        placeholder={best === null ? '' : best.toFixed(2)}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      <Button type="submit" variant="default">
        Set
      </Button>
    </form>
  )
}

type FoundProps = {
  next: NextCompounds
  page: number
  listed: ReadonlySet<string>
  onPage: (page: number) => void
  onList: (smiles: string) => void
  onExclude: (smiles: string) => void
  target: string
}

/** Below this chance the page says that no compound is likely to reach the goal. */
const CHANCE_MIN = 0.05

function Found({ next, page, onPage, target, ...rows }: FoundProps) {
  const { measured, waiting, goal, candidates, suggestions } = next
  if (waiting > 0) return <output>Predicting your measured compounds …</output>
  if (measured < NEXT_VALUES_MIN || goal === null) {
    return (
      <Note tone="info" action={<Link to="/measurements">Import values</Link>}>
        Add three measured values on this target to get suggestions.
      </Note>
    )
  }
  if (candidates === 0) {
    return <Note tone="info">Every predicted compound is measured or excluded.</Note>
  }
  const pages = Math.ceil(candidates / NEXT_SUGGESTIONS)
  return (
    <>
      {!next.uses_own_values && (
        <Note tone="warning">
          Your values are not used for this target, so predictions without them are ranked.
        </Note>
      )}
      {suggestions.every(({ chance }) => chance < CHANCE_MIN) && (
        <Note tone="info">{`None of these has a 5% chance of exceeding ${goal.toFixed(2)}.`}</Note>
      )}
      <Suggestions
        {...{ suggestions, goal, ...rows }}
        addressOf={(compound) => `/results?${new URLSearchParams({ target, compound })}`}
      />
      <div className={classes.pages}>
        {page > 1 && (
          <Button variant="default" onClick={() => onPage(page - 1)}>
            Previous five
          </Button>
        )}
        {page < pages && (
          <Button variant="default" onClick={() => onPage(page + 1)}>
            Next five
          </Button>
        )}
      </div>
      <p className="small quiet">
        Only predicted compounds are ranked. Predict the gaps of the SAR table to include them.
      </p>
    </>
  )
}

function wordBasis({ measured, candidates, untested }: NextCompounds): string {
  const from = `From ${measured} measured compounds; ${candidates.toLocaleString('en')} candidates`
  if (untested === candidates) return from
  return `${from}, the strongest of ${untested.toLocaleString('en')}`
}

function Best({ next, best }: { next: NextCompounds; best: { compound: string; pk: number } }) {
  return (
    <section className={`sheet ${classes.best}`} aria-label="Best so far">
      <p className="quiet">Best so far</p>
      <p className={classes.bestValue}>
        <span aria-hidden="true">◆</span> {best.pk.toFixed(2)}
      </p>
      <p>{best.compound}</p>
      {next.goal !== null && next.goal !== best.pk && (
        <p className="quiet">{`Goal ${next.goal.toFixed(2)}`}</p>
      )}
    </section>
  )
}
