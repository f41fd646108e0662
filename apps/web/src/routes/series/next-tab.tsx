/** The tab of a series that suggests what to make or measure next, five compounds at a time. */
import { Box, ColumnGrid, Flex } from '#web/ui/layout.ts'
import {
  NEXT_CANDIDATES_MAX,
  NEXT_SUGGESTIONS,
  NEXT_VALUES_MIN,
  suggestNext,
  SERIES_COMPOUNDS_MIN,
  type NextCompounds,
  type Screen,
  type ScreenRow,
  type ScreenTarget,
  type Suggestion,
} from '@pkdex/contract'
import { useQuery } from '@tanstack/react-query'
import { useContext, useState } from 'react'
import { Link } from 'react-router'
import { z } from 'zod'
import { creditsQuery } from '#web/features/credits/credits-counter.tsx'
import { NewScreenOf } from '#web/features/files/new-screen-of.tsx'
import { StarAll, useShortlist } from '#web/features/files/shortlist.tsx'
import { drawForCopy } from '#web/features/previews/structure.tsx'
import { SelectionBar } from '#web/features/selection/selection-bar.tsx'
import { type Ticked, useTicked } from '#web/features/selection/use-ticked.ts'
import { AddToMakeList } from '#web/features/series/add-to-make-list.tsx'
import { numberInRows } from '#web/features/series/cells.ts'
import { useLists } from '#web/features/series/make-list.ts'
import { nextQuery } from '#web/features/series/next-queries.ts'
import { ScorePanel } from '#web/features/series/score-panel.tsx'
import { followUpsQuery, seriesTableQuery } from '#web/features/series/series-queries.ts'
import { DrawingContext, MakeList } from '#web/features/series/series-side.tsx'
import { Suggestions } from '#web/features/series/suggestions.tsx'
import { messageOf } from '#web/lib/api.ts'
import { countOf } from '#web/lib/format.ts'
import { OwnerOnly } from '#web/lib/viewing.tsx'
import { Button } from '#web/ui/button.ts'
import { Field } from '#web/ui/field.tsx'
import { focusHeading } from '#web/ui/focus-neighbour.ts'
import { Loaded } from '#web/ui/loaded.tsx'
import { Note } from '#web/ui/note.tsx'
import { useColorScheme } from '#web/ui/theme/theme-provider.tsx'
import { useForm } from '#web/ui/use-form.ts'
import classes from './series-page.module.css'
import { usePredictFollowUp } from './use-follow-up.ts'

type Props = {
  screen: Screen
  target: ScreenTarget
  goal: string | null
  rows: ScreenRow[] | undefined
  change: (changes: Record<string, string | null>) => void
}

export function NextTab({ screen, target, goal, rows, change }: Props) {
  const { make, added_with, isKnown, excluded, toggle, clear, failure, ...named } = useLists(
    target.name,
  )
  const [page, setPage] = useState(1)
  const followed = useQuery(followUpsQuery(screen.id, target)).data?.rows
  const request = { screens: [screen.id], target: target.name, chain: target.chain }
  const next = useQuery(nextQuery({ ...request, ...readGoal(goal), page }))
  return (
    <ColumnGrid template="minmax(0, 1fr) 288px" below={900} aria-busy={next.isPlaceholderData}>
      <Box component="section" className="sheet" aria-label="Next compounds" miw={0} p="md">
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
                followed={followed ?? NO_ROWS}
              />
              <OwnerOnly>
                <Gaps {...{ screen, target, rows, followed }} />
              </OwnerOnly>
            </>
          )}
        </Loaded>
        <OwnerOnly>
          <Excluded count={excluded.length} failure={failure} onClear={() => clear('excluded')} />
        </OwnerOnly>
      </Box>
      <div className={`stack ${classes.side}`}>
        <ScorePanel {...request} />
        {next.data?.best && <Best next={next.data} best={next.data.best} />}
        <MakeList
          list={make}
          addedWith={added_with}
          isKnown={isKnown}
          name={named.name}
          tags={named.make_tags}
          rename={named.rename}
          cellOf={(smiles) => numberOf(next.data, [rows, followed], smiles)}
          onRemove={(smiles) => toggle('make', smiles)}
        />
      </div>
    </ColumnGrid>
  )
}

const NO_ROWS: ScreenRow[] = []

type GapsProps = Pick<Props, 'screen' | 'target' | 'rows'> & { followed: ScreenRow[] | undefined }

/** Gaps of the SAR table that are not predicted yet: one button predicts them. */
function Gaps({ screen, target, rows, followed }: GapsProps) {
  const theme = useColorScheme()
  const hasEnough = rows !== undefined && rows.length >= SERIES_COMPOUNDS_MIN
  const choice = { theme, isOfMany: screen.target_count > 1 }
  const table = useQuery(seriesTableQuery(screen.id, hasEnough ? rows : undefined, choice)).data
  const price = useQuery(creditsQuery()).data?.credits_per_prediction
  const predict = usePredictFollowUp(screen.id, target)
  if (table === undefined || followed === undefined) return null
  const known = new Set(followed.map(({ smiles }) => smiles))
  const open = table.gaps.map(({ smiles }) => smiles).filter((smiles) => !known.has(smiles))
  if (open.length === 0) return null
  const cost = price === undefined ? '' : `, up to ${countOf(open.length * price, 'credit')}`
  return (
    <Box className="wraps" mt="md">
      <Button
        variant="default"
        loading={predict.isPending}
        onClick={() => predict.mutate(open)}
      >{`Predict ${countOf(open.length, 'gap')}${cost}`}</Button>
      {predict.error && (
        <Note tone="failure">{messageOf(predict.error, 'The server is not responding.')}</Note>
      )}
    </Box>
  )
}

type HeadProps = Pick<GoalProps, 'goal'> & {
  next: NextCompounds
  onGoal: (goal: string | null) => void
}

function Head({ next, goal, onGoal }: HeadProps) {
  return (
    <Flex wrap="wrap" rowGap="sm" columnGap="lg" align="end" justify="space-between" mb="md">
      <div>
        <h2>Make or measure next</h2>
        {next.candidates > 0 && <p className="quiet">{wordBasis(next)}</p>}
      </div>
      <GoalForm key={goal} goal={goal} best={next.best?.pk ?? null} onChange={onGoal} />
    </Flex>
  )
}

type ExcludedProps = { count: number; failure: string | null; onClear: () => void }

function Excluded({ count, failure, onClear }: ExcludedProps) {
  return (
    <>
      {count > 0 && (
        <Flex component="p" gap="xs" align="center">
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
        </Flex>
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
  const found = next?.suggestions.find((suggestion) => suggestion.smiles === smiles)
  if (found === undefined) {
    return numberInRows(
      rows.flatMap((some) => some ?? []),
      smiles,
    )
  }
  const { predicted_kd: value, lower, upper } = found
  return { value, interval: { lower, upper } }
}

const Goal = z.object({
  goal: z
    .string()
    .trim()
    .refine((typed) => suggestNext.body.shape.goal.safeParse(Number(typed)).success),
})

type GoalProps = {
  goal: string | null
  best: number | null
  onChange: (goal: string | null) => void
}

function GoalForm({ goal, best, onChange }: GoalProps) {
  const form = useForm(Goal, {
    says: { goal: 'Enter a number from 0 to 15.' },
    send: (typed) => onChange(typed.goal || null),
    isBusy: false,
  })
  return (
    <form className={classes.core} {...form.props}>
      <Field
        label="Goal (pK)"
        inputMode="decimal"
        placeholder={best === null ? '' : best.toFixed(2)}
        defaultValue={goal ?? ''}
        {...form.field('goal')}
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
  /** New molecules are named after their place among these. */
  followed: ScreenRow[]
}

/** A compound with a lower chance is no suggestion. */
const CHANCE_MIN = 0.05

function Found({ next, page, onPage, target, followed, ...rows }: FoundProps) {
  const { measured, waiting, goal, candidates } = next
  const suggestions = next.suggestions.filter(({ chance }) => chance >= CHANCE_MIN)
  const ticked = useTicked(smilesOf)
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
  const nameOf = (smiles: string) => nameMade(target, followed, smiles)
  return (
    <>
      {!next.uses_own_values && (
        <Note tone="warning">
          Your values are not used for this target, so predictions without them are ranked.
        </Note>
      )}
      {suggestions.length === 0 && (
        <Note tone="info">{`No compound has a 5% chance of exceeding ${goal.toFixed(2)}.`}</Note>
      )}
      <Suggestions
        {...{ suggestions, goal, ...rows }}
        nameOf={nameOf}
        ticked={ticked.rows}
        onTick={ticked.tick}
        addressOf={(compound) => `/results?${new URLSearchParams({ target, compound })}`}
      />
      <Flex className={classes.pages} gap="sm" justify="flex-end" py="sm">
        {page > 1 && (
          <Button variant="default" onClick={() => onPage(page - 1)}>
            Previous five
          </Button>
        )}
        {page < pages && suggestions.length > 0 && (
          <Button variant="default" onClick={() => onPage(page + 1)}>
            Next five
          </Button>
        )}
      </Flex>
      <Selected {...{ target, nameOf, ticked }} />
    </>
  )
}

const smilesOf = ({ smiles }: Suggestion) => smiles

type SelectedProps = {
  target: string
  nameOf: (smiles: string) => string
  ticked: Ticked<Suggestion>
}

/** The ticked suggestions of all pages. */
function Selected({ target, nameOf, ticked }: SelectedProps) {
  const shortlist = useShortlist()
  const suggestions = [...ticked.rows.values()]
  const smiles = suggestions.map(smilesOf)
  const known = suggestions.map(({ compound }) => compound).filter((name) => shortlist.has(name))
  const table = () => ({
    head: ['Compound', 'SMILES', 'pKd', 'Lower 95%', 'Upper 95%', 'Chance', 'Reason'],
    rows: suggestions.map(({ compound, predicted_kd, lower, upper, chance, ...one }) => [
      compound || nameOf(one.smiles),
      one.smiles,
      ...[predicted_kd, lower, upper, chance].map((number) => number.toFixed(2)),
      one.reason,
    ]),
    smiles,
    draw: drawForCopy,
  })
  return (
    <SelectionBar
      count={suggestions.length}
      table={table}
      draw={useContext(DrawingContext)}
      onClear={ticked.clear}
    >
      <StarAll shortlist={shortlist} names={known} />
      <NewScreenOf targets={[target]} compounds={known} />
      <AddToMakeList
        targets={[target]}
        moleculesOn={() => ({
          smiles,
          added_with: suggestions.map(({ predicted_kd, lower, upper }) => {
            return { predicted_kd, lower, upper }
          }),
        })}
      />
    </SelectionBar>
  )
}

/** `MET-N01`: the first molecule that was predicted for the series. */
function nameMade(target: string, followed: ScreenRow[], smiles: string): string {
  const place = followed.findIndex((row) => row.smiles === smiles)
  return place === -1 ? 'New molecule' : `${target}-N${String(place + 1).padStart(2, '0')}`
}

function wordBasis({ measured, candidates, untested }: NextCompounds): string {
  const from = `From ${measured} measured compounds; ${candidates.toLocaleString('en')} candidates`
  // Stereoisomers count once.
  if (untested <= NEXT_CANDIDATES_MAX) return from
  return `${from}, the strongest of ${untested.toLocaleString('en')}`
}

function Best({ next, best }: { next: NextCompounds; best: { compound: string; pk: number } }) {
  return (
    <Box className="sheet breaks" component="section" p="md" aria-label="Best so far">
      <p className="quiet">Best so far</p>
      <p className={classes.bestValue}>
        <span aria-hidden="true">◆</span> {best.pk.toFixed(2)}
      </p>
      <p>{best.compound}</p>
      {next.goal !== null && next.goal !== best.pk && (
        <p className="quiet">{`Goal ${next.goal.toFixed(2)}`}</p>
      )}
    </Box>
  )
}
