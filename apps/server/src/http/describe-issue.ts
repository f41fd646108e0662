/**
 * Words for what a shape of the contract found wrong, because zod's own are written for programmers.
 * A message that stands in the contract itself comes before these.
 */
import type { z } from 'zod'

type Issue = z.core.$ZodRawIssue
type TooSmall = Pick<z.core.$ZodIssueTooSmall, 'origin' | 'minimum' | 'inclusive'>
type TooBig = Pick<z.core.$ZodIssueTooBig, 'origin' | 'maximum' | 'inclusive'>

/** Continues “The field … is not as expected: ”; empty where there is nothing to add. */
export function describeIssue(issue: Issue): string {
  if (issue.code === 'too_small') return describeTooSmall(issue)
  if (issue.code === 'too_big') return describeTooBig(issue)
  if (issue.code === 'invalid_value') return `it must be one of ${issue.values.join(', ')}`
  if (issue.code === 'not_multiple_of') return `it must be a multiple of ${issue.divisor}`
  if (issue.code === 'invalid_format') return describeFormat(issue.format)
  return ''
}

function describeFormat(format: string): string {
  return format === 'email' ? 'it is not an e-mail address' : 'it has another form than expected'
}

function describeTooSmall({ origin, minimum, inclusive }: TooSmall): string {
  if (origin === 'string') {
    return minimum === 1 ? 'it is empty' : `it is shorter than ${minimum} characters`
  }
  if (!isPlain(minimum)) return 'it is too small'
  return inclusive === false ? `it must be more than ${minimum}` : `it must be at least ${minimum}`
}

function describeTooBig({ origin, maximum, inclusive }: TooBig): string {
  if (origin === 'string') return `it is longer than ${maximum} characters`
  if (!isPlain(maximum)) return 'it is too large'
  return inclusive === false ? `it must be less than ${maximum}` : `it must be at most ${maximum}`
}

/** Not where a number stops being exact, which is a limit of JavaScript and tells nobody anything. */
function isPlain(limit: number | bigint): boolean {
  return Math.abs(Number(limit)) < Number.MAX_SAFE_INTEGER
}
