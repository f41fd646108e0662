/** Whether the model knows this kind of pair, and how near its training data come. */
import type { PredictionResult } from '@pkdex/contract'
import { Note } from '#web/ui/note.tsx'
import { formatPkd } from './affinity.ts'
import styles from './domain-note.module.css'

export function DomainNote({ details }: { details: PredictionResult }) {
  const { domain, nearest_compound: compound, nearest_targets: targets } = details
  const measured = details.measured_compounds ?? []
  return (
    <Note tone={isWellKnown(domain) ? 'success' : 'warning'} title={titleOf(domain)}>
      <p>{domain.reason}</p>
      <dl className={styles.nearest}>
        <div>
          <dt>Nearest training compound</dt>
          <dd>Tanimoto similarity {compound.similarity.toFixed(2)}</dd>
        </div>
        <Rows
          title="Nearest training targets, share of sequence words in common"
          rows={targets.map(({ name, similarity }) => [name, similarity.toFixed(2)])}
        />
        <Rows
          title={`Similar compounds measured on ${targets[0]?.name}, pKd or pKi`}
          rows={measured.map((one) => [
            describeMeasured(one),
            `similarity ${one.similarity.toFixed(2)}`,
          ])}
        />
      </dl>
    </Note>
  )
}

/** Nothing where there are no rows. */
function Rows({ title, rows }: { title: string; rows: [what: string, similarity: string][] }) {
  if (rows.length === 0) return null
  return (
    <div>
      <dt>{title}</dt>
      {rows.map(([what, similarity], index) => (
        <dd key={index} className={styles.row}>
          <span>{what}</span>
          {similarity}
        </dd>
      ))}
    </div>
  )
}

type Measured = NonNullable<PredictionResult['measured_compounds']>[number]

function describeMeasured({ pk, is_upper_bound }: Measured): string {
  return is_upper_bound ? `below ${formatPkd(pk)}` : formatPkd(pk)
}

function isWellKnown({ is_inside, is_ligand_driven }: PredictionResult['domain']): boolean {
  return is_inside && !is_ligand_driven
}

function titleOf({ is_inside, is_ligand_driven }: PredictionResult['domain']): string {
  if (is_ligand_driven) return 'Driven by the compound: the target is unknown to the model'
  return is_inside ? 'Inside the model’s domain' : 'Outside the model’s domain'
}
