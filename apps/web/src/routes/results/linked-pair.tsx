/** A pair from a link or the history: shows its prediction immediately, free of charge, if the user already has it. */
import type { KnownPair, PredictionResult } from '@pkdex/contract'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { pairDetailsQuery } from '#web/features/evidence/evidence-queries.ts'
import { targetQuery } from '#web/features/files/file-lists.ts'
import { AddValue } from '#web/features/measurements/add-value.tsx'
import { KnownPrediction, PredictionToCome } from '#web/features/predictions/prediction-panel.tsx'
import { toPrediction } from '#web/features/predictions/prediction-state.ts'
import { knownQuery } from '#web/features/predictions/prediction-queries.ts'
import type { CompoundSize } from '#web/features/predictions/value-details.tsx'
import { Note } from '#web/ui/note.tsx'

type NamedPair = { target: string; compound: string }

type Props = {
  /** Null if no pair is selected, or if its prediction has been requested. */
  pair: NamedPair | null
  size: CompoundSize | null
  evidence: (pair: NamedPair, chain: string, details: PredictionResult | null) => ReactNode
  /** Shown if the pair has no prediction. */
  children: ReactNode
}

export function LinkedPair({ pair, size, evidence, children }: Props) {
  const { isLooking, known, earlier } = useKnown(pair)
  const { details, isReading } = useDetails(known)
  if (pair === null) return children
  // Shown only with all details, because some of them are above others.
  if (isLooking || isReading) return <PredictionToCome pair={pair} />
  if (!known) {
    return (
      <>
        {earlier && (
          <Note
            tone="info"
            title={`pKd ${earlier.best_kd.toFixed(2)} by model ${earlier.model_version}`}
          >
            An earlier model predicted this pair. Predict it again to get the current model’s
            number.
          </Note>
        )}
        {children}
      </>
    )
  }
  return (
    <KnownPrediction
      pair={pair}
      prediction={toPrediction(known.pkd, details)}
      size={size}
      addValue={<AddValue pair={pair} />}
      evidence={evidence(pair, known.chain, details)}
    />
  )
}

function useDetails(known: ReturnType<typeof toKnown> | undefined) {
  const read = known ? { ...known.read, edition: known.chain } : null
  const { data, isPending } = useQuery(pairDetailsQuery(read))
  return { details: data?.result ?? null, isReading: read !== null && isPending }
}

/** The prediction of the pair on the chain that its target uses now. */
function useKnown(pair: NamedPair | null) {
  const name = pair?.target ?? null
  const target = useQuery(targetQuery(name))
  const chain = target.data?.chain ?? null
  const list = useQuery(knownQuery(name, chain))
  const isLooking = target.isLoading || list.isLoading
  if (pair === null || chain === null || list.data === undefined) return { isLooking }
  const { known, earlier } = list.data
  return {
    isLooking,
    known: toKnown(pair, chain, known),
    earlier: earlier.find(({ compound_id: name }) => name === pair.compound),
  }
}

function toKnown(pair: NamedPair, chain: string, known: KnownPair[]) {
  const { compound } = pair
  const found = known.find(({ compound_id: name }) => name === compound)
  return found ? { pkd: found.best_kd, chain, read: { compound, query: pair } } : null
}
