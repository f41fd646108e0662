/** `/targets/:name`: how good predictions on one target are, from published series and from own values. */
import type { MeasurementComparison, TargetEvidence } from '@pkdex/contract'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from 'react-router'
import { reasonOf } from '#web/features/evidence/evidence-queries.ts'
import { FiguresTable } from '#web/features/evidence/figures-table.tsx'
import { Figures } from '#web/features/measurements/comparison.tsx'
import { comparisonQuery } from '#web/features/measurements/measurement-queries.ts'
import { describeOwnOrder } from '#web/features/measurements/ranking-lines.tsx'
import { largeCountOf } from '#web/lib/format.ts'
import { describeAccuracy, figuresQuery, targetEvidenceQuery } from '#web/lib/model-accuracy.ts'
import { Loaded } from '#web/ui/loaded.tsx'
import { PageHead, Panel } from '#web/ui/panel.tsx'

export function TargetPage() {
  const { name = '' } = useParams()
  const known = useQuery(targetEvidenceQuery(name))
  const own = useQuery(comparisonQuery(name))
  return (
    <div className="page">
      <title>{`Accuracy on ${name} · pKdex`}</title>
      <PageHead title={`How good is it on ${name}?`} />
      <Loaded
        query={known}
        what="this target"
        failure="Failed to load this target"
        reasonOf={reasonOf}
        lines={4}
      >
        {(evidence) => (
          <div className="stack">
            <Panel title="What the model knows">
              <Known evidence={evidence} />
            </Panel>
            <Panel title="Your values">
              <Loaded
                query={own}
                what="your values"
                failure="Failed to load your values"
                reasonOf={reasonOf}
                lines={3}
              >
                {(comparison) => <Own comparison={comparison} />}
              </Loaded>
            </Panel>
            <Series />
          </div>
        )}
      </Loaded>
    </div>
  )
}

function Known({ evidence: { known, accuracy } }: { evidence: TargetEvidence }) {
  return (
    <>
      <p>{known === null ? 'No training protein is similar to this one.' : wordKnown(known)}</p>
      {accuracy && <p>{describeAccuracy(accuracy)}</p>}
    </>
  )
}

function wordKnown({ name, similarity, measured, heard }: NonNullable<TargetEvidence['known']>) {
  const values = largeCountOf(Math.max(measured, heard), 'measured value')
  return `Closest training protein: ${name}, similarity ${similarity.toFixed(2)}, ${values}.`
}

function Own({ comparison }: { comparison: MeasurementComparison }) {
  const { target, compared, summary } = comparison
  const link = <Link to={`/measurements?${new URLSearchParams({ target })}`}>Measured values</Link>
  if (compared.length === 0) {
    return <p>Import five values or more to see how predictions order your compounds. {link}</p>
  }
  return (
    <>
      <p>{describeOwnOrder(comparison)}</p>
      <p>
        {summary} {link}
      </p>
      <Figures comparison={comparison} />
    </>
  )
}

function Series() {
  const { data } = useQuery(figuresQuery())
  if (!data?.series) return null
  return (
    <Panel title={`${data.series.series.toLocaleString('en')} published series`}>
      <FiguresTable series={data.series} />
    </Panel>
  )
}
