/** Settings of the adjustment by own values: fitted by `affinity_model.own_values`, a part of the model folder. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { kernelDescriptorNames } from '@pkdex/biochem'
import { z } from 'zod'

const OwnValuesSettings = z.object({
  /**
   * Shares of the error variance: a shift of all compounds, a part shared by compounds with similar fingerprints, a
   * part shared by those with similar descriptors, and noise. They sum to 1.
   */
  shares: z.object({
    shift: z.number(),
    alike: z.number(),
    shape: z.number(),
    chance: z.number(),
  }),
  /** Standardisation of each descriptor, in the order of `kernelDescriptorNames`. */
  descriptors: z
    .array(z.object({ name: z.string(), mean: z.number(), deviation: z.number().positive() }))
    .refine((some) => some.map(({ name }) => name).join() === kernelDescriptorNames.join(), {
      message: 'own-values.json was fitted on other descriptors',
    }),
  widths: z.object({
    /** Weight of the model's interval, in own values, when the own values' scatter sets the width. */
    prior: z.number(),
    /** Upper limits of all bins but the last: number of own values, similarity to the closest. */
    countEdges: z.array(z.number()),
    similarityEdges: z.array(z.number()),
    /** Factor of the width, by bin of count, then of similarity. */
    reach: z.array(z.array(z.number())),
  }),
})
export type OwnValuesSettings = z.infer<typeof OwnValuesSettings>

export function readOwnValuesSettings(directory: string): OwnValuesSettings {
  return OwnValuesSettings.parse(
    JSON.parse(readFileSync(join(directory, 'own-values.json'), 'utf8')),
  )
}
