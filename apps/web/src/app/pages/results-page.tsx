/** `/results`: one target, one compound, and the predicted pKd between them. */
import { messages } from '@pkdex/contract'
import { useQuery } from '@tanstack/react-query'
import { CreditsCounter } from '#web/features/credits/credits-counter.tsx'
import { creditsQuery, useRefreshCredits } from '#web/features/credits/credits-query.ts'
import { compoundListQuery } from '#web/features/files/compound-list-query.ts'
import { targetListQuery } from '#web/features/files/target-list-query.ts'
import { useUpdateTarget } from '#web/features/files/use-update-target.ts'
import { PredictionPanel } from '#web/features/predictions/prediction-panel.tsx'
import { leaveSession } from '#web/lib/session.ts'
import { PageFrame } from '../page-frame.tsx'
import { ArrivalRemarks } from './arrival-remarks.tsx'
import { CompoundColumn } from './compound-column.tsx'
import { ResultsBanner } from './results-banner.tsx'
import styles from './results-page.module.css'
import { useSelection } from './results-selection.ts'
import { TargetColumn } from './target-column.tsx'

export function ResultsPage() {
  const targets = useQuery(targetListQuery())
  const compounds = useQuery(compoundListQuery())
  const credits = useQuery(creditsQuery())
  const refreshCredits = useRefreshCredits()
  const selection = useSelection()
  const updateTarget = useUpdateTarget()

  // A name that is not in the list, from somebody else's link, selects nothing.
  const target = listed(targets.data?.protein_names, selection.target)
  const compound = listed(compounds.data?.compound_names, selection.compound)
  const isPair = target !== null && compound !== null

  return (
    <PageFrame title="Results" headerSlot={<CreditsCounter />}>
      <ResultsBanner
        sources={[
          { sentence: messages.results.proteins, ...targets },
          { sentence: messages.results.compounds, ...compounds },
          { sentence: messages.results.credits, ...credits },
        ]}
        onReturnToLogin={() => leaveSession()}
      />
      <ArrivalRemarks />
      <div className={styles.bench}>
        <TargetColumn
          list={targets}
          selectedName={target}
          onSelect={(name) => selection.select('target', name)}
          onChainChosen={(changed) => {
            updateTarget(changed)
            // The number on the screen is the other chain's; a new one costs, so it is the user who asks.
            selection.select('compound', null)
          }}
        />
        <div className={styles.reading}>
          <PredictionPanel
            pair={{ target, compound }}
            ask={isPair ? selection.ask : null}
            price={credits.data?.credits_per_prediction ?? null}
            onAsk={selection.askAgain}
            onBalanceChange={refreshCredits}
            onReturnToLogin={() => leaveSession()}
          />
        </div>
        <CompoundColumn
          list={compounds}
          selectedName={compound}
          onSelect={(name) => selection.select('compound', name)}
        />
      </div>
    </PageFrame>
  )
}

function listed(names: string[] | undefined, name: string | null): string | null {
  return name !== null && names?.includes(name) === true ? name : null
}
