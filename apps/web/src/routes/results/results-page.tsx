/** `/results`: one target, one compound, and the predicted pKd between them. */
import { Box, Stack } from '#web/ui/layout.ts'
import { Button } from '#web/ui/button.ts'
import { messages, type PredictionResult } from '@pkdex/contract'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useCallback, useState } from 'react'
import { useLocation } from 'react-router'
import { z } from 'zod'
import { leaveSession } from '#web/features/auth/session.ts'
import { creditsQuery, useRefreshCredits } from '#web/features/credits/credits-counter.tsx'
import { Evidence } from '#web/features/evidence/evidence.tsx'
import {
  compoundListQuery,
  compoundQuery,
  targetListQuery,
  targetQuery,
  useUpdateTarget,
} from '#web/features/files/file-lists.ts'
import { UploadNotice, UploadNoticeView } from '#web/features/files/upload-notice.tsx'
import { StructureTab } from '#web/features/previews/structure-dialog.tsx'
import { AddValue } from '#web/features/measurements/add-value.tsx'
import { PredictionPanel, PredictionToCome } from '#web/features/predictions/prediction-panel.tsx'
import {
  type PredictionRequest,
  useRefreshKnown,
} from '#web/features/predictions/prediction-queries.ts'
import { isRefused, messageOf } from '#web/lib/api.ts'
import { Note } from '#web/ui/note.tsx'
import { LinkedPair } from './linked-pair.tsx'
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

  // A name that is not in the list, such as from another user's link, selects nothing.
  const target = listed(targets.data?.protein_names, selection.target)
  const compound = listed(compounds.data?.compound_names, selection.compound)
  const isRefusalTold = [targets, compounds, credits].some(({ error }) => isRefused(error))

  return (
    <>
      <title>Predict · pKdex</title>
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
          {...actionsOf(selection, 'target')}
          onChainChosen={(changed) => {
            updateTarget(changed)
            // The displayed prediction is for the previous chain. A new one costs a credit, so only the user requests
            // it.
            selection.select('compound', null)
          }}
        />
        <Box className={classes.prediction} miw={0}>
          <Reading
            {...{ target, compound, selection, refreshPaid, isRefusalTold }}
            areListsLoading={targets.isLoading || compounds.isLoading}
            price={credits.data?.credits_per_prediction ?? null}
          />
        </Box>
        <CompoundColumn
          list={compounds}
          target={target}
          selectedName={compound}
          {...actionsOf(selection, 'compound')}
          onBalanceChange={refreshPaid}
        />
      </div>
    </>
  )
}

function actionsOf(selection: ReturnType<typeof useSelection>, side: 'target' | 'compound') {
  return {
    onSelect: (name: string | null) => selection.select(side, name),
    onRenamed: (name: string) => selection.rename(side, name),
  }
}

type ReadingProps = {
  target: string | null
  compound: string | null
  price: number | null
  selection: ReturnType<typeof useSelection>
  refreshPaid: () => void
  isRefusalTold: boolean
  areListsLoading: boolean
}

/** The panel of the selected pair. */
function Reading({ target, compound, selection, refreshPaid, ...props }: ReadingProps) {
  const { areListsLoading, ...rest } = props
  const pair = target !== null && compound !== null ? { target, compound } : null
  const request = pair && selection.request
  const size = useCompoundSize(compound)
  const isNamed = selection.target !== null && selection.compound !== null
  if (isNamed && areListsLoading) return <PredictionToCome pair={{ target, compound }} />
  return (
    <LinkedPair pair={request === null ? pair : null} size={size} evidence={evidenceOf}>
      <PredictionPanel
        pair={{ target, compound }}
        request={request}
        size={size}
        addValue={pair && <AddValue pair={pair} />}
        isCleared={selection.isCleared}
        evidence={(of, details) => evidenceOf(of, of.requestedAt, details)}
        onRequest={selection.requestAgain}
        onTryAgain={() => clearError(selection, refreshPaid)}
        onBalanceChange={refreshPaid}
        onReturnToLogin={() => leaveSession()}
        {...rest}
      />
    </LinkedPair>
  )
}

/** `edition`: distinguishes predictions of the same pair. */
function evidenceOf(
  { target, compound }: Pick<PredictionRequest, 'target' | 'compound'>,
  edition: string | number,
  details: PredictionResult | null,
): ReactNode {
  const pair = { compound, query: { target, compound }, edition }
  const structure = <TargetStructure name={target} />
  return <Evidence key={edition} {...{ pair, details, structure }} pocket={{ target, compound }} />
}

/** Try Again clears the error (SPEC 4.12) and reloads the balance, which the failed request may have changed. */
function clearError(selection: { clear: () => void }, refreshPaid: () => void): void {
  selection.clear()
  refreshPaid()
}

/** The size of a compound, from which efficiencies are computed. */
function useCompoundSize(name: string | null) {
  const { data } = useQuery(compoundQuery(name))
  return data ? { heavyAtoms: data.report.heavy_atoms, logP: data.log_p } : null
}

/** Shows nothing until the target is loaded. */
function TargetStructure({ name }: { name: string | null }) {
  const { data: target } = useQuery(targetQuery(name))
  return target && <StructureTab target={target} />
}

/** After a payment: reloads the balance and the existing predictions. */
function useRefreshPaid(): () => void {
  const refreshCredits = useRefreshCredits()
  const refreshKnown = useRefreshKnown()
  return useCallback(() => {
    refreshCredits()
    refreshKnown()
  }, [refreshCredits, refreshKnown])
}

function listed(names: string[] | undefined, name: string | null): string | null {
  return name !== null && names?.includes(name) === true ? name : null
}

type Source = { sentence: string; error: Error | null; refetch: () => unknown }

type BannerProps = { sources: Source[]; onReturnToLogin: () => void }

/** Requests that failed, across the page: Retry, or sign in again if the key was refused. */
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

/** Upload notes (skipped lines, renamed entries), shown until closed. */
export function UploadNotices() {
  const { state } = useLocation()
  const [notices, setNotices] = useState(() => HistoryState.safeParse(state).data?.notices ?? [])

  if (notices.length === 0) return null
  return (
    <section className={classes.notices} aria-label="Upload notes">
      <Stack gap="xs">
        {notices.map((notice, index) => (
          <UploadNoticeView key={index} notice={notice} />
        ))}
      </Stack>
      <Button variant="subtle" color="gray" onClick={() => setNotices([])}>
        Close
      </Button>
    </section>
  )
}
