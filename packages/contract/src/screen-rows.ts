/** The rows of a screen: what each says, and how they are sorted and narrowed. Field names here are the wire's. */
import { z } from 'zod'
import { PageNumber, SearchText } from './paging.ts'

export const ScreenRow = z.object({
  /** Place of the compound in the input, from 1. */
  row: z.number().int().min(1),
  compound: z.string(),
  /** As it was uploaded; empty where there is no such compound. */
  smiles: z.string(),
  target: z.string(),
  chain: z.string(),
  /** pKd; null where there is none, or none yet. */
  predicted_kd: z.number().nullable(),
  lower: z.number().nullable(),
  upper: z.number().nullable(),
  in_domain: z.boolean().nullable(),
  is_ligand_driven: z.boolean().nullable(),
  /** Similarity to the nearest training compound and target, from 0 to 1. */
  compound_similarity: z.number().nullable(),
  target_similarity: z.number().nullable(),
  /** pKd here less the best of the compound on the other targets. */
  selectivity: z.number().nullable(),
  /** Why there is no number. */
  reason: z.string().nullable(),
  /** How many of your own measured values on the target the next three lean on; null where there are none. */
  own_values: z.number().int().nullable(),
  /** The number and its interval as your values of this moment make them. Sorting and filters go by the plain ones. */
  predicted_kd_with_own: z.number().nullable(),
  lower_with_own: z.number().nullable(),
  upper_with_own: z.number().nullable(),
})
export type ScreenRow = z.infer<typeof ScreenRow>

/** What files say of a pair, in this order, own measured values apart. */
export const screenRowColumns = [
  'row',
  'compound',
  'smiles',
  'target',
  'chain',
  'predicted_kd',
  'lower',
  'upper',
  'in_domain',
  'is_ligand_driven',
  'compound_similarity',
  'target_similarity',
  'selectivity',
  'reason',
] as const satisfies (keyof ScreenRow)[]

export const ScreenSort = z.enum(['input', 'affinity', 'selectivity', 'interval', 'nearest'])
export type ScreenSort = z.infer<typeof ScreenSort>

const pK = z.coerce.number().min(-100).max(100).optional()

export const HeavyAtomCount = z.coerce.number().int().min(0).max(1000)

export const Smarts = z
  .string()
  .max(500)
  .regex(/^\P{Cc}*$/u, 'it holds a character that is in no SMARTS')

export const ScreenFilter = z.object({
  min: pK,
  max: pK,
  in_domain: z.enum(['true', 'false']).optional(),
  /** Name of a target. */
  target: SearchText,
  /** In the name or the SMILES of the compound. */
  text: SearchText,
  /** A substructure of the molecule that is predicted on: without salts, neutralised. */
  smarts: Smarts.default(''),
  /** Of the molecule that is predicted on. */
  heavy_atoms_min: HeavyAtomCount.optional(),
  heavy_atoms_max: HeavyAtomCount.optional(),
})
export type ScreenFilter = z.output<typeof ScreenFilter>

/** Rows that have no number come last in every order but that of the input. */
export const ScreenResultsQuery = ScreenFilter.extend({
  page: PageNumber.default(1),
  page_size: z.coerce.number().int().min(1).max(1000).default(100),
  sort: ScreenSort.default('input'),
  /** Without it the order that a reader expects: input and interval upwards, the others downwards. */
  order: z.enum(['asc', 'desc']).optional(),
})
export type ScreenResultsQuery = z.output<typeof ScreenResultsQuery>
