/** How well predictions agree with measured values, and whether own values improve this agreement over their mean. */
import type { Agreement, MeasurementComparison } from '@pkdex/contract'

type Point = { measured: number; predicted: number }

/** With fewer compounds, a comparison is not meaningful. */
const COMPARED_MIN = 3
/** Relative change in RMSE below which we report "no clear effect". */
const DIFFERENCE_MIN = 0.05

export function agreementOf(points: Point[]): Agreement {
  if (points.length < COMPARED_MIN) return { rmse: null, tau: null, tau_interval: null }
  const squares = points.map(({ measured, predicted }) => (predicted - measured) ** 2)
  const tau = kendallTau(points)
  const rmse = Math.sqrt(sumOf(squares) / points.length)
  return { rmse, tau, tau_interval: tau === null ? null : intervalOfTau(tau, points.length) }
}

/** Predicts each value as the mean of the others, which says nothing about their order. */
export function agreementOfMean(measured: number[]): Agreement {
  const sum = sumOf(measured)
  const points = measured.map((one) => ({
    measured: one,
    predicted: (sum - one) / (measured.length - 1),
  }))
  return { ...agreementOf(points), tau: null, tau_interval: null }
}

/** Below this number of values Fieller's error has no value. */
const TAU_VALUES_MIN = 5
const NORMAL_95 = 1.959964
/** The transform of ±1 is infinite. */
const TAU_MAX = 0.99

/** 95% interval by Fisher's transform, with the error of Fieller, Hartley and Pearson (1957). */
function intervalOfTau(tau: number, count: number): Agreement['tau_interval'] {
  if (count < TAU_VALUES_MIN) return null
  const transformed = Math.atanh(Math.min(Math.max(tau, -TAU_MAX), TAU_MAX))
  const error = NORMAL_95 * Math.sqrt(0.437 / (count - 4))
  return { lower: Math.tanh(transformed - error), upper: Math.tanh(transformed + error) }
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
type Agreements = { without: Agreement; withOwn: Agreement; ofMean: Agreement }

/** Values must beat the prediction without them and their own mean; both by leave-one-out. */
export function judge(count: number, { without, withOwn, ofMean }: Agreements): Verdict {
  if (without.rmse === null || withOwn.rmse === null || ofMean.rmse === null) {
    const summary = `At least ${COMPARED_MIN} compounds with exact values are needed for a comparison; you have ${count}.`
    return { verdict: 'too few', summary }
  }
  const change = `leave-one-out RMSE ${without.rmse.toFixed(2)} → ${withOwn.rmse.toFixed(2)}, n = ${count}`
  const gain = (without.rmse - withOwn.rmse) / without.rmse
  if (gain < -DIFFERENCE_MIN) {
    return { verdict: 'harms', summary: `Your values make predictions worse (${change}).` }
  }
  if (withOwn.rmse >= ofMean.rmse) {
    const mean = `RMSE of the average ${ofMean.rmse.toFixed(2)}${describeTau(withOwn)}`
    const summary = `Predictions with your values are no better than the average of your values (${change}; ${mean}).`
    return { verdict: 'no better than the average', summary }
  }
  if (gain > DIFFERENCE_MIN) {
    return { verdict: 'helps', summary: `Your values improve predictions (${change}).` }
  }
  return { verdict: 'no difference', summary: `Your values have no clear effect (${change}).` }
}

function describeTau({ tau, tau_interval: interval }: Agreement): string {
  if (tau === null) return ''
  const range = interval && ` (${wordTau(interval.lower)} to ${wordTau(interval.upper)})`
  return `; Kendall's τ ${wordTau(tau)}${range ?? ''}`
}

export function wordTau(tau: number): string {
  return tau.toFixed(2).replace('-', '−')
}

function sumOf(numbers: number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0)
}
