/** New molecules of a series: enumerated on the series thread, then described and filtered before anything is charged. */
import type {
  CompoundProperties,
  enumerateSeries as enumerateSeriesCall,
  SeriesProducts,
} from '@pkdex/contract'
import type { z } from 'zod'
import type { ReadFacts } from '#server/files/service.ts'
import type { Asking, Series } from './service.ts'

type ProductsRequest = z.output<typeof enumerateSeriesCall.body>
type Dependencies = {
  series: Pick<Series, 'products'>
  readFacts: ReadFacts
}

export async function enumerateProducts(
  { series, readFacts }: Dependencies,
  {
    asking,
    request,
    segments,
  }: { asking: Asking; request: ProductsRequest; segments: string[] | null },
): Promise<SeriesProducts> {
  const { by, core, change, windows, leave_out } = request
  const compounds = request.compounds.map((compound) =>
    typeof compound === 'string'
      ? { smiles: compound, pk: null }
      : { smiles: compound.smiles, pk: compound.pk ?? null },
  )
  const made = await series.products(asking, { compounds, by, core, change, segments })
  const smiles = made.products.map((product) => product.smiles)
  const found = await readFacts(asking.userId, smiles, { gone: asking.gone })
  const described = made.products.flatMap((product) => found.get(product.smiles) ?? [])
  const inside = made.products.flatMap((one) => {
    const facts = found.get(one.smiles)
    return facts !== undefined && isInside(facts.properties, windows) ? [{ one, facts }] : []
  })
  const products = inside
    .filter(({ facts }) => !leave_out.some((list) => facts.lists.has(list)))
    .map(({ one, facts: { properties, alerts } }) => ({ ...one, ...properties, alerts }))
  const { combinations, known, impossible } = made
  return {
    ...made,
    impossible: impossible + smiles.length - described.length,
    repeated: combinations - known - impossible - smiles.length,
    outside: described.length - inside.length,
    flagged: inside.length - products.length,
    products,
  }
}

function isInside(product: CompoundProperties, windows: ProductsRequest['windows']): boolean {
  return Object.entries(windows).every(([name, window]) => {
    const { min = -Infinity, max = Infinity } = window ?? {}
    const value = product[name as keyof CompoundProperties]
    return value >= min && value <= max
  })
}
