/** Scores the pairs of a screen by a profile, and marks scores that are tied with the best. */
import type { ProfileCondition, profileColumns, ScreenRow } from '@pkdex/contract'
import { readCell } from './cells.ts'
import { areToldApart, type ProfileScore, scoreProfile, shareColumns } from './profile-score.ts'
import { factsAt, measuredAt } from './row-details.ts'
import type { ScreenTable } from './screen-table.ts'

/** Half a 95% interval: repeated values of one assay have a standard deviation of 0.3 pK (decision 093). */
const MEASURED_HALF_WIDTH = 0.6

/** The properties of every compound must be loaded. */
export function scoreTable(table: ScreenTable, profile: ProfileCondition[]): void {
  const { rows, targets, details } = table
  if (details === undefined) return
  const best: (ProfileScore | null)[] = targets.map(() => null)
  const of = Array.from({ length: rows.length * targets.length }, (_, place) => {
    const score = scorePair(table, place, profile)
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
  place: number,
  profile: ProfileCondition[],
): ProfileScore | null {
  const facts = factsAt(table, place)
  const pair = valueOf(table, place)
  if (facts === null || pair === null) return null
  return scoreProfile(profile, { ...pair, propertyOf: (name) => facts.properties[name] })
}

/** A measured value takes precedence over its prediction. */
function valueOf(table: ScreenTable, place: number) {
  const measured = measuredAt(table, place)
  if (measured !== null) {
    const [lower, upper] = [measured - MEASURED_HALF_WIDTH, measured + MEASURED_HALF_WIDTH]
    return { pk: measured, lower, upper }
  }
  const cell = readCell(table.cells, place)
  return cell === null ? null : { pk: cell.predicted, lower: cell.lower, upper: cell.upper }
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
