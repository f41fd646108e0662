/** The tab of a series that makes new molecules, skips unwanted ones, and predicts the rest after a quote. */
import { Flex } from '#web/ui/layout.ts'
import {
  describeColumn,
  type CompoundProperty,
  compoundProperties,
  enumerateSeries,
  type Screen,
  type ScreenRow,
  type ScreenTarget,
} from '@pkdex/contract'
import { queryOptions, skipToken, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { z } from 'zod'
import { Computation } from '#web/features/series/computing.tsx'
import { withValues } from '#web/features/series/pairs-queries.ts'
import { measuredQuery } from '#web/features/series/series-queries.ts'
import { call } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.ts'
import { Field, Select, Switch } from '#web/ui/field.tsx'
import { FoundProducts } from './found-products.tsx'
import classes from './series-page.module.css'

type Props = {
  screen: Pick<Screen, 'id'>
  rows: ScreenRow[] | undefined
  target: ScreenTarget
  core: string | undefined
  /** A change to apply, as stored in the URL. */
  applied: { from: string; to: string } | null
  /** Shows the suggestions with the predicted products among the candidates. */
  onPredicted: () => void
}

type Body = z.input<typeof enumerateSeries.body>
/** `time`: makes repeated requests for the same products distinct. */
type ProductsRequest = { body: Body; time: number }

type Way = 'groups' | 'changes' | 'change'
type Ends = Partial<Record<CompoundProperty, { min: string; max: string }>>

const SHOWN_FIRST: CompoundProperty[] = ['mass', 'log_p', 'tpsa']
const OTHERS = compoundProperties.filter((name) => !SHOWN_FIRST.includes(name))
const USUAL: Ends = {
  mass: { min: '', max: '500' },
  log_p: { min: '', max: '5' },
  tpsa: { min: '', max: '140' },
}
const CATALOGUES = ['PAINS', 'Brenk', 'own'] as const
type Catalogue = (typeof CATALOGUES)[number]

export function ProductsTab({ screen, rows, target, core, applied, onPredicted }: Props) {
  const [way, setWay] = useState<Way>(applied === null ? 'groups' : 'change')
  const [ends, setEnds] = useState(USUAL)
  const [leftOut, setLeftOut] = useState<Catalogue[]>(['PAINS'])
  const measured = useQuery(measuredQuery(target.name)).data
  const [request, setRequest] = useState<ProductsRequest | null>(null)
  const options = productsQuery(request)
  const products = useQuery(options)
  const ask = () => {
    const { name, chain } = target
    const body: Body = {
      compounds: withValues(rows ?? [], measured),
      by: way === 'groups' ? 'groups' : 'changes',
      windows: readWindows(ends),
      leave_out: leftOut,
      ...(way === 'groups' ? core !== undefined && { core } : { target: name, chain }),
      ...(way === 'change' && applied !== null && { change: applied }),
    }
    setRequest({ body, time: (request?.time ?? 0) + 1 })
  }
  return (
    <section className={`sheet ${classes.sheet}`} aria-label="Enumerate">
      <h2>New molecules</h2>
      <Flex
        component="form"
        direction="column"
        gap="sm"
        align="flex-start"
        mt="md"
        onSubmit={(event) => {
          event.preventDefault()
          ask()
        }}
      >
        <WayChoice {...{ way, applied }} onChange={setWay} />
        <Windows names={SHOWN_FIRST} {...{ ends }} onChange={setEnds} />
        <details className={classes.more}>
          <summary>More properties</summary>
          <Windows names={OTHERS} {...{ ends }} onChange={setEnds} />
        </details>
        <AlertChoice leftOut={leftOut} onChange={setLeftOut} />
        <Button
          type="submit"
          variant="default"
          loading={products.isFetching}
          disabled={rows === undefined || rows.length === 0}
        >
          Enumerate
        </Button>
      </Flex>
      <Computation
        query={products}
        queryKey={options.queryKey}
        what="new molecules"
        isReady={request !== null}
      />
      {products.data && (
        <FoundProducts {...{ screen, target, onPredicted }} found={products.data} />
      )}
    </section>
  )
}

function productsQuery(request: ProductsRequest | null) {
  return queryOptions({
    queryKey: ['series', 'products', request],
    queryFn:
      request === null
        ? skipToken
        : ({ signal }) => call(enumerateSeries, { body: request.body, signal }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
}

type AlertProps = { leftOut: Catalogue[]; onChange: (leftOut: Catalogue[]) => void }

function AlertChoice({ leftOut, onChange }: AlertProps) {
  return CATALOGUES.map((name) => (
    <Switch
      key={name}
      label={`Leave out ${name === 'own' ? 'my own' : name} alerts`}
      checked={leftOut.includes(name)}
      onChange={({ currentTarget: { checked } }) => {
        const others = leftOut.filter((one) => one !== name)
        onChange(checked ? [...others, name] : others)
      }}
    />
  ))
}

type WayProps = Pick<Props, 'applied'> & { way: Way; onChange: (way: Way) => void }

function WayChoice({ way, applied, onChange }: WayProps) {
  const options = [
    { value: 'groups', label: 'Recombine the groups' },
    { value: 'changes', label: 'Apply the changes that helped most' },
  ]
  if (applied !== null) {
    options.push({ value: 'change', label: `Apply ${applied.from} → ${applied.to}` })
  }
  return (
    <Select
      label="Made by"
      value={way}
      options={options}
      onChange={(value) => onChange(value === 'groups' || value === 'change' ? value : 'changes')}
    />
  )
}

type WindowsProps = {
  names: CompoundProperty[]
  ends: Ends
  onChange: (ends: Ends) => void
}

function Windows({ names, ends, onChange }: WindowsProps) {
  return (
    <div className={classes.windows}>
      {names.flatMap((name) =>
        (['min', 'max'] as const).map((end) => (
          <Field
            key={`${name} ${end}`}
            label={`${end === 'min' ? 'Min.' : 'Max.'} ${describeColumn(name).title}`}
            type="number"
            step="any"
            value={ends[name]?.[end] ?? ''}
            onChange={({ currentTarget: { value } }) =>
              onChange({ ...ends, [name]: { min: '', max: '', ...ends[name], [end]: value } })
            }
          />
        )),
      )}
    </div>
  )
}

/** Ignores limits that are empty or not numbers. */
function readWindows(ends: Ends) {
  const windows = Object.entries(ends).map(([name, { min, max }]) => {
    const read = (text: string) =>
      text.trim() === '' || Number.isNaN(Number(text)) ? undefined : Number(text)
    return [name, { min: read(min), max: read(max) }] as const
  })
  return Object.fromEntries(windows)
}
