/** `/results`: one target, one compound, and the predicted pKd between them. */
import { Button } from '#web/ui/button.ts'
import { messages } from '@pkdex/contract'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { useLocation } from 'react-router'
import { z } from 'zod'
import { leaveSession } from '#web/features/auth/session.ts'
import {
  CreditsCounter,
  creditsQuery,
  useRefreshCredits,
} from '#web/features/credits/credits-counter.tsx'
import { Evidence } from '#web/features/evidence/evidence.tsx'
import {
  compoundListQuery,
  targetListQuery,
  targetQuery,
  useUpdateTarget,
} from '#web/features/files/file-lists.ts'
import { describeSequence } from '#web/features/files/describe-target.ts'
import { UploadNotice, UploadNoticeView } from '#web/features/files/upload-notice.tsx'
import { PredictionPanel } from '#web/features/predictions/prediction-panel.tsx'
import { useRefreshKnown } from '#web/features/predictions/prediction-queries.ts'
import { isRefused, messageOf } from '#web/lib/api.ts'
import { Note } from '#web/ui/note.tsx'
import { useSelection } from './pair-selection.ts'
import { CompoundColumn, TargetColumn } from './results-columns.tsx'
import classes from './results-page.module.css'

export function ResultsPage() {
  const targets = useQuery(targetListQuery())
  const compounds = useQuery(compoundListQuery())
  const credits = useQuery(creditsQuery())
  const refreshPaid = useRefreshPaid()
  const selection = useSelection()
  const updateTarget = useUpdateTarget()

  // A name that is not in the list, from somebody else's link, selects nothing.
  const target = listed(targets.data?.protein_names, selection.target)
  const compound = listed(compounds.data?.compound_names, selection.compound)
  const usedChain = useUsedChain(target)
  const isRefusalTold = [targets, compounds, credits].some(({ error }) => isRefused(error))

  return (
    <>
      <title>Results · pKdex</title>
      <ResultsBanner
        sources={[
          { sentence: messages.results.proteins, ...targets },
          { sentence: messages.results.compounds, ...compounds },
          { sentence: messages.results.credits, ...credits },
        ]}
        onReturnToLogin={() => leaveSession()}
      />
      <UploadNotices />
      <div className={classes.bench}>
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
        <div className={classes.prediction}>
          <PredictionPanel
            pair={{ target, compound }}
            request={target !== null && compound !== null ? selection.request : null}
            usedChain={usedChain}
            price={credits.data?.credits_per_prediction ?? null}
            isCleared={selection.isCleared}
            isRefusalTold={isRefusalTold}
            evidence={(pair) => <Evidence key={pair.requestedAt} pair={pair} />}
            onRequest={selection.requestAgain}
            onTryAgain={() => tryAgain(selection, canPay(credits.data), refreshPaid)}
            onBalanceChange={refreshPaid}
            onReturnToLogin={() => leaveSession()}
          />
        </div>
        <CompoundColumn
          list={compounds}
          target={target}
          selectedName={compound}
          onSelect={(name) => selection.select('compound', name)}
          onBalanceChange={refreshPaid}
        />
      </div>
    </>
  )
}

/** The balance, which every prediction may change. */
export function ResultsHeaderSlot() {
  return <CreditsCounter />
}

/** What the model is given of a target, in words. */
function useUsedChain(name: string | null): string | null {
  const { data } = useQuery(targetQuery(name))
  return data ? describeSequence(data) : null
}

/** After something was paid: the balance, and what is known. */
function useRefreshPaid(): () => void {
  const refreshCredits = useRefreshCredits()
  const refreshKnown = useRefreshKnown()
  return useCallback(() => {
    refreshCredits()
    refreshKnown()
  }, [refreshCredits, refreshKnown])
}

/** A call that cannot be paid would only bring the error back; the balance may be another one by now. */
function tryAgain(
  { requestAgain, clear }: ReturnType<typeof useSelection>,
  isPayable: boolean,
  refreshPaid: () => void,
) {
  if (isPayable) return requestAgain()
  clear()
  refreshPaid()
}

/** Unless the server has said otherwise. */
function canPay(
  known: { credits: number; credits_per_prediction?: number | undefined } | undefined,
): boolean {
  return known === undefined || known.credits >= (known.credits_per_prediction ?? 0)
}

function listed(names: string[] | undefined, name: string | null): string | null {
  return name !== null && names?.includes(name) === true ? name : null
}

type Source = { sentence: string; error: Error | null; refetch: () => unknown }

type BannerProps = { sources: Source[]; onReturnToLogin: () => void }

/** What could not be fetched, over the whole width: retry it, or sign in again where the key is refused. */
function ResultsBanner({ sources, onReturnToLogin }: BannerProps) {
  const failed = sources.filter(({ error }) => error !== null)
  const refused = failed.find(({ error }) => isRefused(error))
  if (failed.length === 0) return null
  return (
    <div className={classes.banner}>
      {refused ? (
        <Note
          tone="failure"
          title={messages.results.authenticationErrorTitle}
          action={
            <Button variant="default" onClick={onReturnToLogin}>
              {messages.results.returnToLogin}
            </Button>
          }
        >
          {messageOf(refused.error, messages.prediction.authentication)}
        </Note>
      ) : (
        <Note
          tone="failure"
          title={messages.results.dataErrorTitle}
          action={
            <Button variant="default" onClick={() => failed.forEach(({ refetch }) => refetch())}>
              Retry
            </Button>
          }
        >
          {failed.map(({ sentence }) => (
            <p key={sentence}>{sentence}</p>
          ))}
        </Note>
      )}
    </div>
  )
}

const HistoryState = z.object({ notices: z.array(UploadNotice) })

/** What the upload boxes had to say when they were left: lines that were not taken, names that were changed. Stands until it is closed. */
export function UploadNotices() {
  const { state } = useLocation()
  const [notices, setNotices] = useState(() => HistoryState.safeParse(state).data?.notices ?? [])

  if (notices.length === 0) return null
  return (
    <section className={classes.notices} aria-label="About your upload">
      <div>
        {notices.map((notice, index) => (
          <UploadNoticeView key={index} notice={notice} />
        ))}
      </div>
      <Button variant="subtle" color="gray" onClick={() => setNotices([])}>
        Close
      </Button>
    </section>
  )
}
