/** Error of the model on published series that were new to it, by the number of values measured on the protein. */
import type { AlikeEvidence } from '@pkdex/contract'
import type { ModelCard } from './model-card.ts'

type Accuracy = NonNullable<AlikeEvidence['accuracy']>

/** As training/affinity_model/outside.py names it. */
const BY_VALUES = 'values measured on the target'

/** Error for the range that contains this number of values; null if the card has too few compounds for it. */
export function accuracyFor({ series }: ModelCard, values: number): Accuracy | null {
  const rows = series?.strata.find(({ by }) => by === BY_VALUES)?.rows ?? []
  const found = rows
    .map(({ range, compounds, rmse }) => ({ ...limitsOf(range), compounds, rmse }))
    .find(({ from, below }) => values >= from && (below === null || values < below))
  return found ?? null
}

/** `below 1`, `300 to 1000` or `1000 and more`. */
function limitsOf(range: string): Pick<Accuracy, 'from' | 'below'> {
  const [first = 0, second = null] = (range.match(/\d+/g) ?? []).map(Number)
  return range.startsWith('below') ? { from: 0, below: first } : { from: first, below: second }
}
