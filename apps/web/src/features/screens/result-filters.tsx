/** Filters the results: a search, and conditions that apply while typed and are shown as chips; all in the URL. */
import { ColumnGrid, Stack } from '#web/ui/layout.ts'
import {
  describeColumn,
  type DomainState,
  rowProperties,
  type RowProperty,
  type ScreenTarget,
} from '@pkdex/contract'
import { useDebouncedCallback } from '@mantine/hooks'
import { type ReactNode, useEffect, useState } from 'react'
import {
  type AffinityUnit,
  boundUnits,
  fromBound,
  toBound,
  useAffinityUnit,
} from '#web/lib/affinity-unit.ts'
import { domainStates, domainTitles } from '#web/lib/domain-states.ts'
import { UnstyledButton } from '#web/ui/button.ts'
import { Field, Select, Switch } from '#web/ui/field.tsx'
import { Icon } from '#web/ui/icon.tsx'
import { Popover } from '#web/ui/popover.tsx'
import { SearchField } from '#web/ui/search-field.tsx'
import { ToolIcon } from '#web/ui/tool-icon.tsx'
import classes from './result-filters.module.css'
import type { ResultsFilter } from './results-params.ts'

type Change = Partial<Record<keyof ResultsFilter, string | undefined>>

type Props = {
  targets: ScreenTarget[]
  filter: ResultsFilter
  /** The error message for the substructure. */
  smartsProblem: string | null
  onChange: (change: Change) => void
  /** Placed at the end of the line. */
  children: ReactNode
}

const DOMAINS: { value: DomainState | ''; label: string }[] = [
  { value: '', label: 'Any' },
  ...domainStates.map((state) => ({ value: state, label: domainTitles[state] })),
]

export function ResultFilters({ children, ...conditions }: Props) {
  const { filter, onChange } = conditions
  const unit = useAffinityUnit()
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- not every browser knows the tag
    <div className={classes.filters} role="search" aria-label="Filter the results">
      <div className={classes.search}>
        <SearchField
          label="Name or SMILES"
          search={filter.text ?? ''}
          charactersMax={320}
          onSearch={(text) => onChange({ text })}
        />
      </div>
      {chipsOf(filter, unit).map(({ name, label }) => (
        <UnstyledButton
          key={name}
          className={classes.chip}
          aria-label={`Remove the filter ${label}`}
          onClick={({ currentTarget }) => {
            // The focused chip disappears, so the search gets the focus.
            currentTarget.parentElement?.querySelector<HTMLElement>('[aria-expanded]')?.focus()
            onChange({ [name]: undefined })
          }}
        >
          {label} <Icon name="close" size={12} />
        </UnstyledButton>
      ))}
      <Popover
        label="Filter"
        className={classes.add}
        leftSection={<ToolIcon name="plus" size={14} />}
      >
        <Conditions {...conditions} unit={unit} />
      </Popover>
      {children}
    </div>
  )
}

function chipsOf(
  filter: ResultsFilter,
  unit: AffinityUnit,
): { name: keyof ResultsFilter; label: string }[] {
  const name = (side: 'min' | 'max') => nameRange(filter, side, unit)
  const labels: [keyof ResultsFilter, string | false | undefined][] = [
    ['target', filter.target],
    ['min', name('min')],
    ['max', name('max')],
    // Only in links from before there were three domain states.
    ['in_domain', filter.in_domain && (filter.in_domain === 'true' ? 'Known' : 'Not known')],
    ['domain_state', filter.domain_state && domainTitles[filter.domain_state]],
    ['starred', filter.starred && 'Starred'],
    ['smarts', filter.smarts && `Contains ${filter.smarts}`],
    ['alerts', ALERTS.find(({ value }) => value !== '' && value === filter.alerts)?.label],
    ['profile', filter.profile && 'Profile'],
    ...propertyChips(filter),
  ]
  return labels.flatMap(([name, label]) => (label ? [{ name, label }] : []))
}

function nameRange(filter: ResultsFilter, side: 'min' | 'max', unit: AffinityUnit) {
  const bound = filter[side]
  return bound === undefined ? undefined : nameBound(side, bound, unit)
}

type ConditionsProps = Omit<Props, 'children'> & { unit: AffinityUnit }

function Conditions({ targets, filter, smartsProblem, unit, onChange }: ConditionsProps) {
  const names = [...new Set(targets.map(({ name }) => name))]
  const anyTarget = { value: '', label: 'Any target' }
  return (
    <Stack className={classes.conditions} gap="sm">
      {names.length > 1 && (
        <Select
          label="Target"
          value={filter.target ?? ''}
          options={[anyTarget, ...names.map((name) => ({ value: name, label: name }))]}
          onChange={(target) => onChange({ target })}
        />
      )}
      <AffinityRange {...{ filter, unit, onChange }} />
      <Select
        label="Domain"
        value={filter.domain_state ?? ''}
        options={DOMAINS}
        onChange={(domain_state) => onChange({ domain_state, in_domain: undefined })}
      />
      <Switch
        label="Starred only"
        checked={filter.starred === 'true'}
        onChange={({ currentTarget: { checked } }) =>
          onChange({ starred: checked ? 'true' : undefined })
        }
      />
      <Typed
        label="Substructure, as SMARTS"
        step={null}
        value={filter.smarts ?? ''}
        problem={smartsProblem}
        onType={(smarts) => onChange({ smarts })}
      />
      <Select
        label="Structural alerts"
        value={filter.alerts ?? ''}
        options={ALERTS}
        onChange={(alerts) => onChange({ alerts })}
      />
      <PropertyRange {...{ filter, onChange }} />
    </Stack>
  )
}

function isEmptyRange(from: number | undefined, to: number | undefined): string | null {
  return from !== undefined && to !== undefined && from > to ? 'From is larger than to' : null
}

/** `pKd ≥ 7`, `Kd ≤ 100 nM`: a stronger affinity is a larger pKd and a smaller Kd. */
function nameBound(side: 'min' | 'max', pkd: number, unit: AffinityUnit): string {
  const isLower = (side === 'min') === (unit === 'pKd')
  const bound = `${toBound(pkd, unit)} ${boundUnits[unit]}`.trim().replace('-', '−')
  return `${unit} ${isLower ? '≥' : '≤'} ${bound}`
}

const ALERTS = [
  { value: '', label: 'Any' },
  { value: 'none', label: 'No alerts' },
  { value: 'some', label: 'With alerts' },
] as const

function propertyChips(filter: ResultsFilter): [keyof ResultsFilter, string | false][] {
  return rowProperties.flatMap((name): [keyof ResultsFilter, string | false][] => {
    const [min, max] = [filter[`${name}_min`], filter[`${name}_max`]]
    const { title } = describeColumn(name)
    return [
      [`${name}_min`, min !== undefined && `${title} ≥ ${min}`.replace('-', '−')],
      [`${name}_max`, max !== undefined && `${title} ≤ ${max}`.replace('-', '−')],
    ]
  })
}

const PROPERTIES = rowProperties.map((name) => ({ value: name, label: describeColumn(name).label }))

/** One property at a time; those with a range are shown as chips. */
function PropertyRange({ filter, onChange }: Pick<ConditionsProps, 'filter' | 'onChange'>) {
  const [name, setName] = useState<RowProperty>('mass')
  const problem = isEmptyRange(filter[`${name}_min`], filter[`${name}_max`])
  return (
    <>
      <Select label="Property" value={name} options={PROPERTIES} onChange={setName} />
      <ColumnGrid template="1fr 1fr" gap="sm">
        {(['min', 'max'] as const).map((side) => (
          <Typed
            key={`${name} ${side}`}
            label={`${side === 'min' ? 'Min.' : 'Max.'} ${describeColumn(name).title}`}
            step="any"
            value={`${filter[`${name}_${side}`] ?? ''}`}
            problem={problem}
            onType={(value) => onChange({ [`${name}_${side}`]: value })}
          />
        ))}
      </ColumnGrid>
    </>
  )
}

type RangeProps = Pick<ConditionsProps, 'filter' | 'unit' | 'onChange'>

/** In the unit of the table. The filter is a pKd, so the ends are swapped for a Kd and a ΔG. */
function AffinityRange({ filter, unit, onChange }: RangeProps) {
  const sides = unit === 'pKd' ? (['min', 'max'] as const) : (['max', 'min'] as const)
  const inUnit = boundUnits[unit] === '' ? '' : `, ${boundUnits[unit]}`
  const problem = isEmptyRange(filter.min, filter.max)
  return (
    <ColumnGrid template="1fr 1fr" gap="sm">
      {sides.map((side, at) => {
        const pkd = filter[side]
        return (
          <Typed
            key={`${side} ${unit}`}
            label={`${unit} ${at === 0 ? 'from' : 'to'}${inUnit}`}
            step={unit === 'pKd' ? 0.1 : 'any'}
            value={pkd === undefined ? '' : `${toBound(pkd, unit)}`}
            problem={problem}
            onType={(text) => {
              const bound = text === '' ? Number.NaN : fromBound(Number(text), unit)
              onChange({ [side]: Number.isNaN(bound) ? undefined : `${bound}` })
            }}
          />
        )
      })}
    </ColumnGrid>
  )
}

const PAUSE_MS = 250

type TypedProps = {
  label: string
  /** Null for text. */
  step: number | 'any' | null
  value: string
  problem: string | null
  onType: (value: string) => void
}

/** Applies after a pause in typing, and follows changes from outside. */
function Typed({ label, step, value, problem, onType }: TypedProps) {
  const [text, setText] = useState(value)
  const [seen, setSeen] = useState(value)
  const send = useDebouncedCallback(onType, PAUSE_MS)
  // Clearing the filter also drops what was typed just before.
  useEffect(() => {
    if (value === '') send.cancel()
  }, [value, send])
  if (value !== seen) {
    setSeen(value)
    // `7.` may become `7.5`, and the URL already contains `7`.
    if (Number(value) !== Number(text) || step === null) setText(value)
  }
  return (
    <Field
      label={label}
      value={text}
      error={problem ?? undefined}
      {...(step === null ? { maxLength: 500, spellCheck: false } : { type: 'number', step })}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value)
        send(currentTarget.value)
      }}
    />
  )
}
