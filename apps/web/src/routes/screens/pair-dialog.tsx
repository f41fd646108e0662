/** The reading of one pair of a screen, as the results page shows it. What is known already is read at once; what would cost something waits for a click. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { leaveSession } from '#web/features/auth/session.ts'
import { creditsQuery, useRefreshCredits } from '#web/features/credits/credits-counter.tsx'
import { CompoundCaption } from '#web/features/files/captions.tsx'
import { compoundQuery, targetQuery } from '#web/features/files/file-lists.ts'
import { Evidence } from '#web/features/evidence/evidence.tsx'
import { describeSequence } from '#web/features/files/describe-target.ts'
import { PredictionPanel } from '#web/features/predictions/prediction-panel.tsx'
import type { PredictionRequest } from '#web/features/predictions/prediction-queries.ts'
import { Picture } from '#web/features/previews/picture.tsx'
import { quoteQuery } from '#web/features/screens/screen-queries.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { Note } from '#web/ui/note.tsx'
import classes from './screens.module.css'

export type OpenPair = { target: string; chain: string; compound: string; hasNumber: boolean }

export function PairDialog({ pair, onClose }: { pair: OpenPair; onClose: () => void }) {
  const { target, compound, chain } = pair
  const { data: now } = useQuery(targetQuery(target))
  const { data: drawn } = useQuery(compoundQuery(compound))
  const caption = drawn && <CompoundCaption compound={drawn} />
  const search = new URLSearchParams({ target, compound })
  return (
    <Dialog label={`${compound} on ${target}`} onClose={onClose}>
      <div className={classes.pair}>
        {now && now.chain !== chain && (
          <Note tone="info" title={`The screen used chain ${chain}`}>
            {`The reading below is on chain ${now.chain}, which is chosen for ${target} now.`}
          </Note>
        )}
        <div className={classes.pairBody}>
          <div>
            <Picture kind="molecule" name={compound} caption={caption} />
            {caption}
            <Link to={`/results?${search}`}>Open on the results page</Link>
          </div>
          <Reading pair={pair} />
        </div>
      </div>
    </Dialog>
  )
}

function Reading({ pair: { target, compound } }: { pair: OpenPair }) {
  const credits = useQuery(creditsQuery())
  const refreshCredits = useRefreshCredits()
  const { data: now } = useQuery(targetQuery(target))
  const quote = useQuery(quoteQuery({ targets: [target], compounds: [compound] }))
  const [openedAt] = useState(() => Date.now())
  const [asked, setAsked] = useState<PredictionRequest | null>(null)
  const isFree = quote.data?.total === 1 && quote.data.to_predict === 0
  const known = isFree ? { target, compound, requestedAt: openedAt } : null
  const ask = () => setAsked({ target, compound, requestedAt: Date.now() })
  return (
    <PredictionPanel
      pair={{ target, compound }}
      request={asked ?? known}
      usedChain={now ? describeSequence(now) : null}
      evidence={(known) => <Evidence key={known.requestedAt} pair={known} />}
      price={credits.data?.credits_per_prediction ?? null}
      isCleared={false}
      isRefusalTold={false}
      onRequest={ask}
      onTryAgain={ask}
      onBalanceChange={refreshCredits}
      onReturnToLogin={leaveSession}
    />
  )
}
