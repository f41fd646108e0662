/** What follows from the list of columns: rows, columns of files, sort orders, and what a column is called. */
import { z } from 'zod'
import { type Column, type ColumnName, columns, type Columns } from './columns.ts'

/** The columns whose definition has these parts. */
export type ColumnWith<Part> = {
  [Name in ColumnName]: Columns[Name] extends Part ? Name : never
}[ColumnName]
type NameOf<Of extends Column['of']> = ColumnWith<{ of: Of }>
type RowName = Exclude<ColumnName, ColumnWith<{ only: 'files' }>>
type FileName = Exclude<ColumnName, ColumnWith<{ only: 'rows' }>>

const all = Object.entries<Column>(columns)

function namesOf<Of extends Column['of']>(...of: Of[]): NameOf<Of>[] {
  return all.flatMap(([name, column]) =>
    (of as string[]).includes(column.of) ? [name as NameOf<Of>] : [],
  )
}

function inFiles<Name extends ColumnName>(names: Name[]): Extract<Name, FileName>[] {
  return names.filter((name): name is Extract<Name, FileName> => {
    const { only }: Column = columns[name]
    return only !== 'rows'
  })
}

export const ScreenRow = z.object(
  Object.fromEntries(
    all.flatMap(([name, { schema, about, only }]) =>
      only === 'files' ? [] : [[name, schema.describe(about)]],
    ),
  ) as { [Name in RowName]: Columns[Name]['schema'] },
)
export type ScreenRow = z.infer<typeof ScreenRow>

export const compoundProperties = namesOf('property')
export type CompoundProperty = (typeof compoundProperties)[number]
export const rowProperties = namesOf('property', 'efficiency')
export type RowProperty = (typeof rowProperties)[number]

/** Computed by RDKit from the compound that is predicted on: without salts, neutralised. */
export const CompoundProperties = z.object(
  Object.fromEntries(
    compoundProperties.map((name) => [name, columns[name].schema.unwrap().unwrap()]),
  ) as Record<CompoundProperty, z.ZodNumber>,
)
export type CompoundProperties = z.infer<typeof CompoundProperties>

/** Columns of files per pair, in this order. */
export const screenRowColumns = inFiles(
  namesOf('input', 'estimate', 'pair', 'property', 'efficiency'),
)

/** Additional columns in files of a screen with `structure`, in files with a profile, and last in files. */
export const structureColumns = inFiles(namesOf('structure'))
export const profileColumns = inFiles(namesOf('profile'))
export const runColumns = inFiles(namesOf('run'))

type Nullable = {
  [Name in NameOf<'estimate' | 'pair'>]: Columns[Name]['schema'] extends z.ZodNullable
    ? Name
    : never
}[NameOf<'estimate' | 'pair'>]

/** What a row without a prediction has in place of one. */
export const noPrediction = Object.fromEntries(
  namesOf('estimate', 'pair').flatMap((name) =>
    columns[name].schema instanceof z.ZodNullable ? [[name, null]] : [],
  ),
) as Record<Nullable, null>

/** A column, with its default names filled in. */
export function describeColumn(name: ColumnName) {
  const { heading = name, title = heading, label = heading, ...column }: Column = columns[name]
  const isNumber = withoutNull(column.schema) instanceof z.ZodNumber
  return { heading, title, label, ...column, digits: column.digits ?? 0, isNumber }
}

function withoutNull(schema: z.ZodType): z.ZodType {
  const isWrapped = schema instanceof z.ZodOptional || schema instanceof z.ZodNullable
  return isWrapped ? withoutNull(schema.unwrap() as z.ZodType) : schema
}

const headings = new Map(all.map(([name, { heading = name }]) => [name, heading]))

/** Heading of a field in a CSV, an XLSX or an SDF; by default the field name. */
export function fileHeading(field: string): string {
  return headings.get(field) ?? field
}

type Sorted = ColumnWith<{ sort: string }>
export type ColumnSort = RowProperty | { [Name in Sorted]: Columns[Name]['sort'] }[Sorted]

/** A property is sorted under its own name. */
export function sortOf(name: ColumnName): ColumnSort | undefined {
  const { sort }: Column = columns[name]
  return (sort ?? rowProperties.find((rowProperty) => rowProperty === name)) as
    | ColumnSort
    | undefined
}

/** Orders of rows by what follows from the best estimate. */
export const estimateSorts = namesOf('estimate', 'efficiency').flatMap((name) => sortOf(name) ?? [])

const sorted = new Map(
  (Object.keys(columns) as ColumnName[]).flatMap((name): [ScreenSort, ColumnName][] => {
    const sort = sortOf(name)
    return sort === undefined ? [] : [[sort, name]]
  }),
)

/** `affinity`, `selectivity` and `interval` use the best estimate; `nearest`: the smaller of the two similarities. */
export const ScreenSort = z.enum([...([...sorted.keys()] as ColumnSort[]), 'nearest'])
export type ScreenSort = ColumnSort | 'nearest'

/** The order when a column is sorted for the first time. */
export function usualOrder(sort: ScreenSort): 'asc' | 'desc' {
  const name = sorted.get(sort)
  return name !== undefined && describeColumn(name).isAscending ? 'asc' : 'desc'
}

/** `by selectivity`, `in input order`. */
export function describeSort(sort: ScreenSort): string {
  if (sort === 'input') return 'in input order'
  const name = sorted.get(sort)
  if (name === undefined) return 'by similarity to training data'
  const { title, ranked = title } = describeColumn(name)
  return `by ${ranked}`
}

type Filtered = ColumnWith<{ filters: readonly string[] }>
/** Parameters that filter by a column. */
export type FilterName =
  | `${RowProperty}_${'min' | 'max'}`
  | { [Name in Filtered]: Columns[Name]['filters'][number] }[Filtered]
