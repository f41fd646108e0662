/**
 * npm run score-column -- [--rows <file>] [--model <folder>] [--out docs/other-score.md]: gives each published series a
 * column of another tool and five or ten own values, and compares predictions for the rest with and without the column.
 * The rows come from `npm run retrain`: predictions with level and intervals fitted on series of other genes.
 */
// oxlint-disable-next-line no-restricted-imports -- what is measured is the product's own code
import * as inference from '../apps/server/src/inference/service.ts'
import { type Outcome, type Score, writeScoreReport } from './score-report.ts'
import { type Compound, openReplay } from './series-rows.ts'
import { meanOf, openRandom, shuffle } from './statistics.ts'

/** Minimum compounds per series, and minimum to predict. */
const COMPOUNDS_MIN = 12
const REST_MIN = 6
/** Sets of own values drawn per series. */
const DRAWS = 6

/** Scores of a series' compounds, in order. */
type Column = (series: Compound[], random: () => number) => number[]

const fep: Column = (series) => series.map((one) => one.fep)
const noise: Column = (series, random) => series.map(() => normal(random))
const columns: Record<string, Column> = {
  FEP: fep,
  'FEP and as much noise': (series, random) =>
    standardised(fep(series, random)).map((score) => score + normal(random)),
  'heavy atoms and noise': (series, random) =>
    series.map((one) => one.heavyAtoms + 0.5 * normal(random)),
  noise,
}

const { series, settings, model, write } = await openReplay(COMPOUNDS_MIN)
const scores = [5, 10, 20].flatMap((count) =>
  Object.entries(columns).map(([name, column]): Score => {
    const usable = [...series.entries()].filter(([, one]) => one.length >= count + REST_MIN)
    return {
      name,
      count,
      series: usable.map(([at, one]) => scoreSeries(one, at, { count, column })),
    }
  }),
)
write(writeScoreReport(scores, { draws: DRAWS, model }))

function scoreSeries(
  all: Compound[],
  at: number,
  { count, column }: { count: number; column: Column },
): Outcome {
  const scores = column(all, openRandom(1_000_000 + at))
  const scored = all.map((one, place) => ({ ...one, score: scores[place] ?? 0 }))
  const draws = Array.from({ length: DRAWS }, (_, draw) => {
    const order = shuffle(scored, openRandom(at * 1000 + draw))
    return scoreDraw(order.slice(0, count), order.slice(count))
  })
  const mean = (of: Exclude<keyof Outcome, 'verdicts'>) => meanOf(draws.map((draw) => draw[of]))
  return {
    predicted: mean('predicted'),
    own: mean('own'),
    calibrated: mean('calibrated'),
    blended: mean('blended'),
    inside: mean('inside'),
    verdicts: draws.flatMap(({ verdicts }) => verdicts),
  }
}

type ScoredCompound = Compound & { score: number }

function scoreDraw(own: ScoredCompound[], rest: ScoredCompound[]): Outcome {
  const plain = inference.updateByOwnValues(own, rest, settings)
  const other = inference.fitOtherScore(own, [...own, ...rest], settings)
  if (other === null) throw new Error('the column says nothing')
  const blended = other.blend(rest, plain)
  const errorOf = (predicted: number[]) =>
    Math.sqrt(meanOf(rest.map((one, at) => (one.measured - (predicted[at] ?? 0)) ** 2)))
  const isInside = (one: Compound, at: number) => {
    const { predicted = 0, halfWidth = 0 } = blended[at] ?? {}
    return Math.abs(one.measured - predicted) <= halfWidth
  }
  return {
    predicted: errorOf(rest.map((one) => one.predicted)),
    own: errorOf(plain.map(({ predicted }) => predicted)),
    calibrated: errorOf(calibrate(own, rest)),
    blended: errorOf(blended.map(({ predicted }) => predicted)),
    inside: meanOf(rest.map((one, at) => Number(isInside(one, at)))),
    verdicts: [other.verdict],
  }
}

/**
 * The column alone: a line through the own values with its slope shrunk towards 0 (half a pK per standard deviation),
 * errors of 0.6 and a free intercept.
 */
function calibrate(own: ScoredCompound[], rest: ScoredCompound[]): number[] {
  const scores = standardised([...own, ...rest].map(({ score }) => score))
  const known = own.map(({ measured }, at) => ({ measured, score: scores[at] ?? 0 }))
  const height = meanOf(known.map(({ measured }) => measured))
  const centre = meanOf(known.map(({ score }) => score))
  const held = 0.6 ** 2 / 0.5 ** 2
  const products = known.map(({ measured, score }) => (measured - height) * (score - centre))
  const squares = known.map(({ score }) => (score - centre) ** 2)
  const slope = sumOf(products) / (sumOf(squares) + held)
  return rest.map((_, at) => height + slope * ((scores[own.length + at] ?? 0) - centre))
}

function standardised(values: number[]): number[] {
  const mean = meanOf(values)
  const deviation = Math.sqrt(meanOf(values.map((value) => (value - mean) ** 2)))
  return values.map((value) => (value - mean) / Math.max(deviation, 1e-6))
}

function sumOf(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0)
}

/** Box-Muller transform. */
function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
}
