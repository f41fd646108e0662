/** Columns of the results about the compound and its efficiency: properties, structural alerts, and a profile. */
import { propertyLabels, rowProperties, type ScreenRow } from '@pkdex/contract'
import { AlertCell } from './alert-cell.tsx'
import { type Column, type Pairs, strongestOf } from './table-columns.tsx'

/** With several targets in a row, efficiencies and the profile are those of the strongest pair. */
export function propertyColumns(hasProfile: boolean): Column[] {
  const properties = rowProperties.map((name): Column => {
    const { short, digits, isShown } = propertyLabels[name]
    return {
      id: `property ${name}`,
      label: short,
      sort: { by: name },
      isNumber: true,
      isHidden: !isShown,
      cell: (pairs) => number(rowOf(pairs)[name], digits),
    }
  })
  const alerts: Column = {
    id: 'alerts',
    label: 'Alerts',
    cell: ([row]) => <AlertCell alerts={row.alerts ?? null} smiles={row.smiles} />,
  }
  return [...(hasProfile ? [profileColumn] : []), ...properties, alerts]
}

const profileColumn: Column = {
  id: 'profile',
  label: 'Meets profile',
  sort: { by: 'profile' },
  isNumber: true,
  cell: (pairs) => <ProfileCell row={rowOf(pairs)} />,
}

/** The share is rounded down, like chances. */
function ProfileCell({ row }: { row: ScreenRow }) {
  const { profile_probability: share, profile_tied: isTied } = row
  if (share === null || share === undefined) return '–'
  return (
    <>
      <b>{Math.floor(share * 100)}%</b>
      {isTied === true && <span className="faint"> not told apart from the best</span>}
    </>
  )
}

function rowOf(pairs: Pairs): ScreenRow {
  return strongestOf(pairs) ?? pairs[0]
}

function number(value: number | null | undefined, digits: number): string {
  if (value === null || value === undefined) return '–'
  return value.toFixed(digits).replace(/^-/, '−')
}
