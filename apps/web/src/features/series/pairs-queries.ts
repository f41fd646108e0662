/** Matched pairs of a series, with the measured values of its compounds. */
import { findSeriesPairs, type ScreenRow, type ScreenTarget, type Theme } from '@pkdex/contract'
import { queryOptions, skipToken } from '@tanstack/react-query'
import { call } from '#web/lib/api.ts'
import type { MeasuredValues } from './series-queries.ts'

type PairsQuestion = {
  screenId: string
  target: ScreenTarget
  rows: ScreenRow[] | undefined
  measured: MeasuredValues | undefined
  theme: Theme
}

export type ValuedCompound = { smiles: string; pk?: number }

export function withValues(rows: ScreenRow[], measured: MeasuredValues | undefined) {
  return rows.map(({ compound, smiles }): ValuedCompound => {
    const value = measured?.get(compound) ?? measured?.get(smiles)
    // A bound cannot be subtracted.
    return { smiles, ...(value?.bound === null && { pk: value.pk }) }
  })
}

export function pairsQuery({ screenId, target, rows, measured, theme }: PairsQuestion) {
  const { name, chain } = target
  const compounds = rows && withValues(rows, measured)
  return queryOptions({
    queryKey: ['series', 'pairs', screenId, name, chain, theme, compounds],
    queryFn:
      compounds === undefined || measured === undefined || compounds.length === 0
        ? skipToken
        : ({ signal }) =>
            call(findSeriesPairs, { body: { compounds, target: name, chain, theme }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
}

/** The name of a group of a change; its open bond is a dash. */
export function nameGroup(smiles: string): string {
  return smiles === '[H]*' ? 'H' : smiles.replace('*', '–')
}
