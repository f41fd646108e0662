/**
 * Error of the model on published series that were new to it, by the protein's family and the number of values measured
 * on the protein; by the number alone if the family has too few series.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SimilarEvidence } from '@pkdex/contract'
import { z } from 'zod'
import type { ModelCard } from './model-card.ts'
import type { Relative } from './relatives.ts'

type Accuracy = NonNullable<SimilarEvidence['accuracy']>
export type AccuracyOf = (relatives: Relative[], values: number) => Accuracy | null

/** Must match the name in training/affinity_model/figures.py. */
const BY_VALUES = 'values measured on the target'
/** Must match the name in training/affinity_model/families.py; includes proteins unrelated to any training target. */
const OTHER = 'other proteins'

/** Measured on a finished model, so it is not among the hashed files. */
const Families = z.object({
  /** Indices of the training targets of each family; unnamed targets are in none. */
  families: z.record(z.string(), z.array(z.number().int())),
  rows: z.array(
    z.object({
      family: z.string(),
      from: z.number().int(),
      below: z.number().int().nullable(),
      proteins: z.number().int(),
      compounds: z.number().int(),
      rmse: z.number(),
      interval: z.tuple([z.number(), z.number()]),
      tau: z.number().nullable(),
    }),
  ),
})

/** `relatives`: those of the protein, closest first. In a folder without families only the number of values counts. */
export function openAccuracy(directory: string, card: ModelCard): AccuracyOf {
  const path = join(directory, 'accuracy.json')
  const { families, rows } = existsSync(path)
    ? Families.parse(JSON.parse(readFileSync(path, 'utf8')))
    : { families: {}, rows: [] }
  const familyOf = new Map(
    Object.entries(families).flatMap(([name, places]) =>
      places.map((place) => [place, name] as const),
    ),
  )

  return (relatives, values) => {
    const related = relatives.filter(({ identityPercent }) => identityPercent !== null)
    const [named = null] = related
      .flatMap(({ places }) => places)
      .flatMap((place) => familyOf.get(place) ?? [])
    const family = related.length === 0 ? OTHER : named
    const found = rows.find((row) => row.family === family && isWithin(row, values))
    if (found === undefined) return accuracyFor(card, values)
    const { family: name, proteins, interval, ...of } = found
    const [lower, upper] = interval
    return { ...of, family: { name, proteins }, interval: { lower, upper } }
  }
}

/** Error for the range that contains this number of values; null if the card has too few compounds for it. */
export function accuracyFor({ series }: ModelCard, values: number): Accuracy | null {
  const rows = series?.strata.find(({ by }) => by === BY_VALUES)?.rows ?? []
  const found = rows
    .map(({ range, compounds, rmse, tau = null }) => ({ ...limitsOf(range), compounds, rmse, tau }))
    .find((row) => isWithin(row, values))
  return found === undefined ? null : { ...found, family: null, interval: null }
}

type Limits = Pick<Accuracy, 'from' | 'below'>

function isWithin({ from, below }: Limits, values: number): boolean {
  return values >= from && (below === null || values < below)
}

/** `below 1`, `300 to 1000` or `1000 and more`. */
function limitsOf(range: string): Limits {
  const [first = 0, second = null] = (range.match(/\d+/g) ?? []).map(Number)
  return range.startsWith('below') ? { from: 0, below: first } : { from: first, below: second }
}
