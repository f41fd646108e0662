/** What a screen would come to, before anything is spent: pairs, those that are known, credits, rows that cannot be used. */
import type { ScreenQuote, UnusableRow } from '@pkdex/contract'
import { largeCountOf } from '#web/lib/format.ts'
import { Note } from '#web/ui/note.tsx'
import { Button } from '#web/ui/button.ts'
import classes from './quote-panel.module.css'

type Props = {
  quote: ScreenQuote | undefined
  /** Why there is no quote, or why it could not be started, as a sentence. */
  failure: string | null
  /** The choice has changed, and what stands here is about the one before. */
  isStale: boolean
  isStarting: boolean
  onStart: () => void
}

export function QuotePanel({ quote, failure, isStale, isStarting, onStart }: Props) {
  const canStart = quote !== undefined && !isStale && isPayable(quote)
  return (
    <section className={`sheet ${classes.quote}`} aria-label="Before you start">
      <h2>Before you start</h2>
      <div className={classes.body} data-stale={isStale} aria-busy={isStale}>
        {quote ? <Facts quote={quote} /> : <p className="quiet">Choose targets and compounds.</p>}
        {failure !== null && <Note tone="failure">{failure}</Note>}
        {quote && failure === null && <Obstacle quote={quote} />}
        {quote && quote.unusable_count > 0 && (
          <Unusable rows={quote.unusable} count={quote.unusable_count} />
        )}
      </div>
      <Button fullWidth disabled={!canStart} loading={isStarting} onClick={onStart}>
        Start the screen
      </Button>
    </section>
  )
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
    ['Known already, free', number(quote.known)],
    ['To predict', number(quote.to_predict)],
    ['Credits needed', number(quote.credits_needed)],
    ['Credits you have', number(quote.credits_left)],
    ['Model', quote.model_version],
  ]
  return (
    <dl className={classes.facts}>
      {facts.map(([term, value]) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

function Obstacle({ quote }: { quote: ScreenQuote }) {
  if (quote.total === 0) return <Note tone="info">There is no pair to predict.</Note>
  const missing = quote.credits_needed - quote.credits_left
  if (missing <= 0) return null
  return (
    <Note tone="warning" title="Not enough credits">
      {`You would need ${largeCountOf(missing, 'credit')} more. Choose fewer targets or compounds.`}
    </Note>
  )
}

function Unusable({ rows, count }: { rows: UnusableRow[]; count: number }) {
  return (
    <details className={classes.unusable}>
      <summary>{largeCountOf(count, 'row')} cannot be used</summary>
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
