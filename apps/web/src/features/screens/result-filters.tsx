/** What narrows the rows of a screen: words, a substructure, size, one target, a range of pKd, the domain. All of it stands in the address. */
import type { ScreenTarget } from '@pkdex/contract'
import { Button } from '#web/ui/button.ts'
import { Field, Select } from '#web/ui/field.tsx'
import { SearchField } from '#web/ui/search-field.tsx'
import classes from './result-filters.module.css'
import { isFiltered, type ResultsParams } from './results-params.ts'

type Change = Partial<Record<keyof ResultsParams, string | undefined>>

type Props = {
  targets: ScreenTarget[]
  params: ResultsParams
  onChange: (change: Change) => void
}

const DOMAINS = [
  { value: '', label: 'Inside and outside' },
  { value: 'true', label: 'Inside the domain' },
  { value: 'false', label: 'Outside the domain' },
] as const

export function ResultFilters({ targets, params, onChange }: Props) {
  const names = [...new Set(targets.map(({ name }) => name))]
  const all = { value: '', label: 'All targets' }
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- not every browser knows the tag
    <div className={classes.filters} role="search" aria-label="Filter the pairs">
      <div className={classes.search}>
        <SearchField
          label="Name or SMILES"
          search={params.text ?? ''}
          charactersMax={320}
          onSearch={(text) => onChange({ text })}
        />
      </div>
      {names.length > 1 && (
        <Select
          label="Target"
          className={classes.select}
          value={params.target ?? ''}
          options={[all, ...names.map((name) => ({ value: name, label: name }))]}
          onChange={(target) => onChange({ target })}
        />
      )}
      <Bound label="pKd from" step="0.1" value={params.min} onChange={(min) => onChange({ min })} />
      <Bound label="pKd to" step="0.1" value={params.max} onChange={(max) => onChange({ max })} />
      <Select
        label="Domain"
        className={classes.select}
        value={params.in_domain ?? ''}
        options={DOMAINS}
        onChange={(in_domain) => onChange({ in_domain })}
      />
      <MoleculeFilters params={params} onChange={onChange} />
      {isFiltered(params) && (
        <Button variant="subtle" onClick={() => onChange(NOTHING)}>
          Show all
        </Button>
      )}
    </div>
  )
}

function MoleculeFilters({ params, onChange }: Pick<Props, 'params' | 'onChange'>) {
  return (
    <>
      <div className={classes.search}>
        <SearchField
          label="SMARTS"
          placeholder="SMARTS, such as [NX3;H2]"
          search={params.smarts ?? ''}
          charactersMax={500}
          onSearch={(smarts) => onChange({ smarts })}
        />
      </div>
      <Bound
        label="Heavy atoms from"
        step="1"
        value={params.heavy_atoms_min}
        onChange={(heavy_atoms_min) => onChange({ heavy_atoms_min })}
      />
      <Bound
        label="Heavy atoms to"
        step="1"
        value={params.heavy_atoms_max}
        onChange={(heavy_atoms_max) => onChange({ heavy_atoms_max })}
      />
    </>
  )
}

const NOTHING: Change = {
  smarts: undefined,
  heavy_atoms_min: undefined,
  heavy_atoms_max: undefined,
  text: undefined,
  target: undefined,
  min: undefined,
  max: undefined,
  in_domain: undefined,
}

type BoundProps = {
  label: string
  step: string
  value: number | undefined
  onChange: (value: string) => void
}

function Bound({ label, step, value, onChange }: BoundProps) {
  return (
    <div className={classes.bound}>
      <Field
        key={value}
        type="number"
        label={label}
        step={step}
        defaultValue={value}
        onBlur={({ currentTarget }) => onChange(currentTarget.value)}
        onKeyDown={({ key, currentTarget }) => key === 'Enter' && onChange(currentTarget.value)}
      />
    </div>
  )
}
