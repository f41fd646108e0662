/** The page written by `npm run score-column`: errors with and without a column, and the verdicts. */
import { describeDifferences, meanOf, percent, RESAMPLES, signed } from './statistics.ts'

/** One series, means over draws. RMSE in pK of the compounds without own values. */
export type Outcome = {
  /** The model's predictions, without and with own values. */
  predicted: number
  own: number
  /** The column as a line through the own values. */
  calibrated: number
  blended: number
  /** Share of values inside the interval of the blended prediction. */
  inside: number
  verdicts: string[]
}
export type Score = { name: string; count: number; series: Outcome[] }

export function writeScoreReport(
  scores: Score[],
  { draws, model }: { draws: number; model: string },
): string {
  const counts = [...new Set(scores.map(({ count }) => count))]
  return `# Another tool's score: measured on published series

Written by \`npm run score-column -- --out docs/other-score.md\`. Each published series gets a column of another tool's scores and a few of its own values, drawn at random ${draws} times; \`POST /series/score\` (\`inference/other-score.ts\`) then predicts the rest. *FEP* is the published pK by free-energy perturbation; the other columns are made.

Predictions are those of model ${model} with level and intervals fitted on series of other genes. RMSE in pK, means over series; differences with 90% intervals from ${RESAMPLES.toLocaleString('en')} resamples of the series. *Column alone* is a line through the own values. The prior of the slope (0.25 ± 0.35 pK per standard deviation) was chosen on these series.

${counts
  .map((count) =>
    describeCount(
      count,
      scores.filter((score) => score.count === count),
    ),
  )
  .join('\n\n')}

## Verdicts

Does the column carry information beyond molecular size and the prediction? Share of draws. A *yes* for noise is a false alarm.

| Own values | Column | yes | no | cannot tell yet |
|---|---|---|---|---|
${scores.map(describeVerdicts).join('\n')}

With five values a *yes* is evidence, its absence is none. The blend does not wait for a verdict.
${describeAims(scores)}`
}

function describeCount(count: number, scores: Score[]): string {
  const lines = scores.map(({ name, series }) => {
    const errors = (['predicted', 'own', 'calibrated', 'blended'] as const).map((of) =>
      meanOf(series.map((one) => one[of])).toFixed(3),
    )
    const better = meanOf(series.map((one) => Number(one.blended < one.predicted)))
    const inside = meanOf(series.map((one) => one.inside))
    const differences = describeDifferences(series.map((one) => one.blended - one.own))
    const columns = [...errors, differences, percent(better), percent(inside, 1)]
    return `| ${[name, ...columns].join(' | ')} |`
  })
  return `## ${count} own values (${scores[0]?.series.length ?? 0} series)

| Column | Prediction | Own values | Column alone | Blended | Blended less own values | Series better than the prediction | Inside 95% |
|---|---|---|---|---|---|---|---|
${lines.join('\n')}`
}

function describeVerdicts({ name, count, series }: Score): string {
  const verdicts = series.flatMap((one) => one.verdicts)
  const share = (verdict: string) => percent(meanOf(verdicts.map((one) => Number(one === verdict))))
  return `| ${[count, name, share('yes'), share('no'), share('cannot tell yet')].join(' | ')} |`
}

const AIMS = { count: 5, rmse: 0.66, better: 0.9, noise: 0.02 }

function describeAims(scores: Score[]): string {
  const of = (name: string) =>
    scores.find((score) => score.name === name && score.count === AIMS.count)?.series ?? []
  const [fep, noise] = [of('FEP'), of('noise')]
  const rmse = meanOf(fep.map((one) => one.blended))
  const better = meanOf(fep.map((one) => Number(one.blended < one.predicted)))
  const cost = meanOf(noise.map((one) => one.blended - one.own))
  const word = (isMet: boolean) => (isMet ? 'met' : 'missed')
  return `
## Aims, with ${AIMS.count} own values

- RMSE with FEP at most ${AIMS.rmse}: ${rmse.toFixed(3)}, ${word(rmse <= AIMS.rmse)}.
- Better than the prediction in ${percent(AIMS.better)} of series: ${percent(better)}, ${word(better >= AIMS.better)}.
- Noise costs at most ${AIMS.noise}: ${signed(cost)}, ${word(cost <= AIMS.noise)}.
`
}
