/** Everything under the scale that makes the number usable: intervals, units, domain, own values, actions. */
import { Flex, Stack } from '#web/ui/layout.ts'
import { Button } from '#web/ui/button.ts'
import { useClipboard } from '@mantine/hooks'
import { FIXED_INTERVAL_PERCENT, FIXED_INTERVAL_PKD } from '@pkdex/contract'
import type { ReactNode } from 'react'
import {
  fixedBounds,
  formatBounds,
  formatKdRange,
  formatKilocalories,
  formatLevel,
  formatPkd,
  formatRoughKd,
  ligandEfficiency,
  lipophilicEfficiency,
} from '#web/lib/affinity.ts'
import { DomainLine, domainStateOf } from './domain-line.tsx'
import { EstimateStages, UnusedValues } from './estimate-stages.tsx'
import type { Prediction } from './prediction-state.ts'
import classes from './value-details.module.css'

/** What efficiencies are worked out from; without a part of it they are left out. */
export type CompoundSize = { heavyAtoms: number; logP: number | undefined }

type Props = {
  prediction: Prediction
  target: string | null
  size: CompoundSize | null
  /** Adds a measured value to the pair. */
  addValue: ReactNode
}

export function ValueDetails({ prediction, target, size, addValue }: Props) {
  const { pkd, details } = prediction
  return (
    <>
      <IntervalKey prediction={prediction} />
      <Facts prediction={prediction} size={size} />
      {details && <EstimateStages {...{ details, target }} />}
      {details && (
        <Stack component="ul" className={classes.lines} gap={4} mt={10} fz="0.9rem">
          <DomainLine details={details} />
          <UnusedValues details={details} />
        </Stack>
      )}
      <Flex className={classes.actions} wrap="wrap" rowGap={0} columnGap={4} mt={4} ml={-12}>
        <CopyText label="Copy value" text={formatPkd(pkd)} what={formatPkd(pkd)} />
        <CopyText label="Copy link" text={window.location.href} what="Link" />
        {addValue}
      </Flex>
    </>
  )
}

/** The calibrated one comes first: it is the one to decide by. The other is a convention, and was not measured. */
function IntervalKey({ prediction: { pkd, interval } }: { prediction: Prediction }) {
  return (
    <dl className={classes.key}>
      {interval && (
        <div>
          <dt className={classes.own}>{formatLevel(interval)} interval, calibrated</dt>
          <dd>{formatBounds(interval)}</dd>
        </div>
      )}
      <div>
        <dt className={classes.band}>
          ± {FIXED_INTERVAL_PKD} by convention ({FIXED_INTERVAL_PERCENT}%)
        </dt>
        <dd>{formatBounds(fixedBounds(pkd))}</dd>
      </div>
    </dl>
  )
}

/** Digits follow the uncertainty: fewer where the pair is less known, and a range alone outside the domain. */
function Facts({ prediction, size }: Pick<Props, 'prediction' | 'size'>) {
  return (
    <Flex component="dl" className={classes.facts} wrap="wrap" mt="sm">
      {factsOf(prediction, size).map(([term, value, more]) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd>
            {value} {more !== undefined && <small>{more}</small>}
          </dd>
        </div>
      ))}
    </Flex>
  )
}

type Fact = [term: string, value: string, more?: string]

function factsOf({ pkd, interval, details }: Prediction, size: CompoundSize | null): Fact[] {
  const state = details ? domainStateOf(details) : 'known_on_other_targets'
  const bounds = interval ?? fixedBounds(pkd)
  if (state === 'outside') {
    const energies = `${formatKilocalories(bounds.upper, 0)} to ${formatKilocalories(bounds.lower, 0)}`
    return [
      ['Kd', formatKdRange(bounds)],
      ['ΔG', energies, 'kcal/mol'],
    ]
  }
  const isKnown = state === 'known_on_target'
  return [
    ['Kd', formatRoughKd(pkd, isKnown ? 2 : 1), formatKdRange(bounds)],
    ['ΔG', formatKilocalories(pkd, isKnown ? 1 : 0), 'kcal/mol'],
    ...(size === null ? [] : efficienciesOf(pkd, size)),
  ]
}

function efficienciesOf(pk: number, { heavyAtoms, logP }: CompoundSize): Fact[] {
  const efficiency: Fact = ['LE', ligandEfficiency(pk, heavyAtoms)]
  return logP === undefined ? [efficiency] : [efficiency, ['LLE', lipophilicEfficiency(pk, logP)]]
}

type CopyTextProps = { label: string; text: string; what: string }

/** Copies the number as it is shown, or the address of the pair. */
function CopyText({ label, text, what }: CopyTextProps) {
  const { copy, copied, error } = useClipboard({ timeout: 2000 })
  return (
    <>
      <Button variant="subtle" onClick={() => copy(text)}>
        {copied ? 'Copied' : label}
      </Button>
      <output className={error ? 'small' : 'visually-hidden'}>
        {error ? 'The browser blocked copying. Select the text and copy it.' : ''}
        {copied ? `${what} copied` : ''}
      </output>
    </>
  )
}
