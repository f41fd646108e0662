/** The text of a deletion's confirmation: what is deleted, what is cancelled, and what is kept, with counts. */
import { type DeletionPreview, previewDeletion } from '@pkdex/contract'
import { queryOptions } from '@tanstack/react-query'
import { call } from './api.ts'
import { countOf } from './format.ts'

/** One of them; none means the whole account. */
export type Deleted = { file_id?: string; target?: string; compound?: string }

/** Requested again for every confirmation. */
export function deletionPreviewQuery(what: Deleted) {
  return queryOptions({
    queryKey: ['deletion preview', what],
    queryFn: ({ signal }) => call(previewDeletion, { query: what, signal }),
    gcTime: 0,
    retry: false,
  })
}

/** For a file, target or compound. */
export function describeDeletion(what: Deleted, preview: DeletionPreview): string {
  const { predictions, predictions_under_way: underWay, measured_values: values } = preview
  const named = listOf(
    countWhere(preview.targets, 'target'),
    countWhere(preview.compounds, 'compound'),
  )
  const isTarget = preview.targets > 0
  const sentences = [
    what.file_id !== undefined && `This also deletes ${named === '' ? 'nothing else' : named}.`,
    predictions > 0 &&
      `${countOf(predictions, 'prediction')} ${predictions === 1 ? 'stays' : 'stay'} in the history without the name.`,
    underWay > 0 &&
      `${countOf(underWay, 'prediction')} under way ${underWay === 1 ? 'ends and is' : 'end and are'} refunded.`,
    values > 0 &&
      `${countOf(values, 'measured value')} ${values === 1 ? 'is' : 'are'} kept${isTarget ? ' and used again when the same sequence is uploaded' : ''}.`,
    'Screens keep their results.',
    'This cannot be undone.',
  ]
  return sentences.filter((sentence) => sentence !== false).join(' ')
}

/** `3 files, 2 targets and 40 compounds`, and anything else in the account. */
export function describeContents(preview: DeletionPreview): string {
  const { files, targets, compounds, predictions, predictions_under_way: underWay } = preview
  return listOf(
    countWhere(files, 'file'),
    countWhere(targets, 'target'),
    countWhere(compounds, 'compound'),
    countWhere(predictions + underWay, 'prediction'),
    countWhere(preview.screens, 'screen'),
    countWhere(preview.measured_values, 'measured value'),
  )
}

function countWhere(count: number, noun: string): string | null {
  return count === 0 ? null : countOf(count, noun)
}

function listOf(...parts: (string | null)[]): string {
  return new Intl.ListFormat('en-GB').format(parts.filter((part) => part !== null))
}
