/** Where a value and its intervals lie on the scale from 2 to 12, in percent, and which ends were cut off. */

export const SCALE_MIN = 2
export const SCALE_MAX = 12

/** Pair of pKd bounds. */
export type Bounds = { lower: number; upper: number }

export type Span = {
  left: number
  width: number
  isCutLeft: boolean
  isCutRight: boolean
}

export function positionOf(pkd: number): number {
  const inside = Math.min(Math.max(pkd, SCALE_MIN), SCALE_MAX)
  return ((inside - SCALE_MIN) / (SCALE_MAX - SCALE_MIN)) * 100
}

/** An interval as far as the axis goes. */
export function spanOf({ lower, upper }: Bounds): Span {
  const left = positionOf(lower)
  return {
    left,
    width: positionOf(upper) - left,
    isCutLeft: lower < SCALE_MIN,
    isCutRight: upper > SCALE_MAX,
  }
}

/** Room that the number at an end of the band needs beside the dot, in pKd. */
const LABEL_ROOM = 1.2

/** Whether the numbers at the ends of the band fit between the end and the dot. A cut end has none. */
export function bandLabels(
  pkd: number,
  { lower, upper }: Bounds,
): { lower: boolean; upper: boolean } {
  const dot = Math.min(Math.max(pkd, SCALE_MIN), SCALE_MAX)
  return {
    lower: lower >= SCALE_MIN && dot - lower >= LABEL_ROOM,
    upper: upper <= SCALE_MAX && upper - dot >= LABEL_ROOM,
  }
}
