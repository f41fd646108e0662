/** How well the model predicts series that were new to it: its figures, and sentences about them. */
import {
  type SimilarEvidence,
  type ModelFigures,
  readModelFigures,
  readTargetEvidence,
} from '@pkdex/contract'
import { queryOptions } from '@tanstack/react-query'
import { call } from './api.ts'
import { formatNumber, largeCountOf } from './format.ts'

export function figuresQuery() {
  return queryOptions({
    queryKey: ['evidence', 'model'],
    queryFn: ({ signal }) => call(readModelFigures, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
}

export function targetEvidenceQuery(target: string) {
  return queryOptions({
    queryKey: ['evidence', 'target', target],
    queryFn: ({ signal }) => call(readTargetEvidence, { query: { target }, signal }),
    retry: false,
  })
}

type Accuracy = NonNullable<SimilarEvidence['accuracy']>

export function describeAccuracy(accuracy: Accuracy): string {
  const { family, rmse, interval, compounds, tau } = accuracy
  const proteins = family === null ? 'proteins' : `${family.proteins} ${family.name}`
  const range =
    interval === null ? '' : `${interval.lower.toFixed(2)} to ${interval.upper.toFixed(2)}; `
  const order = tau === null ? '' : `, tau ${formatNumber(tau, 2)} inside a series`
  return `Error on new series for ${proteins} with ${rangeOf(accuracy)}: RMSE ${rmse.toFixed(2)} (${range}${largeCountOf(compounds, 'compound')})${order}.`
}

function rangeOf({ from, below }: Accuracy): string {
  if (below === 1) return 'no measured values'
  if (below === null) return `${largeCountOf(from, 'measured value')} or more`
  return `${from.toLocaleString('en')} to ${largeCountOf(below - 1, 'measured value')}`
}

/** Null if the model has no such figures. */
export function describeOrder({ series }: ModelFigures): string | null {
  const [own, physical] = series?.predictors ?? []
  if (!series || own === undefined) return null
  const fep = physical?.name.includes('FEP') ? ` (FEP ${formatNumber(physical.tau, 2)})` : ''
  return `On ${series.series.toLocaleString('en')} series new to it, this model ordered compounds with tau ${formatNumber(own.tau, 2)}${fep}.`
}
