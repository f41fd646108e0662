/** Weights of what a structure adds to a prediction: fitted by `npm run score-poses`, a part of the model folder. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AlikeEvidence } from '@pkdex/contract'
import { z } from 'zod'
import { DIFFERENCES_FILE } from './differences.ts'

const Score = z.object({ tau: z.number(), tauBeyondSize: z.number() })

const StructureSettings = z.object({
  /** The model whose predictions the weights were fitted on. */
  model_version: z.string(),
  weights: z.object({
    /** pKd per kcal/mol by which the mean of the best poses beats the reference ligand. */
    pose: z.number(),
    /** pKd per unit of similarity to the reference ligand. */
    similarity: z.number(),
    /** pKd per pK of mean difference from the anchors; not in folders from before it was used. */
    difference: z.number().optional(),
  }),
  /** All features are relative to their mean over the compounds placed together. */
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
  const { weights } = readSettings(directory)
  if (weights.difference !== undefined && !existsSync(join(directory, DIFFERENCES_FILE))) {
    throw new Error(`${directory} has no ${DIFFERENCES_FILE}. Restore the model folder as shipped.`)
  }
  return weights
}

/** As bench/pose-report.ts names the features of the weights. */
const SHIPPED = 'mean pose, similarity and differences'
const WITHOUT_DIFFERENCES = 'mean pose and similarity'

export function readRanking(directory: string): AlikeEvidence['ranking'] {
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

function readSettings(directory: string): z.infer<typeof StructureSettings> {
  return StructureSettings.parse(
    JSON.parse(readFileSync(join(directory, 'structure.json'), 'utf8')),
  )
}
