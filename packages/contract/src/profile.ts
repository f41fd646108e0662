/**
 * A profile: ranges for the pKd and for properties, each with a tolerance beyond it. Written as text, so that it fits
 * into a URL: `pkd:7..;mass:..500~50;log_p:1..4~0.5`.
 */
import { z } from 'zod'
import { describeColumn, rowProperties } from './result-rows.ts'

export const profileNames = ['pkd', ...rowProperties] as const
export type ProfileName = (typeof profileNames)[number]

export type ProfileCondition = {
  name: ProfileName
  /** Null: no limit on this side. */
  min: number | null
  max: number | null
  /** Beyond the range desirability falls to 0 over this distance; 0: immediately. */
  tolerance: number
}

/** Values of most oral drugs, and a pKd of 7. */
export const usualProfile = 'pkd:7..~0.5;mass:..450~50;log_p:1..4~1;tpsa:..120~20;donors:..3~1'

const condition =
  /^(?<name>[a-z0-9_]+):(?<min>-?\d{1,6}(?:\.\d{1,4})?)?\.\.(?<max>-?\d{1,6}(?:\.\d{1,4})?)?(?:~(?<tolerance>-?\d{1,6}(?:\.\d{1,4})?))?$/

/** Null if the text is not a profile. */
export function readProfile(text: string): ProfileCondition[] | null {
  const read = text.split(';').map(readCondition)
  const conditions = read.filter((one) => one !== null)
  const isWhole = conditions.length === read.length
  const isUnique = new Set(conditions.map(({ name }) => name)).size === conditions.length
  return isWhole && isUnique ? conditions : null
}

function readCondition(text: string): ProfileCondition | null {
  const { name, min, max, tolerance = '0' } = condition.exec(text)?.groups ?? {}
  const known = profileNames.find((profileName) => profileName === name)
  if (known === undefined || (min === undefined && max === undefined)) return null
  const read = { name: known, min: toNumber(min), max: toNumber(max), tolerance: Number(tolerance) }
  return isEmpty(read) || read.tolerance < 0 ? null : read
}

function isEmpty({ min, max }: ProfileCondition): boolean {
  return (min ?? -Infinity) > (max ?? Infinity)
}

export function writeProfile(conditions: ProfileCondition[]): string {
  return conditions
    .map(({ name, min, max, tolerance }) => {
      const end = tolerance > 0 ? `~${tolerance}` : ''
      return `${name}:${min ?? ''}..${max ?? ''}${end}`
    })
    .join(';')
}

export const ProfileText = z
  .string()
  .max(400)
  .refine((text) => text === '' || readProfile(text) !== null, {
    error: 'A profile reads like `pkd:7..;mass:..500~50`: a name, a range, and a tolerance.',
  })

/** As a sentence part: `MW at most 450`, `cLogP 1 to 4`. */
export function describeCondition({ name, min, max }: ProfileCondition): string {
  const label = name === 'pkd' ? 'pKd' : describeColumn(name).title
  if (min === null) return `${label} at most ${max}`
  return max === null ? `${label} at least ${min}` : `${label} ${min} to ${max}`
}

function toNumber(text: string | undefined): number | null {
  return text === undefined ? null : Number(text)
}
