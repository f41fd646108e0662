/** Optional columns of the command's rows: own alerts, and the probability of meeting a profile. */
import {
  type CompoundProperty,
  type OwnAlert,
  OWN_ALERTS_MAX,
  profileColumns,
  type ProfileCondition,
  readAlertLines,
  readProfile,
  type ScreenRow,
} from '@pkdex/contract'
import { decodePackedText, type ParsingWorkers } from '#server/files/parsing/service.ts'
import { scoreProfile, shareColumns } from '#server/predictions/service.ts'
import { OperatorError } from '#server/platform/errors.ts'

/** Columns of rows with a profile, except ties: these need all rows of a target, but rows are written in batches. */
export const scoreColumns = profileColumns.filter((name) => name !== 'profile_tied')

/** Lines of "SMARTS name", as in the web app. */
export function readAlertFile(bytes: Uint8Array, filename: string): OwnAlert[] {
  const text = decodePackedText(bytes)
  if (!text.ok) throw new OperatorError(`${filename} cannot be read: ${text.reason}`)
  const alerts = readAlertLines(text.value)
  if (alerts.length === 0) throw new OperatorError(`${filename} contains no patterns.`)
  if (alerts.length <= OWN_ALERTS_MAX) return alerts
  throw new OperatorError(
    `${filename} contains ${alerts.length} patterns; at most ${OWN_ALERTS_MAX} are allowed.`,
  )
}

export function readProfileOption(text: string): ProfileCondition[] {
  const profile = readProfile(text)
  if (profile !== null) return profile
  throw new OperatorError(
    `"${text}" is not a profile. A profile reads like pkd:7..;mass:..500~50: names, ranges and tolerances.`,
  )
}

/** Fails on the first pattern that cannot be used, with the reason. */
export async function expectUsable(
  parsing: Pick<ParsingWorkers, 'checkPatterns'>,
  alerts: OwnAlert[],
): Promise<void> {
  const reasons = await parsing.checkPatterns(
    'alerts',
    alerts.map(({ smarts }) => smarts),
  )
  const at = reasons.findIndex((reason) => reason !== null)
  if (at === -1) return
  throw new OperatorError(`Pattern ${at + 1}, "${alerts[at]?.name}": ${reasons[at]}`)
}

/** The names of the patterns that each compound matches. */
export async function matchAlerts(
  parsing: Pick<ParsingWorkers, 'matchPatterns'>,
  alerts: OwnAlert[],
  smiles: string[],
): Promise<string[][]> {
  if (alerts.length === 0) return smiles.map(() => [])
  const patterns = alerts.map(({ smarts }) => smarts)
  const found = await parsing.matchPatterns('alerts', { patterns, smiles })
  return found.map((places) => (places ?? []).flatMap((place) => alerts[place]?.name ?? []))
}

type PredictedPair = Pick<ScreenRow, 'predicted_kd' | 'lower' | 'upper' | CompoundProperty>

/** Null for a row without a prediction, or without a property that the profile needs. */
export function scoreRow(profile: ProfileCondition[], row: PredictedPair) {
  const { predicted_kd: pk, lower, upper } = row
  const isPredicted = pk !== null && lower !== null && upper !== null
  const score = isPredicted
    ? scoreProfile(profile, { pk, lower, upper, propertyOf: (name) => row[name] ?? null })
    : null
  return score === null
    ? { profile_probability: null, profile_lower: null, profile_upper: null }
    : shareColumns(score)
}
