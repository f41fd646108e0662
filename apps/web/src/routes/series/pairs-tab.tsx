/** The tab of a series that shows its matched pairs, all of them or those of one compound. */
import { Box, Flex } from '#web/ui/layout.ts'
import type { Screen, ScreenRow, ScreenTarget, SeriesPairs } from '@pkdex/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { pairsQuery } from '#web/features/series/pairs-queries.ts'
import { PairsTable } from '#web/features/series/pairs-table.tsx'
import { measuredQuery } from '#web/features/series/series-queries.ts'
import { messageOf } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.ts'
import { Select } from '#web/ui/field.tsx'
import { Loaded } from '#web/ui/loaded.tsx'
import { Note } from '#web/ui/note.tsx'
import { useColorScheme } from '#web/ui/theme/theme-provider.tsx'

type Props = {
  screen: Screen
  target: ScreenTarget
  rows: ScreenRow[] | undefined
  change: (changes: Record<string, string | null>) => void
}

export function PairsTab({ screen, target, rows, change }: Props) {
  const measured = useQuery(measuredQuery(target.name)).data
  const theme = useColorScheme()
  const pairs = useQuery(pairsQuery({ screenId: screen.id, target, rows, measured, theme }))
  if (rows?.length === 0) {
    return <Note tone="info">This screen has no compounds to compare.</Note>
  }
  return (
    <Box component="section" className="sheet" aria-label="Matched pairs" miw={0} p="md">
      <Loaded
        query={pairs}
        what="matched pairs"
        failure="Failed to load the matched pairs"
        reasonOf={(error) => messageOf(error, 'The server is not responding.')}
        lines={6}
      >
        {(there) => (
          <Changes
            pairs={there}
            rows={rows ?? []}
            target={target}
            onApply={(applied) => change({ ...applied, view: 'products' })}
          />
        )}
      </Loaded>
    </Box>
  )
}

const ALL = ''
/** More are many screens long on a phone. */
const SHOWN_FIRST = 25

function Changes({
  pairs: { changes, total, drawings, training_target },
  rows,
  target,
  onApply,
}: {
  pairs: SeriesPairs
  rows: ScreenRow[]
  target: ScreenTarget
  onApply: (change: { from: string; to: string }) => void
}) {
  const [compound, setCompound] = useState(ALL)
  const [isWhole, setIsWhole] = useState(false)
  const nameOf = (place: number) => rows[place]?.compound ?? ''
  const paired = new Set(
    changes.flatMap(({ pairs }) => pairs.flatMap(({ from, to }) => [nameOf(from), nameOf(to)])),
  )
  const shown = changes.flatMap((change) => {
    const own = change.pairs.filter(
      ({ from, to }) => compound === ALL || [nameOf(from), nameOf(to)].includes(compound),
    )
    return own.length === 0 ? [] : [{ ...change, pairs: compound === ALL ? change.pairs : own }]
  })
  if (changes.length === 0) {
    return <Note tone="info">No two compounds differ in a single group.</Note>
  }
  return (
    <>
      <Flex wrap="wrap" rowGap="sm" columnGap="lg" align="end" justify="space-between" mb="md">
        <div>
          <h2>{`Changes on ${target.name}`}</h2>
          <p className="quiet">{wordCount(changes.length, total)}</p>
        </div>
        <Select
          label="Compound"
          value={compound}
          options={[
            { value: ALL, label: 'All compounds' },
            ...[...paired].toSorted().map((name) => ({ value: name, label: name })),
          ]}
          onChange={setCompound}
        />
      </Flex>
      <PairsTable
        changes={isWhole ? shown : shown.slice(0, SHOWN_FIRST)}
        drawings={drawings}
        trainingTarget={training_target}
        nameOf={nameOf}
        onApply={onApply}
      />
      {!isWhole && shown.length > SHOWN_FIRST && (
        <Button variant="default" onClick={() => setIsWhole(true)}>
          {`Show all ${shown.length}`}
        </Button>
      )}
      <p className="small quiet">
        {`Changes in pK; the plot goes from −2 to +2. Training: pairs within one ChEMBL assay${
          training_target === null ? '' : `; this target is ${training_target}`
        }. Compounds of opposite configuration are not paired.`}
      </p>
    </>
  )
}

function wordCount(shown: number, total: number): string {
  if (shown === total) return `${total} changes, most measured pairs first`
  return `The ${shown} changes with the most measured pairs, of ${total.toLocaleString('en')}`
}
