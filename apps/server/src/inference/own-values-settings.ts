/** Settings of the adjustment by own values: fitted by `affinity_model.own_values`, a part of the model folder. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { kernelDescriptorNames } from '@pkdex/biochem'
import { z } from 'zod'

const OwnValuesSettings = z.object({
  /**
   * Shares of the variance of an error, which sum to 1, from the variances of the model: an offset of the user's assay,
   * what compounds with similar fingerprints share (similarity to this power, as in `near.ts`), the rest, which those
   * with similar descriptors share, and noise.
   */
  shares: z.object({
    assay: z.number(),
    near: z.number(),
    rest: z.number(),
    noise: z.number(),
    power: z.number(),
  }),
  /** Standardisation of each descriptor, in the order of `kernelDescriptorNames`. */
  descriptors: z
    .array(z.object({ name: z.string(), mean: z.number(), deviation: z.number().positive() }))
    .refine((some) => some.map(({ name }) => name).join() === kernelDescriptorNames.join(), {
      message: 'own-values.json was fitted on other descriptors',
    }),
  /** Factor of the interval; weight of the model's interval, in own values, when their scatter sets the width. */
  width: z.object({ factor: z.number(), priorCount: z.number() }),
})
export type OwnValuesSettings = z.infer<typeof OwnValuesSettings>

export function readOwnValuesSettings(directory: string): OwnValuesSettings {
  return OwnValuesSettings.parse(
    JSON.parse(readFileSync(join(directory, 'own-values.json'), 'utf8')),
  )
}
