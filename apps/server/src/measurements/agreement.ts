/** How well predictions agree with measured values, and whether own values improve this agreement. */
import type { Agreement, MeasurementComparison } from '@pkdex/contract'

type Point = { measured: number; predicted: number }

/** With fewer compounds, a comparison is not meaningful. */
const COMPARED_MIN = 3
/** Relative change in RMSE below which we report "no clear effect". */
const DIFFERENCE_MIN = 0.05

export function agreementOf(points: Point[]): Agreement {
  if (points.length < COMPARED_MIN) return { rmse: null, tau: null }
  const squares = points.map(({ measured, predicted }) => (predicted - measured) ** 2)
  return { rmse: Math.sqrt(sumOf(squares) / points.length), tau: kendallTau(points) }
}

/** Tau b, which handles ties; null if all values of one side are equal. */
export function kendallTau(points: Point[]): number | null {
  let [score, ofMeasured, ofPredicted] = [0, 0, 0]
  for (const [at, one] of points.entries()) {
    for (const other of points.slice(at + 1)) {
      const measured = Math.sign(one.measured - other.measured)
      const predicted = Math.sign(one.predicted - other.predicted)
      score += measured * predicted
      ofMeasured += Math.abs(measured)
      ofPredicted += Math.abs(predicted)
    }
  }
  const pairs = Math.sqrt(ofMeasured * ofPredicted)
  return pairs === 0 ? null : score / pairs
}

type Verdict = Pick<MeasurementComparison, 'verdict' | 'summary'>

export function judge(count: number, before: Agreement, after: Agreement): Verdict {
  if (before.rmse === null || after.rmse === null) {
    const summary = `At least ${COMPARED_MIN} compounds with exact values are needed for a comparison; you have ${count}.`
    return { verdict: 'too few', summary }
  }
  const change = `(leave-one-out RMSE ${before.rmse.toFixed(2)} → ${after.rmse.toFixed(2)}, n = ${count})`
  const gain = (before.rmse - after.rmse) / before.rmse
  if (gain > DIFFERENCE_MIN) {
    return { verdict: 'helps', summary: `Your values improve predictions ${change}.` }
  }
  if (gain < -DIFFERENCE_MIN) {
    return { verdict: 'harms', summary: `Your values make predictions worse ${change}.` }
  }
  return { verdict: 'no difference', summary: `Your values have no clear effect ${change}.` }
}

function sumOf(numbers: number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0)
}
