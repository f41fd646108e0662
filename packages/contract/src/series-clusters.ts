/** Clusters of a set of compounds, a diverse choice of them, and its activity cliffs. */
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { SERIES_COMPOUNDS_MAX, SeriesSmiles } from './series.ts'

/** Maximum cliffs per response, largest differences first. */
export const CLIFFS_MAX = 100
const PICKED_MAX = 200

const Place = z.number().int().min(0)
const Similarity = z.number().min(0.2).max(1)

export const SeriesClusters = z.object({
  /** Largest first. Compounds by index in the request. */
  clusters: z.array(
    z.object({
      centre: Place.describe('Similar to every member.'),
      members: z.array(Place),
      best: Place.nullable().describe('The member with the highest `pk`; null if none has one.'),
    }),
  ),
  picked: z
    .array(Place)
    .describe(
      'A diverse choice: the centre of the largest cluster, then always the compound least similar to those before.',
    ),
  /** Similar compounds with different values. */
  cliffs: z.array(
    z.object({
      weaker: Place,
      stronger: Place,
      similarity: z.number(),
      change: z.number(),
      stereoisomers: z.boolean().describe('Whether they differ in configuration only.'),
    }),
  ),
  cliffs_total: z
    .number()
    .int()
    .describe('Number of cliffs found, including those beyond the first 100.'),
  left_out: z.array(Place).describe('Indices of compounds that cannot be read.'),
})
export type SeriesClusters = z.infer<typeof SeriesClusters>

export const findSeriesClusters = endpoint({
  method: 'POST',
  path: '/series/clusters',
  isComputed: true,
  auth: 'user',
  summary:
    'Clusters of compounds by similarity (Butina), a diverse choice of them (MaxMin), and activity cliffs. Costs nothing.',
  errors: ['too_many_requests', 'file_unreadable'],
  body: z.object({
    /** `pk`: a measured value, for the best of a cluster and for cliffs. */
    compounds: z
      .array(z.object({ smiles: SeriesSmiles, pk: z.number().min(-5).max(20).optional() }))
      .min(1)
      .max(SERIES_COMPOUNDS_MAX),
    similarity: Similarity.default(0.6).describe(
      'Members are at least this similar to the centre of their cluster (Tanimoto, Morgan fingerprints of radius 2).',
    ),
    pick: z
      .number()
      .int()
      .min(0)
      .max(PICKED_MAX)
      .default(10)
      .describe('Compounds of the diverse choice.'),
    cliff_similarity: Similarity.default(0.6).describe(
      'Two compounds are a cliff if they are at least this similar, and their pK differ by at least this.',
    ),
    cliff_change: z.number().min(0.1).max(10).default(1),
  }),
  bodyBytesMax: 8 * 1024 * 1024,
  answer: SeriesClusters,
})
