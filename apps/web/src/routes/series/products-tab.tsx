/** The tab of a series that makes new molecules, skips unwanted ones, and predicts the rest after a quote. */
import { Box, Flex, Stack } from '#web/ui/layout.ts'
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
import { z } from 'zod'
import { Computation } from '#web/features/series/computing.tsx'
import { nameGroup, withValues } from '#web/features/series/pairs-queries.ts'
import { measuredQuery } from '#web/features/series/series-queries.ts'
import { call } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.ts'
import { Field, Select, Switch } from '#web/ui/field.tsx'
import { type NamedField, ticked, useForm } from '#web/ui/use-form.ts'
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

const SHOWN_FIRST: CompoundProperty[] = ['mass', 'log_p', 'tpsa']
const OTHERS = compoundProperties.filter((name) => !SHOWN_FIRST.includes(name))
const USUAL: Partial<Record<string, string>> = {
  'mass max': '500',
  'log_p max': '5',
  'tpsa max': '140',
}
const CATALOGUES = ['PAINS', 'Brenk', 'own'] as const

const limit = z
  .string()
  .trim()
  .refine((typed) => Number.isFinite(Number(typed)), 'Enter a number.')
  .transform((typed) => (typed === '' ? undefined : Number(typed)))

const ENDS = ['min', 'max'] as const
const limits = compoundProperties.flatMap((name) => ENDS.map((end) => `${name} ${end}`))

const Windows = z
  .object(Object.fromEntries(limits.map((name) => [name, limit])))
  .transform((fields) => {
    const windows = compoundProperties.map((name) => {
      return [name, { min: fields[`${name} min`], max: fields[`${name} max`] }]
    })
    return { windows: Object.fromEntries(windows) }
  })

const Wanted = Windows.and(
  z.object({
    way: z.enum(['groups', 'changes', 'change']),
    PAINS: ticked,
    Brenk: ticked,
    own: ticked,
  }),
)

export function ProductsTab({ screen, rows, target, core, applied, onPredicted }: Props) {
  const measured = useQuery(measuredQuery(target.name)).data
  const [request, setRequest] = useState<ProductsRequest | null>(null)
  const options = productsQuery(request)
  const products = useQuery(options)
  const form = useForm(Wanted, { send: enumerate, isBusy: products.isFetching })
  function enumerate({ way, windows, ...switches }: z.output<typeof Wanted>) {
    const { name, chain } = target
    const body: Body = {
      compounds: withValues(rows ?? [], measured),
      by: way === 'groups' ? 'groups' : 'changes',
      windows,
      leave_out: CATALOGUES.filter((catalogue) => switches[catalogue]),
      ...(way === 'groups' ? core !== undefined && { core } : { target: name, chain }),
      ...(way === 'change' && applied !== null && { change: applied }),
    }
    setRequest({ body, time: (request?.time ?? 0) + 1 })
  }
  return (
    <Box component="section" className="sheet" aria-label="Enumerate" miw={0} p="md">
      <h2>New molecules</h2>
      <form {...form.props}>
        <Stack gap="sm" align="flex-start" mt="md">
          <WayChoice applied={applied} {...form.field('way')} />
          <WindowFields names={SHOWN_FIRST} field={form.field} />
          <details className={classes.more}>
            <summary className="unfold">More properties</summary>
            <WindowFields names={OTHERS} field={form.field} />
          </details>
          <Flex gap="xs" columnGap="xl" wrap="wrap">
            {CATALOGUES.map((name) => (
              <Switch
                key={name}
                name={name}
                label={`Leave out ${name === 'own' ? 'my own' : name} alerts`}
                defaultChecked={name === 'PAINS'}
              />
            ))}
          </Flex>
          <Button
            type="submit"
            variant="default"
            loading={products.isFetching}
            disabled={rows === undefined || rows.length === 0}
          >
            Enumerate
          </Button>
        </Stack>
      </form>
      <Computation
        query={products}
        queryKey={options.queryKey}
        what="new molecules"
        isReady={request !== null}
      />
      {products.data && (
        <FoundProducts {...{ screen, target, onPredicted }} found={products.data} />
      )}
    </Box>
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

function WayChoice({ applied, name }: Pick<Props, 'applied'> & { name: string }) {
  const options = [
    { value: 'groups', label: 'Recombine the groups' },
    { value: 'changes', label: 'Apply the changes that helped most' },
  ]
  if (applied !== null) {
    options.push({
      value: 'change',
      label: `Apply ${nameGroup(applied.from)} → ${nameGroup(applied.to)}`,
    })
  }
  return (
    <Select
      label="Made by"
      name={name}
      defaultValue={applied === null ? 'groups' : 'change'}
      options={options}
    />
  )
}

type WindowsProps = { names: CompoundProperty[]; field: (name: string) => NamedField }

function WindowFields({ names, field }: WindowsProps) {
  return (
    <div className={classes.windows}>
      {names.flatMap((name) =>
        ENDS.map((end) => (
          <Field
            key={`${name} ${end}`}
            label={`${end === 'min' ? 'Min.' : 'Max.'} ${describeColumn(name).title}`}
            inputMode="decimal"
            defaultValue={USUAL[`${name} ${end}`]}
            {...field(`${name} ${end}`)}
          />
        )),
      )}
    </div>
  )
}
