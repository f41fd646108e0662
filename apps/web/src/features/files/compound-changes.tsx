/** What was changed in a compound before it is used: alike after the upload and under its picture. */
import type { Compound } from '@pkdex/contract'

export function CompoundChanges({ compound }: { compound: Compound }) {
  const { stripped, neutralised } = compound.report
  return (
    <>
      {stripped.length > 0 && (
        <p className="quiet small">
          Stripped: <span className="mono">{stripped.join(', ')}</span>
        </p>
      )}
      {neutralised > 0 && <p className="quiet small">Neutralised: {countCharges(neutralised)}</p>}
    </>
  )
}

function countCharges(count: number): string {
  return count === 1 ? '1 charge' : `${count} charges`
}
