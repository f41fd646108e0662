/** The tab of a series with its clusters, a diverse choice of its compounds, and its activity cliffs. */
import { Box, Flex } from '#web/ui/layout.ts'
import type { Screen, ScreenRow, ScreenTarget, SeriesClusters } from '@pkdex/contract'
import { useQuery } from '@tanstack/react-query'
import { NewScreenOf } from '#web/features/files/new-screen-of.tsx'
import { useShortlist } from '#web/features/files/shortlist.tsx'
import { numberInRows } from '#web/features/series/cells.ts'
import { clustersQuery } from '#web/features/series/cluster-queries.ts'
import { CliffTable, ClusterCards, DiverseChoice } from '#web/features/series/clusters.tsx'
import { Computation } from '#web/features/series/computing.tsx'
import { useLists } from '#web/features/series/make-list.ts'
import { withValues } from '#web/features/series/pairs-queries.ts'
import { measuredQuery } from '#web/features/series/series-queries.ts'
import { useTicked } from '#web/features/selection/use-ticked.ts'
import { Select } from '#web/ui/field.tsx'
import { Note } from '#web/ui/note.tsx'
import { keyOfCompound, SeriesSelection } from './series-selection.tsx'

type Props = {
  screen: Screen
  target: ScreenTarget
  rows: ScreenRow[] | undefined
  similarity: string | null
  pick: string | null
  change: (changes: Record<string, string | null>) => void
}

const SIMILARITIES = ['0.4', '0.5', '0.6', '0.7', '0.8']
const PICKS = ['5', '10', '20', '50']

export function ClustersTab({ screen, target, rows, change, ...choices }: Props) {
  const measured = useQuery(measuredQuery(target.name)).data
  const similarity = chosenOf(SIMILARITIES, choices.similarity, '0.6')
  const pick = chosenOf(PICKS, choices.pick, '10')
  const compounds = rows && measured && withValues(rows, measured)
  const choice = { similarity: Number(similarity), pick: Number(pick) }
  const options = clustersQuery(screen.id, compounds, choice)
  const clusters = useQuery(options)
  if (rows?.length === 0) {
    return <Note tone="info">This screen has no compounds to compare.</Note>
  }
  return (
    <div className="stack" aria-busy={clusters.isPlaceholderData}>
      <Computation
        query={clusters}
        queryKey={options.queryKey}
        what="the clusters"
        isReady={compounds !== undefined}
      />
      {clusters.data && rows && compounds && (
        <Found
          {...{ screen, rows, target, similarity, pick, change }}
          found={clusters.data}
          pkOf={(place) => compounds[place]?.pk}
        />
      )}
    </div>
  )
}

function chosenOf(options: string[], chosen: string | null, otherwise: string): string {
  return options.find((option) => option === chosen) ?? otherwise
}

type FoundProps = Pick<Props, 'screen' | 'target' | 'change'> & {
  found: SeriesClusters
  rows: ScreenRow[]
  similarity: string
  pick: string
  pkOf: (place: number) => number | undefined
}

function Found({ found, screen, rows, target, similarity, pick, change, pkOf }: FoundProps) {
  const { clusters, picked, cliffs, cliffs_total } = found
  const { make, toggle, failure } = useLists(target.name)
  const shortlist = useShortlist()
  const ticked = useTicked(keyOfCompound)
  return (
    <>
      <Box component="section" className="sheet" aria-label="Clusters" miw={0} p="md">
        <Flex wrap="wrap" rowGap="sm" columnGap="lg" align="end" justify="space-between" mb="md">
          <div>
            <h2>Clusters</h2>
            <p className="quiet">{wordClusters(clusters)}</p>
          </div>
          <Select
            label="Similarity at least"
            value={similarity}
            options={SIMILARITIES.map((value) => ({ value, label: value }))}
            onChange={(value) => change({ similarity: value })}
          />
        </Flex>
        <ClusterCards
          {...{ clusters, rows, pkOf }}
          newScreen={(names) => (
            <NewScreenOf
              targets={[target.name]}
              compounds={names.filter((name) => shortlist.has(name))}
            />
          )}
        />
      </Box>
      <Box component="section" className="sheet" aria-label="Diverse choice" miw={0} p="md">
        <Flex wrap="wrap" rowGap="sm" columnGap="lg" align="end" justify="space-between" mb="md">
          <div>
            <h2>Diverse compounds</h2>
            <p className="quiet">Each is the least similar to those before it.</p>
          </div>
          <Select
            label="How many"
            value={pick}
            options={PICKS.map((value) => ({ value, label: value }))}
            onChange={(value) => change({ pick: value })}
          />
        </Flex>
        <DiverseChoice
          {...{ picked, rows, pkOf }}
          listed={new Set(make)}
          onList={(smiles) => toggle('make', smiles, numberInRows(rows, smiles))}
        />
        {failure !== null && <Note tone="failure">{failure}</Note>}
      </Box>
      <Box component="section" className="sheet" aria-label="Activity cliffs" miw={0} p="md">
        <Flex wrap="wrap" rowGap="sm" columnGap="lg" align="end" justify="space-between" mb="md">
          <div>
            <h2>Activity cliffs</h2>
            <p className="quiet">{wordCliffs(cliffs.length, cliffs_total, similarity)}</p>
          </div>
        </Flex>
        {cliffs.length > 0 && (
          <CliffTable
            {...{ cliffs, rows, pkOf }}
            isTicked={(row) => ticked.rows.has(keyOfCompound(row))}
            onTick={ticked.tick}
          />
        )}
        <p className="small quiet">
          Tanimoto similarity of Morgan fingerprints. Stereochemistry is not compared.
        </p>
        <SeriesSelection {...{ screen, target, ticked }} />
      </Box>
    </>
  )
}

function wordClusters(clusters: SeriesClusters['clusters']): string {
  const single = clusters.filter(({ members }) => members.length === 1).length
  const count = clusters.length.toLocaleString('en')
  return `${count} ${clusters.length === 1 ? 'cluster' : 'clusters'}, ${single.toLocaleString('en')} of a single compound`
}

function wordCliffs(shown: number, total: number, similarity: string): string {
  if (total === 0) {
    return `No two measured compounds of similarity ${similarity} or more differ by 1 pK or more.`
  }
  const which =
    shown < total
      ? `The ${shown} largest of ${total.toLocaleString('en')} pairs`
      : `${total} ${total === 1 ? 'pair' : 'pairs'}`
  return `${which} with a similarity of ${similarity} or more and values that differ by 1 pK or more`
}
