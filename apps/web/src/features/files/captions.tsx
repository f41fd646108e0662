/** A few lines about the selected target or compound, under its picture. */
import type { Compound, Target } from '@pkdex/contract'
import { countOf } from '#web/lib/format.ts'
import { Formula } from '#web/ui/formula.tsx'
import classes from './captions.module.css'
import { describeInLines } from './describe-target.ts'

export function TargetCaption({ target }: { target: Target }) {
  const { name, report } = target
  return (
    <div className={classes.caption}>
      <b>{name}</b>
      {describeInLines(target).map((line) => (
        <p key={line}>{line}</p>
      ))}
      {report.warnings.map((warning) => (
        <p key={warning} className={classes.warning}>
          {warning}
        </p>
      ))}
    </div>
  )
}

/** Formula, mass, changes to the molecule, and stereochemistry that the model ignores. */
export function CompoundCaption({ compound }: { compound: Compound }) {
  const { name, report } = compound
  return (
    <div className={classes.caption}>
      <b>{name}</b>
      <p>
        <Formula text={report.formula} />, {report.mass.toFixed(1)} g/mol
      </p>
      <CompoundChanges compound={compound} />
      {hasStereochemistry(report.standard_smiles) && (
        <p>The model ignores stereochemistry: all stereoisomers get the same prediction.</p>
      )}
      {report.warnings.map((warning) => (
        <p key={warning} className={classes.warning}>
          {warning}
        </p>
      ))}
    </div>
  )
}

/** A tetrahedral centre or the geometry of a double bond, in SMILES. */
function hasStereochemistry(smiles: string): boolean {
  return /[@/\\]/.test(smiles)
}

/** What was changed in a compound before use; shown after the upload and below its picture. */
export function CompoundChanges({ compound }: { compound: Compound }) {
  const { stripped, neutralised } = compound.report
  return (
    <>
      {stripped.length > 0 && (
        <p className="quiet small">
          Removed: <span className="mono">{stripped.join(', ')}</span>
        </p>
      )}
      {neutralised > 0 && (
        <p className="quiet small">Neutralised: {countOf(neutralised, 'charge')}</p>
      )}
    </>
  )
}
