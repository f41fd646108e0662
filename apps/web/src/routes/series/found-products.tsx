/** The result of an enumeration: counts, the changes that were applied, and the quote for predicting the molecules. */
import { Box, Flex, Stack } from '#web/ui/layout.ts'
import {
  PRODUCTS_MAX,
  quotePairs,
  type Screen,
  type ScreenTarget,
  type SeriesProducts,
} from '@pkdex/contract'
import { useDebouncedValue } from '@mantine/hooks'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { nameGroup } from '#web/features/series/pairs-queries.ts'
import { Drawing } from '#web/features/series/series-side.tsx'
import { call, messageOf } from '#web/lib/api.ts'
import { countOf } from '#web/lib/format.ts'
import { OwnerOnly } from '#web/lib/viewing.tsx'
import { Button } from '#web/ui/button.ts'
import { Field } from '#web/ui/field.tsx'
import { Note } from '#web/ui/note.tsx'
import classes from './series-page.module.css'
import { usePredictFollowUp } from './use-follow-up.ts'

type Props = {
  screen: Pick<Screen, 'id'>
  target: ScreenTarget
  onPredicted: () => void
  found: SeriesProducts
}

export function FoundProducts({ found, ...props }: Props) {
  const { core, changes, combinations, known, repeated, impossible, ...kept } = found
  const { outside, flagged, products } = kept
  if (core === null && changes.length === 0) {
    return <Note tone="info">No common core, or no change of a group that reliably raised pK.</Note>
  }
  const facts = [
    ['Tried', combinations],
    ['In the series', known],
    ['Duplicates', repeated],
    ['Invalid', impossible],
    ['Outside the limits', outside],
    ['With alerts', flagged],
    ['New', products.length],
  ] as const
  return (
    <>
      <Flex component="dl" wrap="wrap" gap="lg" mt="lg">
        {facts.map(([label, count]) => (
          <div key={label}>
            <dt className="small">{label}</dt>
            <Box component="dd" fz="lg">
              {count.toLocaleString('en')}
            </Box>
          </div>
        ))}
      </Flex>
      <Skipped found={found} />
      {changes.length > 0 && (
        <p className="small quiet">
          {`Changes applied: ${changes.map(({ from, to }) => `${nameGroup(from)} → ${nameGroup(to)}`).join(', ')}`}
        </p>
      )}
      {products.length > 0 && (
        <Box component="ul" className={classes.examples} aria-label="Examples" my="md">
          {products.slice(0, EXAMPLES).map(({ smiles }) => (
            <li key={smiles}>
              <Drawing smiles={smiles} />
            </li>
          ))}
        </Box>
      )}
      <OwnerOnly>
        {products.length > 0 && (
          <Predict smiles={products.map(({ smiles }) => smiles)} {...props} />
        )}
      </OwnerOnly>
    </>
  )
}

/** Seen before anything is paid. */
const EXAMPLES = 5

/** Shows nothing if all groups were tried. */
function Skipped({
  found: { skipped_groups: groups, skipped_changes: changes },
}: {
  found: SeriesProducts
}) {
  const most = PRODUCTS_MAX.toLocaleString('en')
  if (groups > 0) {
    const rarest = groups === 1 ? 'rarest group was' : `${groups} rarest groups were`
    return <p>{`All groups would make more than ${most} combinations: the ${rarest} skipped.`}</p>
  }
  if (changes === 0) return null
  const which = changes === 1 ? 'the last change was' : `the last ${changes} changes were`
  return <p>{`${most} new molecules were made: ${which} not applied to every compound.`}</p>
}

function quoteQuery(smiles: string[], { name, chain }: ScreenTarget) {
  return queryOptions({
    queryKey: ['series', 'quote', name, chain, smiles],
    queryFn: ({ signal }) => call(quotePairs, { body: { smiles, target: name, chain }, signal }),
    retry: false,
    gcTime: 0,
  })
}

const QUOTE_PAUSE_MS = 250

/** Shows the quote before anything can be predicted: all molecules, or only the first ones if credits are short. */
function Predict({
  smiles,
  screen,
  target,
  onPredicted,
}: Omit<Props, 'found'> & { smiles: string[] }) {
  const [wanted, setWanted] = useState(String(smiles.length))
  const [count] = useDebouncedValue(readCount(wanted, smiles.length), QUOTE_PAUSE_MS)
  const some = useMemo(() => smiles.slice(0, count), [smiles, count])
  const quote = useQuery(quoteQuery(some, target))
  const predict = usePredictFollowUp(screen.id, target)
  const start = () => predict.mutate(some, { onSuccess: onPredicted })
  const missing = quote.data ? quote.data.credits_needed - quote.data.credits_left : 0
  return (
    <Stack gap="sm" align="flex-start" mt="md">
      <Field
        label="How many"
        type="number"
        min={1}
        max={smiles.length}
        value={wanted}
        onChange={({ currentTarget }) => setWanted(currentTarget.value)}
      />
      {quote.data === undefined && quote.error === null && <output>Loading the quote …</output>}
      {quote.data && (
        <>
          <p>
            {`${countOf(quote.data.credits_needed, 'credit')} for ${countOf(quote.data.to_predict, 'pair')}, ${quote.data.known} already predicted (free). You have ${quote.data.credits_left}.`}
          </p>
          {missing > 0 && (
            <Note tone="warning" title="Not enough credits">
              {`${countOf(missing, 'credit')} more needed. Predict fewer molecules or narrow the limits.`}
            </Note>
          )}
          <Button loading={predict.isPending} disabled={missing > 0} onClick={start}>
            {`Predict ${some.length}`}
          </Button>
        </>
      )}
      {quote.error && (
        <Failure
          title="The cost could not be determined"
          error={quote.error}
          remedy="Try again, or with fewer molecules."
          onRetry={() => void quote.refetch()}
        />
      )}
      {predict.error && (
        <Failure
          title="Not all molecules were predicted"
          error={predict.error}
          remedy="Try again: molecules already predicted are free."
          onRetry={start}
        />
      )}
    </Stack>
  )
}

type FailureProps = { title: string; error: Error; remedy: string; onRetry: () => void }

/** An error, what to do, and a button that tries again. */
function Failure({ title, error, remedy, onRetry }: FailureProps) {
  return (
    <Note
      tone="failure"
      title={title}
      action={
        <Button variant="default" onClick={onRetry}>
          Try Again
        </Button>
      }
    >
      {`${messageOf(error, 'The server is not responding.')} ${remedy}`}
    </Note>
  )
}

/** All molecules if the text is not a number. */
function readCount(text: string, most: number): number {
  const count = Math.trunc(Number(text))
  return count >= 1 && count < most ? count : most
}
