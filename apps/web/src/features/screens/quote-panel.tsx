/** The quote of a screen, shown before anything is charged: pairs, known pairs, credits, skipped rows. */
import { Flex, Stack } from '#web/ui/layout.ts'
import type { AlertList, ScreenQuote, UnusableRow } from '@pkdex/contract'
import { Link } from 'react-router'
import { largeCountOf } from '#web/lib/format.ts'
import { Checkbox } from '#web/ui/field.tsx'
import { SkeletonLines } from '#web/ui/loaded.tsx'
import { Note } from '#web/ui/note.tsx'
import { Button } from '#web/ui/button.ts'
import classes from './quote-panel.module.css'

type Props = {
  quote: ScreenQuote | undefined
  /** The first quote is being computed. */
  isComing: boolean
  /** Why there is no quote, or why the screen could not be started. */
  failure: string | null
  /** Requests the quote again; null if that would not help. */
  onRetry: (() => void) | null
  /** The selection has changed, so the quote shown is outdated. */
  isStale: boolean
  isStarting: boolean
  /** Alert lists whose compounds are excluded. */
  leaveOut: AlertList[]
  onLeaveOut: (lists: AlertList[]) => void
  onStart: () => void
}

export function QuotePanel({ quote, isComing, failure, onRetry, isStale, ...props }: Props) {
  const { isStarting, onStart, ...alerts } = props
  // A refused quote is not being computed, so its reason is not dimmed.
  const isWaiting = isStale && failure === null
  const canStart = quote !== undefined && !isStale && isPayable(quote)
  return (
    <Flex
      className="sheet"
      component="section"
      direction="column"
      gap="md"
      p="lg"
      aria-label="Before you start"
    >
      <h2>Before you start</h2>
      <Stack gap="md" data-stale={isWaiting} aria-busy={isWaiting}>
        {quote ? <Facts quote={quote} /> : <NoQuote {...{ isComing, failure }} />}
        {failure !== null && (
          <Note
            tone="failure"
            action={
              onRetry && (
                <Button variant="default" onClick={onRetry}>
                  Retry
                </Button>
              )
            }
          >
            {failure}
          </Note>
        )}
        {quote && (
          <>
            {failure === null && <Obstacle quote={quote} />}
            <Repeated quote={quote} />
            <Flagged quote={quote} {...alerts} />
            <Unusable rows={quote.unusable} count={quote.unusable_count} />
          </>
        )}
      </Stack>
      {/* Not before the quote, whose length is not known. */}
      {!isComing && (
        <Button fullWidth disabled={!canStart} loading={isStarting} onClick={onStart}>
          Start screen
        </Button>
      )}
    </Flex>
  )
}

function NoQuote({ isComing, failure }: Pick<Props, 'isComing' | 'failure'>) {
  if (failure !== null) return null
  if (isComing) return <SkeletonLines what="the quote" lines={4} />
  return <p className="quiet">Select targets and compounds.</p>
}

function isPayable(quote: ScreenQuote): boolean {
  return quote.total > 0 && quote.credits_needed <= quote.credits_left
}

function Facts({ quote }: { quote: ScreenQuote }) {
  const facts: [term: string, value: string][] = [
    [
      'Pairs',
      `${largeCountOf(quote.targets, 'target')} × ${largeCountOf(quote.compounds, 'compound')} = ${number(quote.total)}`,
    ],
    [
      'Already predicted (free)',
      number(quote.known - (quote.duplicates + quote.stereoisomers) * quote.targets),
    ],
    ...(quote.duplicates === 0 ? [] : [describeDuplicates(quote)]),
    ...(quote.stereoisomers === 0 ? [] : [describeStereoisomers(quote)]),
    ['To predict', number(quote.to_predict)],
    ['Credits needed', number(quote.credits_needed)],
    ['Credits available', number(quote.credits_left)],
    ['Model', quote.model_version],
    ...(quote.structure?.poses ? [describePoses(quote.structure)] : []),
  ]
  return (
    <dl className="facts">
      {facts.map(([term, value]) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

function describeDuplicates({ duplicates, targets }: ScreenQuote): [string, string] {
  return ['Listed twice (free)', number(duplicates * targets)]
}

function describeStereoisomers({ stereoisomers, targets }: ScreenQuote): [string, string] {
  return ['Stereoisomers (free)', number(stereoisomers * targets)]
}

/** Names do not tell that two compounds are the same, or get the same number. */
function Repeated({ quote: { duplicates, stereoisomers } }: { quote: ScreenQuote }) {
  return (
    <>
      {duplicates > 0 && (
        <p className="quiet">
          {`${largeCountOf(duplicates, 'compound')} ${duplicates === 1 ? 'is' : 'are'} listed twice.`}
        </p>
      )}
      {stereoisomers > 0 && (
        <p className="quiet">
          {`${largeCountOf(stereoisomers, 'compound')} differ${stereoisomers === 1 ? 's' : ''} from others only in stereochemistry, which the model ignores. They get the same number and are charged once.`}
        </p>
      )}
    </>
  )
}

function describePoses({
  poses,
  seconds,
}: NonNullable<ScreenQuote['structure']>): [string, string] {
  const time = seconds < 90 ? `${seconds} s` : `${number(Math.round(seconds / 60))} min`
  return ['Poses (free)', `${number(poses)}, about ${time} after the predictions`]
}

function Obstacle({ quote }: { quote: ScreenQuote }) {
  if (quote.total === 0) return <Note tone="info">No pairs to predict.</Note>
  const missing = quote.credits_needed - quote.credits_left
  if (missing <= 0) return null
  return (
    <Note tone="warning" title="Not enough credits">
      {`You would need ${largeCountOf(missing, 'credit')} more. Select fewer targets or compounds, or ask your administrator for more.`}
    </Note>
  )
}

const LISTS = [
  { list: 'PAINS', label: 'PAINS' },
  { list: 'Brenk', label: 'Brenk' },
  { list: 'own', label: 'your patterns' },
] as const

type FlaggedProps = { quote: ScreenQuote } & Pick<Props, 'leaveOut' | 'onLeaveOut'>

/** An alert is only a warning: compounds are excluded only if the user selects it. */
function Flagged({ quote: { flagged }, leaveOut, onLeaveOut }: FlaggedProps) {
  if (flagged === undefined || flagged.count + flagged.unchecked === 0) return null
  return (
    <Stack component="fieldset" gap={4} my="sm">
      <legend>{largeCountOf(flagged.count, 'compound')} with structural alerts</legend>
      {LISTS.filter(({ list }) => flagged.by_list[list] > 0).map(({ list, label }) => (
        <Checkbox
          key={list}
          isChecked={leaveOut.includes(list)}
          onChange={(isOut) =>
            onLeaveOut(isOut ? [...leaveOut, list] : leaveOut.filter((other) => other !== list))
          }
        >
          {`Leave out ${number(flagged.by_list[list])} flagged by ${label}`}
        </Checkbox>
      ))}
      {flagged.unchecked > 0 && (
        <p className="quiet">{number(flagged.unchecked)} not checked yet.</p>
      )}
      <Link className="target small" to="/account/alerts">
        Edit your patterns
      </Link>
    </Stack>
  )
}

function Unusable({ rows, count }: { rows: UnusableRow[]; count: number }) {
  if (count === 0) return null
  return (
    <details className={classes.unusable}>
      <summary>{largeCountOf(count, 'row')} skipped</summary>
      <ul>
        {rows.map(({ kind, name, reason }, index) => (
          <li key={index}>
            <span className="faint">{kind}</span> <strong>{name}</strong>: {reason}
          </li>
        ))}
        {count > rows.length && <li>and {(count - rows.length).toLocaleString('en')} more</li>}
      </ul>
    </details>
  )
}

function number(count: number): string {
  return count.toLocaleString('en')
}
