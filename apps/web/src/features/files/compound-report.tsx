/** What was read of a compound: formula, mass, and what was changed before it is used. */
import type { Compound } from '@pkdex/contract'
import { Formula } from '#web/ui/formula.tsx'
import { CompoundChanges } from './compound-changes.tsx'
import classes from './report.module.css'
import { Warnings } from './warnings.tsx'

export function CompoundReport({ compound }: { compound: Compound }) {
  const { formula, mass, warnings } = compound.report
  return (
    <>
      <p className={classes.compound}>
        <strong>{compound.name}</strong>
        <span>
          <Formula text={formula} />, {mass.toFixed(1)} g/mol
        </span>
      </p>
      <CompoundChanges compound={compound} />
      <Warnings warnings={warnings} />
    </>
  )
}
