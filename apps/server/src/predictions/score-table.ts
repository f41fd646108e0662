/** Scores the pairs of a screen by a profile, and marks scores that are tied with the best. */
import type { ProfileCondition, profileColumns, ScreenRow } from '@pkdex/contract'
import { areToldApart, type ProfileScore, scoreProfile, shareColumns } from './profile-score.ts'
import { factsOf, measuredOf } from './row-details.ts'
import { STEPS_PER_PKD } from './pair-number.ts'
import type { InputRow } from './plan.ts'
import type { PlacedNumber, ScreenTable } from './screen-table.ts'

/** Half a 95% interval: repeated values of one assay have a standard deviation of 0.3 pK (decision 093). */
const MEASURED_HALF_WIDTH = 0.6

type ScoredPair = { place: number; input: InputRow; number: PlacedNumber | null }

/** All pairs of the table; `numbers` are best estimates, and the properties of every compound must be loaded. */
export function scoreTable(
  table: ScreenTable,
  profile: ProfileCondition[],
  { input, numbers }: { input: InputRow[]; numbers: (PlacedNumber | null)[] },
): void {
  const { targets, details } = table
  if (details === undefined) return
  const best: (ProfileScore | null)[] = targets.map(() => null)
  const of = numbers.map((number, place) => {
    const row = input[Math.floor(place / targets.length)]
    const score =
      row === undefined ? null : scorePair(table, { place, input: row, number }, profile)
    const leader = best[place % targets.length] ?? null
    if (score !== null && (leader === null || score.probability > leader.probability)) {
      best[place % targets.length] = score
    }
    return score
  })
  details.scores = { of, best }
}

function scorePair(
  table: ScreenTable,
  scored: ScoredPair,
  profile: ProfileCondition[],
): ProfileScore | null {
  const facts = factsOf(table, scored)
  const pair = valueOf(table, scored)
  if (facts === null || pair === null) return null
  return scoreProfile(profile, { ...pair, propertyOf: (name) => facts.properties[name] })
}

/** A measured value takes precedence over its prediction. */
function valueOf(table: ScreenTable, scored: ScoredPair) {
  const measured = measuredOf(table, scored)
  if (measured !== null) {
    const [lower, upper] = [measured - MEASURED_HALF_WIDTH, measured + MEASURED_HALF_WIDTH]
    return { pk: measured, lower, upper }
  }
  const { number } = scored
  if (number === null) return null
  const { predicted, lower, upper } = number
  return {
    pk: predicted / STEPS_PER_PKD,
    lower: lower / STEPS_PER_PKD,
    upper: upper / STEPS_PER_PKD,
  }
}

type ScoreColumns = Pick<ScreenRow, (typeof profileColumns)[number]>

const noScore: ScoreColumns = {
  profile_probability: null,
  profile_lower: null,
  profile_upper: null,
  profile_tied: null,
}

export function scoreColumnsOf({ targets, details }: ScreenTable, place: number): ScoreColumns {
  const score = details?.scores?.of[place] ?? null
  const best = details?.scores?.best[place % targets.length] ?? null
  if (score === null || best === null) return noScore
  return { ...shareColumns(score), profile_tied: !areToldApart(best, score) }
}
