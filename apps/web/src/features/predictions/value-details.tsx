/** Everything under the scale that makes the number usable: intervals, units, domain, origin. */
import { Button } from '#web/ui/button.ts'
import { useClipboard } from '@mantine/hooks'
import { FIXED_INTERVAL_PERCENT, FIXED_INTERVAL_PKD, type PredictionResult } from '@pkdex/contract'
import { largeCountOf } from '#web/lib/format.ts'
import { Note } from '#web/ui/note.tsx'
import {
  fixedBounds,
  formatBounds,
  formatEnergy,
  formatKd,
  formatLevel,
  formatPkd,
} from '#web/lib/affinity.ts'
import { OwnValues } from './own-values.tsx'
import type { Prediction } from './prediction-state.ts'
import classes from './value-details.module.css'

export function ValueDetails({ prediction }: { prediction: Prediction }) {
  const { pkd, details } = prediction
  return (
    <>
      {details && <OwnValues details={details} />}
      <IntervalKey prediction={prediction} />
      <p className={`quiet small ${classes.convention}`}>{describeIntervals(details !== null)}</p>
      <Units pkd={pkd} />
      {details && <DomainNote details={details} />}
      <div className={classes.actions}>
        <CopyValue text={formatPkd(pkd)} />
        {details && (
          <span className="faint small">
            Model <span className="mono">{details.model_version}</span>
          </span>
        )}
      </div>
    </>
  )
}

function IntervalKey({ prediction: { pkd, details } }: { prediction: Prediction }) {
  return (
    <dl className={classes.key}>
      <div>
        <dt className={classes.band}>{FIXED_INTERVAL_PERCENT}% confidence, fixed interval</dt>
        <dd>{formatBounds(fixedBounds(pkd))}</dd>
      </div>
      {details && (
        <div>
          <dt className={classes.own}>
            {formatLevel(details.interval)}, the model’s own interval for this pair
          </dt>
          <dd>{formatBounds(details.interval)}</dd>
        </div>
      )}
    </dl>
  )
}

/** The level of the fixed one is a convention as well, and was not measured. */
function describeIntervals(hasOwn: boolean): string {
  const fixed = `The ± ${FIXED_INTERVAL_PKD} is fixed by convention and the same for every pair`
  return hasOwn ? `${fixed}; the calibrated interval is the model’s own.` : `${fixed}.`
}

function Units({ pkd }: { pkd: number }) {
  const { kilocalories, kilojoules } = formatEnergy(pkd)
  return (
    <dl className={classes.units}>
      <div>
        <dt>Kd</dt>
        <dd>{formatKd(pkd)}</dd>
      </div>
      <div>
        <dt>ΔG at 25 °C</dt>
        <dd>
          {kilocalories} <small>({kilojoules})</small>
        </dd>
      </div>
    </dl>
  )
}

/** Whether the model knows this kind of pair, and how near its training data come. */
function DomainNote({ details }: { details: PredictionResult }) {
  const { domain, nearest_compound: compound, nearest_targets: targets } = details
  const measured = details.measured_compounds ?? []
  return (
    <Note isQuiet tone={isWellKnown(domain) ? 'success' : 'warning'} title={titleOf(domain)}>
      <p>{domain.reason}</p>
      <dl className={classes.nearest}>
        <div>
          <dt>Nearest training compound</dt>
          <dd>Tanimoto similarity {compound.similarity.toFixed(2)}</dd>
        </div>
        <Rows
          title="Nearest training targets"
          rows={targets.map((one) => [one.name, describeTarget(one)])}
        />
        <Rows
          title={`Similar compounds measured on ${targets[0]?.name}, pKd or pKi`}
          rows={measured.map((one) => [
            describeMeasured(one),
            `similarity ${one.similarity.toFixed(2)}`,
          ])}
        />
      </dl>
      {details.measured_compounds?.length === 0 && !details.nearest_measured_compound && (
        <p className={classes.none}>No measured compound is alike on this target.</p>
      )}
      {details.is_mostly_ic50 === true && (
        <p className={classes.none}>
          Most of what is known of this target is IC50. The number reads as a Kd; an IC50 usually
          lies below it.
        </p>
      )}
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
        <dd key={index} className={classes.row}>
          <span>{what}</span>
          {similarity}
        </dd>
      ))}
    </div>
  )
}

type NearTarget = PredictionResult['nearest_targets'][number]

/** `98% identical, 1,204 values measured`; results from before that was counted know shared sequence words alone. */
function describeTarget({ identity_percent, measurements, similarity }: NearTarget): string {
  if (measurements === undefined) return `similarity ${similarity.toFixed(2)}`
  const identity =
    identity_percent === undefined
      ? 'too little in common to align'
      : `${identity_percent.toFixed(0)}% identical`
  return `${identity}, ${largeCountOf(measurements, 'value')} measured`
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

/** Copies the number as it is shown. */
function CopyValue({ text }: { text: string }) {
  const { copy, copied, error } = useClipboard({ timeout: 2000 })
  return (
    <>
      <Button variant="subtle" color="gray" onClick={() => copy(text)}>
        {copied ? 'Copied' : 'Copy value'}
      </Button>
      <output className={error ? 'small' : 'visually-hidden'}>
        {error ? 'The browser did not allow it. Select the number and copy it.' : ''}
        {copied ? `${text} copied` : ''}
      </output>
    </>
  )
}
