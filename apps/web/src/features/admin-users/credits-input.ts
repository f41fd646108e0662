/** Reads typed credits: `50` is the new balance, `+10` and `-10` change it. */
import { CREDITS_MAX, CreditsChange } from '@pkdex/contract'
import { z } from 'zod'

export type TypedCredits = { kind: 'set'; credits: number } | { kind: 'change'; delta: number }

export const creditsHint = '50 sets the balance; +10 or -10 changes it.'
/** For the credits of a new user. */
export const setProblem = 'Enter 0 or more, with at most three decimals.'
const creditsProblem = 'Enter a number such as 50, +10 or -12.5, with at most three decimals.'

/** Null if the text is not a number. A pasted sign may be a Unicode minus or a full-width character. */
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

export const CreditsInput = z
  .string()
  .transform(readCredits)
  .pipe(z.custom<TypedCredits>((typed) => typed !== null, creditsProblem))
