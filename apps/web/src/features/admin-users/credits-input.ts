/** What is typed as credits: `50` is the new balance, `+10` and `-10` change it. */
import { CREDITS_MAX, CreditsChange } from '@pkdex/contract'

export type TypedCredits = { kind: 'set'; credits: number } | { kind: 'change'; delta: number }

export const creditsHint = '50 sets the balance; +10 or -10 changes it.'
/** Of a new user. */
export const setProblem = 'Enter 0 or more, with at most three decimals.'
export const creditsProblem =
  'Enter a number such as 50, +10 or -12.5, with at most three decimals.'

/** Null where it is neither. The sign may have been pasted as a Unicode minus, or be of full width. */
export function readCredits(text: string): TypedCredits | null {
  const plain = text
    .trim()
    .replace(/^[−－]/, '-')
    .replace(/^＋/, '+')
  if (!/^[+-]?\d+(\.\d{1,3})?$/.test(plain)) return null
  const number = Number(plain)
  if (/^[+-]/.test(plain)) {
    return CreditsChange.safeParse(number).success ? { kind: 'change', delta: number } : null
  }
  return number <= CREDITS_MAX ? { kind: 'set', credits: number } : null
}
