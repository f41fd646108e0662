/**
 * What the product must know of the model on disk. Refuses a model that was trained on other
 * features, and one with a file damaged or missing, naming it.
 */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { featureSpecHash } from '@pkdex/biochem'
import { z } from 'zod'

const ModelCard = z.object({
  version: z.string(),
  featureSpecHash: z.string(),
  /** SHA-256 of every file beside the card. */
  files: z.record(z.string(), z.string()),
  /** Predictions outside are cut to it: no measured pKd lies there. */
  range: z.object({ lower: z.number(), upper: z.number() }),
  calibration: z.object({
    level: z.number(),
    /** Upper ends of all bins of similarity but the last. */
    compoundEdges: z.array(z.number()),
    targetEdges: z.array(z.number()),
    /** Half of the interval in pKd, by bin of target, then of compound. */
    halfWidths: z.array(z.array(z.number())),
  }),
  domain: z.object({
    compoundSimilarityMin: z.number(),
    targetSimilarityMin: z.number(),
    /** Below this similarity to any training target, numbers that see the protein carry less than half of the weight. */
    ligandDrivenBelow: z.number(),
    /** Above this similarity what was measured on the nearest training target moves the number. */
    sameTargetAbove: z.number(),
  }),
})
export type ModelCard = z.infer<typeof ModelCard>

export async function readModelCard(directory: string): Promise<ModelCard> {
  const text = await readModelFile(directory, 'model-card.json')
  const card = ModelCard.parse(JSON.parse(text.toString('utf8')))
  if (card.featureSpecHash !== featureSpecHash) {
    throw new Error(
      `model ${card.version} was trained on features ${card.featureSpecHash}, this program computes ${featureSpecHash}`,
    )
  }
  for (const [name, expected] of Object.entries(card.files)) {
    if (hashOf(await readModelFile(directory, name)) !== expected) {
      throw new Error(`model ${card.version}: ${name} is not the file that its card names`)
    }
  }
  return card
}

export type ModelIdentity = {
  version: string
  /** The card holds the hashes of all other files, so this one stands for the whole model. */
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
