/** Weights of poses in a prediction, and what they add: fitted by `npm run score-poses`, a part of the model folder. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AlikeEvidence } from '@pkdex/contract'
import { z } from 'zod'

const Score = z.object({ tau: z.number(), tauBeyondSize: z.number() })

const StructureSettings = z.object({
  /** The model whose predictions the weights were fitted on. */
  model_version: z.string(),
  weights: z.object({
    /** pKd per kcal/mol by which the mean of the best poses beats the reference ligand. */
    pose: z.number(),
    /** pKd per unit of similarity to the reference ligand. */
    similarity: z.number(),
  }),
  /** Both features are relative to their mean over the compounds placed together. */
  centring: z.literal('compounds placed together'),
  /** Of published series; a folder from before they were kept has none. */
  figures: z
    .object({
      series: z.number().int(),
      plain: Score,
      scores: z.array(Score.extend({ name: z.string() })),
    })
    .optional(),
})
export type StructureWeights = z.infer<typeof StructureSettings>['weights']

export function readStructureWeights(directory: string): StructureWeights {
  return readSettings(directory).weights
}

/** The features of the weights, as bench/pose-report.ts names them. */
const SHIPPED = 'mean pose and similarity'

export function readRanking(directory: string): AlikeEvidence['ranking'] {
  const { figures } = readSettings(directory)
  const adjusted = figures?.scores.find(({ name }) => name === SHIPPED)
  if (figures === undefined || adjusted === undefined) return null
  const rankingOf = ({ tau, tauBeyondSize }: z.infer<typeof Score>) => ({
    tau,
    beyond_size: tauBeyondSize,
  })
  return {
    series: figures.series,
    plain: rankingOf(figures.plain),
    structure_adjusted: rankingOf(adjusted),
  }
}

function readSettings(directory: string): z.infer<typeof StructureSettings> {
  return StructureSettings.parse(
    JSON.parse(readFileSync(join(directory, 'structure.json'), 'utf8')),
  )
}
