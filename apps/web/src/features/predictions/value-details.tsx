/** Everything under the scale that makes the number usable: intervals, units, domain, origin. */
import { FIXED_INTERVAL_PERCENT, FIXED_INTERVAL_PKD } from '@pkdex/contract'
import { formatEnergy, formatKd, formatPkd } from './affinity.ts'
import { CopyValue } from './copy-value.tsx'
import { DomainNote } from './domain-note.tsx'
import { fixedBounds, formatBounds, formatLevel } from './intervals.ts'
import type { Prediction } from './reading.ts'
import styles from './value-details.module.css'

export function ValueDetails({ prediction }: { prediction: Prediction }) {
  const { pkd, details } = prediction
  return (
    <>
      <IntervalKey prediction={prediction} />
      <p className={`quiet small ${styles.convention}`}>{describeIntervals(details !== null)}</p>
      <Units pkd={pkd} />
      {details && <DomainNote details={details} />}
      <div className={styles.actions}>
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
    <dl className={styles.key}>
      <div>
        <dt className={styles.band}>{FIXED_INTERVAL_PERCENT}% confidence, fixed interval</dt>
        <dd>{formatBounds(fixedBounds(pkd))}</dd>
      </div>
      {details && (
        <div>
          <dt className={styles.own}>
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
    <dl className={styles.units}>
      <div>
        <dt>pKd</dt>
        <dd>{formatPkd(pkd)}</dd>
      </div>
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
