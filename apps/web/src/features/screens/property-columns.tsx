/** Columns of the results about the compound and its efficiency: properties, structural alerts, and a profile. */
import { describeColumn, rowProperties, type ScreenRow } from '@pkdex/contract'
import { formatNumber } from '#web/lib/format.ts'
import { AlertCell } from './alert-cell.tsx'
import { type Column, columnOf, type Pairs, strongestOf } from './table-columns.tsx'

/** With several targets in a row, efficiencies and the profile are those of the strongest pair. */
export function propertyColumns(hasProfile: boolean): Column[] {
  const properties = rowProperties.map((name) =>
    columnOf(name, `property ${name}`, (pairs) =>
      formatNumber(rowOf(pairs)[name], describeColumn(name).digits),
    ),
  )
  const alerts = columnOf('alerts', 'alerts', ([row]) => (
    <AlertCell alerts={row.alerts ?? null} smiles={row.smiles} />
  ))
  return [...(hasProfile ? [profileColumn] : []), ...properties, alerts]
}

const profileColumn = columnOf('profile_probability', 'profile', (pairs) => (
  <ProfileCell row={rowOf(pairs)} />
))

/** The share is rounded down, like chances. */
function ProfileCell({ row }: { row: ScreenRow }) {
  const { profile_probability: share, profile_tied: isTied } = row
  if (share === null || share === undefined) return '–'
  return (
    <>
      <b>{Math.floor(share * 100)}%</b>
      {isTied === true && <span className="faint"> tied with the best</span>}
    </>
  )
}

function rowOf(pairs: Pairs): ScreenRow {
  return strongestOf(pairs) ?? pairs[0]
}
