/** The figures of the model card on published series, as a user compares them. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ModelFigures } from '@pkdex/contract'
import { z } from 'zod'

const Figures = z.object({ rmse: z.number(), tau: z.number() })

const Card = z.object({
  version: z.string(),
  series: z
    .object({
      series: z.number().int(),
      compounds: z.number().int(),
      predictors: z.record(z.string(), Figures),
    })
    .optional(),
})

/** The names of the card, in the order shown, and what people call them. */
const shown = {
  'the model': 'pKdex',
  'free-energy perturbation': 'Free-energy perturbation (FEP)',
  'line on heavy atoms': 'Molecular size alone',
  'mean of these compounds': 'The average of all compounds',
}

export async function readFigures(modelDirectory: string): Promise<ModelFigures> {
  const text = await readFile(join(modelDirectory, 'model-card.json'), 'utf8')
  const { version, series } = Card.parse(JSON.parse(text))
  if (series === undefined) return { model_version: version, series: null }
  const predictors = Object.entries(shown).flatMap(([inCard, name]) => {
    const found = series.predictors[inCard]
    return found === undefined ? [] : [{ name, rmse: found.rmse, tau: found.tau }]
  })
  return { model_version: version, series: { ...series, predictors } }
}
