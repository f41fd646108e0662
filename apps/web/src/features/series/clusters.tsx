/** Clusters as cards, a diverse choice, and a table of activity cliffs. */
import { Box } from '#web/ui/layout.ts'
import type { ScreenRow, SeriesClusters } from '@pkdex/contract'
import { type ReactNode, useState } from 'react'
import { OwnerOnly } from '#web/lib/viewing.tsx'
import { Button, UnstyledButton } from '#web/ui/button.ts'
import { type Column, DataTable } from '#web/ui/data-table.tsx'
import { Checkbox } from '#web/ui/field.tsx'
import classes from './clusters.module.css'
import { Drawing } from './series-side.tsx'

const CARDS_AT_ONCE = 12

type Props = {
  rows: ScreenRow[]
  /** The pK if it was measured exactly. */
  pkOf: (place: number) => number | undefined
}

export function ClusterCards({
  clusters,
  rows,
  pkOf,
  newScreen,
}: Props & {
  clusters: SeriesClusters['clusters']
  /** Starts a screen of these compounds. */
  newScreen: (compounds: string[]) => ReactNode
}) {
  const [shown, setShown] = useState(CARDS_AT_ONCE)
  return (
    <>
      <ul className={classes.cards} aria-label="Clusters">
        {clusters.slice(0, shown).map(({ centre, members, best }) => (
          <li key={centre}>
            <Drawing smiles={rows[centre]?.smiles ?? ''} />
            <Box component="h3" fz="md">
              {rows[centre]?.compound}
            </Box>
            <p className="quiet">{wordSize(members.length)}</p>
            {best !== null && (
              <p>
                <span aria-hidden="true">◆</span>{' '}
                {`Best ${pkOf(best)?.toFixed(2) ?? ''}, ${rows[best]?.compound ?? ''}`}
              </p>
            )}
            {members.length > 1 && (
              <details>
                <summary className="unfold">Members</summary>
                <p className="small">
                  {members.map((place) => rows[place]?.compound ?? '').join(', ')}
                </p>
                {newScreen(members.map((place) => rows[place]?.compound ?? ''))}
              </details>
            )}
          </li>
        ))}
      </ul>
      {shown < clusters.length && (
        <Button variant="default" onClick={() => setShown(shown + CARDS_AT_ONCE)}>
          {`Show more of ${clusters.length.toLocaleString('en')}`}
        </Button>
      )}
    </>
  )
}

type PickedProps = Props & {
  picked: number[]
  listed: ReadonlySet<string>
  onList: (smiles: string) => void
}

export function DiverseChoice({ picked, rows, pkOf, listed, onList }: PickedProps) {
  return (
    <ol className={classes.cards} aria-label="Diverse compounds">
      {picked.map((place) => {
        const { compound = '', smiles = '' } = rows[place] ?? {}
        const value = pkOf(place)
        const isListed = listed.has(smiles)
        return (
          <li key={place}>
            <Drawing smiles={smiles} />
            <Box component="h3" fz="md">
              {compound}
            </Box>
            {value !== undefined && (
              <p>
                <span aria-hidden="true">◆</span> {value.toFixed(2)}
              </p>
            )}
            <OwnerOnly>
              <UnstyledButton
                className={classes.action}
                aria-pressed={isListed}
                aria-label={`${isListed ? 'On the list' : 'Add to make list'}: ${compound}`}
                onClick={() => onList(smiles)}
              >
                {isListed ? 'On the list' : 'Make list'}
              </UnstyledButton>
            </OwnerOnly>
          </li>
        )
      })}
    </ol>
  )
}

type Cliff = SeriesClusters['cliffs'][number]

type CliffTableProps = Props & {
  cliffs: Cliff[]
  isTicked: (row: ScreenRow) => boolean
  onTick: (row: ScreenRow) => void
}

/** A compound of several cliffs is ticked in all of them. */
export function CliffTable({ cliffs, rows, pkOf, isTicked, onTick }: CliffTableProps) {
  const compoundColumn = (title: string, placeOf: (cliff: Cliff) => number): Column<Cliff> => ({
    title,
    cellClass: classes.compound,
    cell(cliff) {
      const place = placeOf(cliff)
      const row = rows[place]
      if (row === undefined) return null
      return (
        <>
          <Drawing smiles={row.smiles} />
          <Checkbox isChecked={isTicked(row)} onChange={() => onTick(row)}>
            <span className="visually-hidden">Select </span>
            <span>
              <span className="small">{row.compound}</span> <b>{pkOf(place)?.toFixed(2)}</b>
            </span>
          </Checkbox>
        </>
      )
    },
  })
  return (
    <DataTable
      label="Activity cliffs"
      region="Cliffs"
      isInset
      rows={cliffs}
      keyOf={({ weaker, stronger }) => `${weaker} ${stronger}`}
      columns={[
        compoundColumn('Weaker', ({ weaker }) => weaker),
        compoundColumn('Stronger', ({ stronger }) => stronger),
        { title: 'Difference in pK', cell: ({ change }) => <b>{change.toFixed(2)}</b> },
        {
          title: 'Similarity',
          cell: ({ stereoisomers, similarity }) =>
            stereoisomers ? 'Stereoisomers' : similarity.toFixed(2),
        },
      ]}
    />
  )
}

function wordSize(count: number): string {
  return count === 1 ? '1 compound' : `${count.toLocaleString('en')} compounds`
}
