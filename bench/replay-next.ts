/**
 * npm run replay-next -- [--rows <file>] [--model <folder>] [--out docs/make-next.md]: buys the compounds of published
 * series again, three at a time after three known values, in the product's own ranking, and counts the purchases
 * until the best tenth of each series is found. The rows come from `npm run retrain`: predictions with level
 * and intervals fitted on series of other genes.
 */
// oxlint-disable-next-line no-restricted-imports -- the replay buys what the product's own code ranks first
import * as inference from '../apps/server/src/inference/service.ts'
// oxlint-disable-next-line no-restricted-imports -- the same
import { rankUntested } from '../apps/server/src/series/rank-untested.ts'
import { type Replay, type Run, type Chance, writeReport } from './replay-report.ts'
import { type Compound, openReplay } from './series-rows.ts'
import { meanOf, openRandom, shuffle } from './statistics.ts'

const COMPOUNDS_MIN = 15
/** Values at the start, and compounds per purchase. */
const AT_ONCE = 3
/** Random starts per series; the three weakest compounds are one more start. */
const STARTS = 10

/** Orders the untested compounds, next purchase first. */
type Rule = (known: Compound[], rest: Compound[], random: () => number) => Compound[]

const rules: Record<string, Rule> = {
  'own values': (known, rest) => buyNext(known, rest).map(({ compound }) => compound),
  static: (_, rest) => rest.toSorted((one, other) => other.predicted - one.predicted),
  'largest first': (_, rest) =>
    rest.toSorted((a, b) => b.heavyAtoms - a.heavyAtoms || b.predicted - a.predicted),
  random: (_, rest, random) => shuffle(rest, random),
}

const { series, settings, model, write } = await openReplay(COMPOUNDS_MIN)
const chances: Chance[] = []
const replays = (['random', 'weakest'] as const).flatMap((start) =>
  Object.keys(rules).map((rule): Replay => ({
    start,
    rule,
    series: series.map((one, at) => replaySeries(one, at, { start, rule })),
  })),
)
write(
  writeReport({
    replays,
    chances,
    series: series.length,
    compounds: series.reduce((sum, one) => sum + one.length, 0),
    starts: STARTS,
    model,
  }),
)

function buyNext(known: Compound[], rest: Compound[]) {
  const goal = Math.max(...known.map(({ measured }) => measured))
  const ranked = rankUntested(rest, inference.fitOwnValues(known, settings), goal)
  return ranked.flatMap(({ place, chance }) => {
    const compound = rest[place]
    return compound === undefined ? [] : [{ compound, chance, goal }]
  })
}

/** The mean over starts. */
function replaySeries(
  all: Compound[],
  at: number,
  { start, rule }: Pick<Replay, 'start' | 'rule'>,
): Run {
  const isRepeated = start === 'random' || rule === 'random'
  const runs = Array.from({ length: isRepeated ? STARTS : 1 }, (_, draw) => {
    const random = openRandom(at * 1000 + draw)
    const order =
      start === 'random' ? shuffle(all, random) : all.toSorted((a, b) => a.measured - b.measured)
    const [known, rest] = [order.slice(0, AT_ONCE), order.slice(AT_ONCE)]
    const bought = buyAll(known, rest, (now, left) => {
      if (start === 'random' && rule === 'own values') noteChances(now, left)
      return rules[rule]?.(now, left, random) ?? []
    })
    return countPurchases(all, known, bought)
  })
  const mean = (of: keyof Run) => {
    const found = runs.flatMap((run) => run[of] ?? [])
    return found.length === 0 ? null : meanOf(found)
  }
  return { first: mean('first'), all: mean('all'), best: mean('best') }
}

function buyAll(
  start: Compound[],
  others: Compound[],
  rank: (known: Compound[], rest: Compound[]) => Compound[],
): Compound[] {
  const bought: Compound[] = []
  let rest = others
  while (rest.length > 0) {
    const next = rank([...start, ...bought], rest).slice(0, AT_ONCE)
    if (next.length === 0) throw new Error('the order is empty')
    bought.push(...next)
    rest = rest.filter((one) => !next.includes(one))
  }
  return bought
}

function noteChances(known: Compound[], rest: Compound[]): void {
  for (const { compound, chance, goal } of buyNext(known, rest).slice(0, AT_ONCE)) {
    chances.push({ chance, isKept: compound.measured > goal })
  }
}

/** Compounds known from the start are not bought. */
function countPurchases(all: Compound[], known: Compound[], bought: Compound[]): Run {
  const strongest = all.toSorted((a, b) => b.measured - a.measured)
  const tenth = strongest.slice(0, Math.max(1, Math.round(all.length / 10)))
  const placesOf = (some: Compound[]) =>
    some.filter((one) => !known.includes(one)).map((one) => bought.indexOf(one) + 1)
  const [places, placesOfBest] = [placesOf(tenth), placesOf(strongest.slice(0, 1))]
  const share = (some: number[], pick: (...values: number[]) => number) =>
    some.length === 0 ? null : pick(...some) / bought.length
  return {
    first: share(places, Math.min),
    all: share(places, Math.max),
    best: share(placesOfBest, Math.max),
  }
}
