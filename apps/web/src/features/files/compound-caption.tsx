/** What was read of the selected compound, under its picture: formula, mass, what was changed, and what the model does not see. */
import type { Compound } from '@pkdex/contract'
import { Formula } from '#web/ui/formula.tsx'
import styles from './caption.module.css'
import { CompoundChanges } from './compound-changes.tsx'

export function CompoundCaption({ compound }: { compound: Compound }) {
  const { name, report } = compound
  return (
    <div className={styles.caption}>
      <b>{name}</b>
      <p>
        <Formula text={report.formula} />, {report.mass.toFixed(1)} g/mol
      </p>
      <CompoundChanges compound={compound} />
      {hasStereochemistry(report.standard_smiles) && (
        <p>The model ignores stereochemistry: stereoisomers get the same number.</p>
      )}
      {report.warnings.map((warning) => (
        <p key={warning} className={styles.warning}>
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
