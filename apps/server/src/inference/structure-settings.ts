/** Weights of the structure features in a prediction: fitted by `npm run score-poses`, stored in the model folder. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SimilarEvidence } from '@pkdex/contract'
import { z } from 'zod'
import { DIFFERENCES_FILE } from './differences.ts'

const Score = z.object({ tau: z.number(), tauBeyondSize: z.number() })

const StructureSettings = z.object({
  /** The model whose predictions the weights were fitted on. */
  model_version: z.string(),
  weights: z.object({
    /** pKd per kcal/mol by which the mean of the best poses is better than the reference ligand. */
    pose: z.number(),
    /** pKd per unit of similarity to the reference ligand. */
    similarity: z.number(),
    /** pKd per pK of mean difference from the anchors; missing in older folders. */
    difference: z.number().optional(),
  }),
  /** All features are relative to their mean over the compounds placed together. */
  centring: z.literal('compounds placed together'),
  /** Results on published series; missing in older folders. */
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
  const { weights } = readSettings(directory)
  if (weights.difference !== undefined && !existsSync(join(directory, DIFFERENCES_FILE))) {
    throw new Error(`${directory} has no ${DIFFERENCES_FILE}. Restore the model folder as shipped.`)
  }
  return weights
}

/** Must match the names in bench/pose-report.ts. */
const SHIPPED = 'mean pose, similarity and differences'
const WITHOUT_DIFFERENCES = 'mean pose and similarity'

export function readRanking(directory: string): SimilarEvidence['ranking'] {
  const { figures, weights } = readSettings(directory)
  const shipped = weights.difference === undefined ? WITHOUT_DIFFERENCES : SHIPPED
  const adjusted = figures?.scores.find(({ name }) => name === shipped)
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

/** Whether the shipped weights ordered published series better than predictions without poses. */
export function arePosesHelpful(directory: string): boolean {
  const ranking = readRanking(directory)
  return ranking !== null && ranking.structure_adjusted.tau > ranking.plain.tau
}

function readSettings(directory: string): z.infer<typeof StructureSettings> {
  return StructureSettings.parse(
    JSON.parse(readFileSync(join(directory, 'structure.json'), 'utf8')),
  )
}
