/** How poses and differences improve the ranking within a series, with weights fitted on other genes. */

export type PoseRow = {
  system: string
  gene: string
  name: string
  pk: number
  plain: number
  half: number
  heavyAtoms: number
  best: number
  mean: number
  python: number
  similarity: number
  difference: number
  keepsStereo: number
  cpuMs: number
  /** CPU time for the difference alone. */
  differenceMs: number
}

type Feature = 'best' | 'mean' | 'python' | 'similarity' | 'difference'
type Numbers = number[]

const FOLDS = 5
const SERIES_MIN = 7
const BOOTSTRAPS = 2000

/** Weights in pKd per unit, fitted on all rows, inside series: the features are centred on the compounds placed together. */
export function fitWeights(rows: PoseRow[]) {
  const [pose = 0, similarity = 0, difference = 0] = fit(rows, ['mean', 'similarity', 'difference'])
  return {
    pose: rounded(pose),
    similarity: rounded(similarity),
    difference: rounded(difference),
  }
}

function rounded(weight: number): number {
  return Math.round(weight * 1000) / 1000
}

type Gain = { mean: number; low: number; high: number }

/** A predictor's figures on series of other genes; `gain`: tau minus that of the plain prediction, 90% interval. */
export type PoseScore = {
  name: string
  tau: number
  tauBeyondSize: number
  rmse: number
  inside: number
  gain: Gain
  gainBeyondSize: Gain
}

export type PoseFigures = {
  compounds: number
  series: number
  genes: number
  plain: Omit<PoseScore, 'gain' | 'gainBeyondSize'>
  scores: PoseScore[]
}

const SETS: [name: string, features: Feature[]][] = [
  ['Python reference, pose', ['python']],
  ['best pose', ['best']],
  ['mean of the best poses', ['mean']],
  ['similarity to the reference', ['similarity']],
  ['differences', ['difference']],
  ['mean pose and similarity', ['mean', 'similarity']],
  ['mean pose and differences', ['mean', 'difference']],
  ['similarity and differences', ['similarity', 'difference']],
  ['mean pose, similarity and differences', ['mean', 'similarity', 'difference']],
  ['Python pose and similarity', ['python', 'similarity']],
]

export function scorePoses(all: PoseRow[], isCentred = true): PoseFigures {
  const rows = inLargeSeries(all)
  const series = [...Map.groupBy(rows.keys(), (i) => rows[i]?.system).values()]
  const describe = (name: string, numbers: Numbers) => ({
    name,
    tau: meanOf(tausOf(rows, numbers, series)),
    tauBeyondSize: meanOf(tausOf(rows, numbers, series, true)),
    rmse: rmse(rows, numbers),
    inside: meanOf(rows.map((row, i) => Number(Math.abs(row.pk - (numbers[i] ?? 0)) <= row.half))),
  })
  const plain = rows.map((row) => row.plain)
  const gainOf = (numbers: Numbers, beyondSize: boolean) => {
    const base = tausOf(rows, plain, series, beyondSize)
    const taus = tausOf(rows, numbers, series, beyondSize)
    return withInterval(taus.map((tau, i) => tau - (base[i] ?? 0)))
  }
  return {
    compounds: rows.length,
    series: series.length,
    genes: new Set(rows.map(({ gene }) => gene)).size,
    plain: describe('plain', plain),
    scores: SETS.map(([name, features]) => {
      const numbers = adjusted(rows, features, isCentred)
      const [gain, gainBeyondSize] = [gainOf(numbers, false), gainOf(numbers, true)]
      return { ...describe(name, numbers), gain, gainBeyondSize }
    }),
  }
}

function inLargeSeries(all: PoseRow[]): PoseRow[] {
  const sizes = Map.groupBy(all, ({ system }) => system)
  return all.filter(({ system }) => (sizes.get(system)?.length ?? 0) >= SERIES_MIN)
}

export function reportPoses(all: PoseRow[]): string {
  const rows = inLargeSeries(all)
  const [centred, constant] = [scorePoses(all), scorePoses(all, false)]
  const describe = ({ tau, tauBeyondSize, rmse: error, inside }: PoseFigures['plain']) =>
    `tau ${figure(tau)}, beyond size ${figure(tauBeyondSize)}, RMSE ${figure(error)}, inside ${(100 * inside).toFixed(1)}%`
  const line = (score: PoseScore, note: string) =>
    `${score.name}${note}: ${describe(score)}; gain ${inWords(score.gain)}, beyond size ${inWords(score.gainBeyondSize)}`
  const cpu = rows.map(({ cpuMs }) => cpuMs).toSorted((a, b) => a - b)
  const compared = meanOf(rows.map(({ differenceMs }) => differenceMs))
  return [
    `${centred.compounds} compounds, ${centred.series} series, ${centred.genes} genes`,
    `plain: ${describe(centred.plain)}`,
    ...centred.scores.map((score) => line(score, '')),
    ...constant.scores.map((score) => line(score, ', constant centre')),
    `CPU ms per compound: median ${(cpu[cpu.length >> 1] ?? 0).toFixed(1)}, mean ${meanOf(cpu).toFixed(1)}, 90th ${(cpu[Math.floor(cpu.length * 0.9)] ?? 0).toFixed(1)}, most ${(cpu.at(-1) ?? 0).toFixed(0)}; comparing takes ${compared.toFixed(1)} more`,
    `stereo kept: ${rows.filter(({ keepsStereo }) => keepsStereo === 1).length} of ${rows.length}`,
    `all-row weights: ${JSON.stringify(fitWeights(rows))}`,
  ].join('\n')
}

/** The figures stored in the model folder: the plain prediction, and what the product adds to it. */
export function shippedFigures(all: PoseRow[]): object {
  const { plain, scores, ...of } = scorePoses(all)
  const rounding = (_: string, value: unknown) =>
    typeof value === 'number' ? rounded(value) : value
  const shown = scores.filter(({ name }) => SHIPPED.includes(name))
  return JSON.parse(JSON.stringify({ ...of, plain, scores: shown }, rounding)) as object
}

/** Names in `SETS`. */
const SHIPPED = [
  'mean of the best poses',
  'similarity to the reference',
  'differences',
  'mean pose and similarity',
  'mean pose, similarity and differences',
]

/** Plain prediction plus weighted features; weights and the constant centre come from the other genes. */
function adjusted(rows: PoseRow[], features: Feature[], isCentred: boolean): Numbers {
  const folds = foldsByGene(rows)
  const numbers = rows.map(({ plain }) => plain)
  for (let fold = 0; fold < FOLDS; fold++) {
    const others = rows.filter(({ gene }) => folds.get(gene) !== fold)
    const weights = fit(others, features)
    const own = rows.filter(({ gene }) => folds.get(gene) === fold)
    const bySeries = Map.groupBy(own, ({ system }) => system)
    for (const [i, row] of rows.entries()) {
      if (folds.get(row.gene) !== fold) continue
      for (const [k, name] of features.entries()) {
        const centre = meanOf(
          (isCentred ? (bySeries.get(row.system) ?? []) : others).map((one) => one[name]),
        )
        numbers[i] = (numbers[i] ?? 0) + (weights[k] ?? 0) * (row[name] - centre)
      }
    }
  }
  return numbers
}

/** Least squares within series, on the error of the plain prediction. */
function fit(rows: PoseRow[], features: Feature[]): Numbers {
  const centred = [...Map.groupBy(rows, ({ system }) => system).values()].flatMap((of) => {
    const errors = minusMean(of.map(({ pk, plain }) => pk - plain))
    const columns = features.map((name) => minusMean(of.map((row) => row[name])))
    return of.map((_, i) => ({ error: errors[i] ?? 0, x: columns.map((column) => column[i] ?? 0) }))
  })
  const sum = (value: (row: (typeof centred)[number]) => number) =>
    centred.reduce((total, row) => total + value(row), 0)
  const cross = (a: number, b: number) => sum(({ x }) => (x[a] ?? 0) * (x[b] ?? 0))
  const along = (a: number) => sum(({ x, error }) => (x[a] ?? 0) * error)
  return solve(features.map((_, a) => [...features.map((__, b) => cross(a, b)), along(a)]))
}

/** Gauss-Jordan elimination; each equation ends with its right side, and the left sides are positive definite. */
function solve(equations: Numbers[]): Numbers {
  return equations
    .reduce((left, _, at) => {
      const pivot = left[at]?.map((value) => value / (left[at]?.[at] ?? 1)) ?? []
      return left.map((row, other) =>
        other === at ? pivot : row.map((value, i) => value - (row[at] ?? 0) * (pivot[i] ?? 0)),
      )
    }, equations)
    .map((row) => row.at(-1) ?? 0)
}

/** Largest genes first, each into the smallest fold. */
function foldsByGene(rows: PoseRow[]): Map<string, number> {
  const counts = [...Map.groupBy(rows, ({ gene }) => gene)].toSorted(
    (one, other) => other[1].length - one[1].length,
  )
  const sizes = Array.from({ length: FOLDS }, () => 0)
  return new Map(
    counts.map(([gene, of]) => {
      const fold = sizes.indexOf(Math.min(...sizes))
      sizes[fold] = (sizes[fold] ?? 0) + of.length
      return [gene, fold]
    }),
  )
}

function tausOf(rows: PoseRow[], numbers: Numbers, series: Numbers[], beyondSize = false): Numbers {
  return series.map((of) => {
    const measured = of.map((i) => rows[i]?.pk ?? 0)
    const predicted = of.map((i) => numbers[i] ?? 0)
    if (!beyondSize) return kendall(measured, predicted)
    const size = of.map((i) => rows[i]?.heavyAtoms ?? 0)
    return kendall(residuals(measured, size), residuals(predicted, size))
  })
}

/** Kendall's tau-b; 0 if one side is constant. */
function kendall(one: Numbers, other: Numbers): number {
  let [balance, ties, otherTies, pairs] = [0, 0, 0, 0]
  for (let i = 0; i < one.length; i++) {
    for (let j = 0; j < i; j++) {
      const a = Math.sign((one[i] ?? 0) - (one[j] ?? 0))
      const b = Math.sign((other[i] ?? 0) - (other[j] ?? 0))
      balance += a * b
      pairs += 1
      ties += Number(a === 0)
      otherTies += Number(b === 0)
    }
  }
  const scale = Math.sqrt((pairs - ties) * (pairs - otherTies))
  return scale === 0 ? 0 : balance / scale
}

/** Residuals of a straight line on size. */
function residuals(values: Numbers, sizes: Numbers): Numbers {
  const [y, x] = [minusMean(values), minusMean(sizes)]
  const spread = x.reduce((sum, v) => sum + v * v, 0)
  const slope = spread === 0 ? 0 : x.reduce((sum, v, i) => sum + v * (y[i] ?? 0), 0) / spread
  return y.map((v, i) => v - slope * (x[i] ?? 0))
}

/** Mean and 90% bootstrap interval over series. */
function withInterval(gains: Numbers): Gain {
  let state = 7
  const random = () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
  const means = Array.from({ length: BOOTSTRAPS }, () =>
    meanOf(gains.map(() => gains[Math.floor(random() * gains.length)] ?? 0)),
  ).toSorted((a, b) => a - b)
  const [low = 0, high = 0] = [0.05, 0.95].map(
    (share) => means[Math.floor(share * BOOTSTRAPS)] ?? 0,
  )
  return { mean: meanOf(gains), low, high }
}

function inWords({ mean, low, high }: Gain): string {
  return `${figure(mean)} (${figure(low)} to ${figure(high)})`
}

function rmse(rows: PoseRow[], numbers: Numbers): number {
  return Math.sqrt(meanOf(rows.map(({ pk }, i) => (pk - (numbers[i] ?? 0)) ** 2)))
}

function minusMean(values: Numbers): Numbers {
  const mean = meanOf(values)
  return values.map((value) => value - mean)
}

function meanOf(values: Numbers): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

function figure(value: number): string {
  return value.toFixed(3)
}
