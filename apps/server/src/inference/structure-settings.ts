/** Weights of poses in a prediction: fitted by `npm run score-poses`, a part of the model folder. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

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
})
export type StructureWeights = z.infer<typeof StructureSettings>['weights']

export function readStructureWeights(directory: string): StructureWeights {
  return StructureSettings.parse(
    JSON.parse(readFileSync(join(directory, 'structure.json'), 'utf8')),
  ).weights
}
