/**
 * The parts of the model card that the product needs. Refuses a model trained on other features, and one with a damaged
 * or missing file, naming the file.
 */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { featureSpecHash } from '@pkdex/biochem'
import { z } from 'zod'

const ModelCard = z.object({
  version: z.string(),
  featureSpecHash: z.string(),
  /** SHA-256 of every file next to the card. */
  files: z.record(z.string(), z.string()),
  /** Predictions are clipped to this range: no measured pKd is outside. */
  range: z.object({ lower: z.number(), upper: z.number() }),
  domain: z.object({
    compoundSimilarityMin: z.number(),
    targetSimilarityMin: z.number(),
    /** Below this similarity to any training target, a prediction rests mainly on the compound. */
    ligandDrivenBelow: z.number(),
    /** Above this similarity, values measured on the closest training target influence the prediction. */
    sameTargetAbove: z.number(),
  }),
  /** Scores on published series; a model without them says nothing about its accuracy. */
  series: z
    .object({
      strata: z.array(
        z.object({
          by: z.string(),
          rows: z.array(
            z.object({
              range: z.string(),
              compounds: z.number().int(),
              rmse: z.number(),
              tau: z.number().optional(),
            }),
          ),
        }),
      ),
    })
    .optional(),
})
export type ModelCard = z.infer<typeof ModelCard>

export async function readModelCard(directory: string): Promise<ModelCard> {
  const text = await readModelFile(directory, 'model-card.json')
  const card = ModelCard.parse(JSON.parse(text.toString('utf8')))
  if (card.featureSpecHash !== featureSpecHash) {
    throw new Error(
      `model ${card.version} was trained on features ${card.featureSpecHash}, but this program computes ${featureSpecHash}`,
    )
  }
  for (const [name, expected] of Object.entries(card.files)) {
    if (hashOf(await readModelFile(directory, name)) !== expected) {
      throw new Error(`model ${card.version}: ${name} does not match the hash in its model card`)
    }
  }
  return card
}

export type ModelIdentity = {
  version: string
  /** The card contains the hashes of all other files, so its hash identifies the whole model. */
  cardSha256: string
}

export async function readModelIdentity(directory: string): Promise<ModelIdentity> {
  const { version } = await readModelCard(directory)
  return { version, cardSha256: hashOf(await readModelFile(directory, 'model-card.json')) }
}

async function readModelFile(directory: string, name: string): Promise<Buffer> {
  try {
    return await readFile(join(directory, name))
  } catch (cause) {
    throw new Error(`the model folder ${directory} has no readable ${name}`, { cause })
  }
}

function hashOf(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex')
}
