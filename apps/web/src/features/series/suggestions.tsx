/** Compounds to make or measure next: structure, reason, prediction against the goal, and actions. */
import { Box, Flex, Stack } from '#web/ui/layout.ts'
import type { Suggestion } from '@pkdex/contract'
import type { KeyboardEvent } from 'react'
import { Link } from 'react-router'
import { OwnerOnly } from '#web/lib/viewing.tsx'
import { Button } from '#web/ui/button.ts'
import { Checkbox } from '#web/ui/field.tsx'
import { focusNeighbour } from '#web/ui/focus-neighbour.ts'
import { rangeOf } from './cells.ts'
import { Drawing } from './series-side.tsx'
import classes from './suggestions.module.css'

type Props = {
  suggestions: Suggestion[]
  goal: number
  listed: ReadonlySet<string>
  onList: (smiles: string) => void
  onExclude: (smiles: string) => void
  /** A short name for a molecule that has none. */
  nameOf: (smiles: string) => string
  ticked: ReadonlyMap<string, Suggestion>
  onTick: (suggestion: Suggestion) => void
  /** The URL of a compound's prediction. */
  addressOf: (compound: string) => string
}

/** The keys M, O and X act on the focused row. */
export function Suggestions({ suggestions, goal, ...props }: Props) {
  const ends = suggestions.flatMap(({ lower, upper }) => [lower, upper])
  const scale = { from: Math.min(goal, ...ends), to: Math.max(goal, ...ends) }
  return (
    <Stack component="ol" className={classes.list} aria-label="Suggestions" gap={0}>
      {suggestions.map((one) => (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- handles the keys of its own buttons
        <li key={one.smiles} onKeyDown={actByKey}>
          <SuggestionRow suggestion={one} goal={goal} scale={scale} {...props} />
        </li>
      ))}
    </Stack>
  )
}

/** Clicks the button or link of the row that has this key. */
function actByKey(event: KeyboardEvent<HTMLLIElement>) {
  const key = event.key.toUpperCase()
  if (event.ctrlKey || event.metaKey || event.altKey || !/^[A-Z]$/.test(key)) return
  const action = event.currentTarget.querySelector<HTMLElement>(`[aria-keyshortcuts="${key}"]`)
  if (action === null) return
  event.preventDefault()
  action.click()
}

type Scale = { from: number; to: number }
type RowProps = Omit<Props, 'suggestions'> & { suggestion: Suggestion; scale: Scale }

function SuggestionRow({ suggestion, goal, scale, listed, ...on }: RowProps) {
  const { onList, onExclude, nameOf, addressOf, ticked, onTick } = on
  const { compound, smiles, predicted_kd, chance, reason } = suggestion
  const name = compound === '' ? nameOf(smiles) : compound
  const isListed = listed.has(smiles)
  return (
    <>
      <Drawing smiles={smiles} />
      <Stack className={classes.words} gap="var(--s-1)" miw={0}>
        <Box component="h3" className="breaks" fz="md">
          <Checkbox isChecked={ticked.has(smiles)} onChange={() => onTick(suggestion)}>
            <span className="visually-hidden">Select </span>
            {name}
          </Checkbox>
        </Box>
        <p>{reason}</p>
        <OwnerOnly>
          <Flex wrap="wrap" gap="xs" ml="calc(-1 * var(--s-3))">
            <Button
              variant="subtle"
              aria-pressed={isListed}
              aria-keyshortcuts="M"
              aria-label={`${isListed ? 'On the list' : 'Add to make list'}: ${name}`}
              onClick={() => onList(smiles)}
            >
              {isListed ? 'On the list' : 'Make list'}
            </Button>
            {compound !== '' && (
              <Link
                className={classes.open}
                to={addressOf(compound)}
                aria-keyshortcuts="O"
                aria-label={`Open ${name}`}
              >
                Open
              </Link>
            )}
            <Button
              variant="subtle"
              aria-keyshortcuts="X"
              aria-label={`Exclude ${name}`}
              onClick={({ currentTarget }) => {
                focusNeighbour(currentTarget)
                onExclude(smiles)
              }}
            >
              Exclude
            </Button>
          </Flex>
        </OwnerOnly>
      </Stack>
      <div className={classes.number}>
        <Flex component="p" gap="xs" align="baseline">
          <Box component="b" fz="var(--t-2xl)" fw={600}>
            {predicted_kd.toFixed(1)}
          </Box>{' '}
          <span className="quiet">{rangeOf(suggestion, ' to ')}</span>
        </Flex>
        <IntervalPlot suggestion={suggestion} goal={goal} scale={scale} />
        <p className="small">
          <b>{wordChance(chance)}</b> {`chance of exceeding ${goal.toFixed(2)}`}
        </p>
      </div>
    </>
  )
}

/** Rounded down by the server. */
function wordChance(chance: number): string {
  return chance < 0.01 ? 'Below 1%' : `${Math.round(chance * 100)}%`
}

const [WIDTH, HEIGHT, MARGIN] = [180, 24, 6]

/** All rows of a page share the scale. */
function IntervalPlot({
  suggestion: { predicted_kd, lower, upper },
  goal,
  scale: { from, to },
}: Pick<RowProps, 'suggestion' | 'goal' | 'scale'>) {
  const placeOf = (pk: number) =>
    MARGIN + ((pk - from) / Math.max(to - from, 0.1)) * (WIDTH - 2 * MARGIN)
  return (
    <svg className={classes.plot} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
      <line x1={placeOf(lower)} x2={placeOf(upper)} y1={HEIGHT / 2} y2={HEIGHT / 2} />
      <line className={classes.goal} x1={placeOf(goal)} x2={placeOf(goal)} y1={2} y2={HEIGHT - 2} />
      <circle cx={placeOf(predicted_kd)} cy={HEIGHT / 2} r={5} />
    </svg>
  )
}
