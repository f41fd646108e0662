/** The rows of a screen: their fields, sorting and filters. Field names here are the wire's. */
import { z } from 'zod'
import { DomainState } from './predictions.ts'
import { PageNumber, SearchText } from './paging.ts'
import { ProfileText } from './profile.ts'
import {
  compoundProperties,
  pairEfficiencies,
  propertyLabels,
  rowProperties,
  type RowProperty,
} from './properties.ts'
import { NO_CONTROL_CHARACTERS } from './text.ts'

export const ScreenRow = z.object({
  /** Row number of the compound in the input, from 1. */
  row: z.number().int().min(1),
  compound: z.string(),
  /** As uploaded; empty for an unknown compound. */
  smiles: z.string(),
  target: z.string(),
  chain: z.string(),
  /** Of the model that predicted the row: rows differ if the server was upgraded while the screen ran. */
  model_version: z.string(),
  /**
   * The best estimate of the pair, in pKd, with its 95% interval: the prediction from sequence and compound, moved by the
   * pose and by your measured values on the target where there are any. Null without a prediction, or until there is one.
   */
  best_kd: z.number().nullable(),
  best_lower: z.number().nullable(),
  best_upper: z.number().nullable(),
  /** The prediction from sequence and compound, in pKd. It never changes for a pair and a model version. */
  predicted_kd: z.number().nullable(),
  lower: z.number().nullable(),
  upper: z.number().nullable(),
  in_domain: z.boolean().nullable(),
  /** `in_domain` is true for `known_on_target`; null if the pair was predicted before there were three states. */
  domain_state: DomainState.nullable(),
  is_ligand_driven: z.boolean().nullable(),
  /** Similarity to the closest training compound and target, from 0 to 1. */
  compound_similarity: z.number().nullable(),
  target_similarity: z.number().nullable(),
  /** Best estimate minus the highest best estimate of the compound on the other targets. */
  selectivity: z.number().nullable(),
  /** Half-width of the 95% interval of `selectivity`: a smaller difference is within error. */
  selectivity_error: z.number().nullable(),
  /** Why there is no prediction. */
  reason: z.string().nullable(),
  /** Of the compound; null if it cannot be read. */
  mass: z.number().nullish(),
  log_p: z.number().nullish(),
  tpsa: z.number().nullish(),
  donors: z.number().int().nullish(),
  acceptors: z.number().int().nullish(),
  rotatable_bonds: z.number().int().nullish(),
  rings: z.number().int().nullish(),
  fsp3: z.number().nullish(),
  heavy_atoms: z.number().int().nullish(),
  charge: z.number().int().nullish(),
  /** Your measured values for exactly this pair: the mean of the exact ones in pK. */
  measured_pk: z.number().nullish(),
  /** From the best estimate: kcal/mol per heavy atom, and pKd minus cLogP. */
  ligand_efficiency: z.number().nullish(),
  lipophilic_efficiency: z.number().nullish(),
  /** Structural alerts that the compound matches, for example `PAINS azo_A(324)`, and your own patterns. */
  alerts: z.array(z.string()).nullish(),
  /** With a profile: the probability that the pair meets it, 0 to 1, and its range over the pKd's interval. */
  profile_probability: z.number().nullish(),
  profile_lower: z.number().nullish(),
  profile_upper: z.number().nullish(),
  /** Tied with the best score of the screen on this target. */
  profile_tied: z.boolean().nullish(),
  /** Number of your measured values on the target that the best estimate uses; null if it uses none. */
  own_values: z.number().int().nullable(),
  /**
   * If one of your screens placed the compound in the structure: the prediction moved by the pose, by the similarity to
   * the reference ligand and by learnt differences between compounds, each compared with the other compounds of that
   * screen. Your measured values move it further. Null if there is no pose.
   */
  structure_adjusted: z
    .object({ value: z.number(), lower: z.number(), upper: z.number() })
    .nullable()
    .optional(),
  /** Why there is no pose. */
  structure_reason: z.string().nullable().optional(),
})
export type ScreenRow = z.infer<typeof ScreenRow>

type Estimate = { predicted: number; lower: number; upper: number }

/**
 * Error of the difference of two predictions: from the facing ends of both intervals, assuming independent errors. A
 * smaller difference is within error.
 */
export function errorOfDifference(one: Estimate, other: Estimate): number {
  const [stronger, weaker] = one.predicted < other.predicted ? [other, one] : [one, other]
  return Math.hypot(stronger.predicted - stronger.lower, weaker.upper - weaker.predicted)
}

/** Columns of files per pair, in this order. */
export const screenRowColumns = [
  'row',
  'compound',
  'smiles',
  'target',
  'chain',
  'best_kd',
  'best_lower',
  'best_upper',
  'predicted_kd',
  'lower',
  'upper',
  'own_values',
  'in_domain',
  'domain_state',
  'is_ligand_driven',
  'compound_similarity',
  'target_similarity',
  'selectivity',
  'reason',
  ...compoundProperties,
  'measured_pk',
  ...pairEfficiencies,
  'alerts',
] as const satisfies (keyof ScreenRow)[]

/** Additional columns in files of a screen with `structure`. */
export const structureColumns = [
  'structure_adjusted_kd',
  'structure_lower',
  'structure_upper',
  'structure_reason',
] as const

/** Additional columns in files with a profile. */
export const profileColumns = [
  'profile_probability',
  'profile_lower',
  'profile_upper',
  'profile_tied',
] as const satisfies (keyof ScreenRow)[]

/** Column headings in files that differ from the field name. */
const headings = new Map<string, string>([
  ['best_kd', 'pKd'],
  ['best_lower', 'Lower 95%'],
  ['best_upper', 'Upper 95%'],
  ['predicted_kd', 'pKd (sequence)'],
  ['lower', 'Lower 95% (sequence)'],
  ['upper', 'Upper 95% (sequence)'],
  ['own_values', 'Own values used'],
  ['structure_adjusted_kd', 'pKd (pose)'],
  ['structure_lower', 'Lower 95% (pose)'],
  ['structure_upper', 'Upper 95% (pose)'],
  ['structure_reason', 'Why there is no pose'],
  ['model_version', 'Model version'],
  ['screen', 'Screen'],
  ...rowProperties.map((name): [string, string] => [name, propertyLabels[name].short]),
  ['measured_pk', 'Measured pK'],
  ['alerts', 'Alerts'],
  ['profile_probability', 'Meets the profile'],
  ['profile_lower', 'Meets the profile, lower'],
  ['profile_upper', 'Meets the profile, upper'],
  ['profile_tied', 'Not told apart from the best'],
])

/** Heading of a field in a CSV, an XLSX or an SDF; by default the field name. */
export function fileHeading(field: string): string {
  return headings.get(field) ?? field
}

/** `affinity`, `selectivity` and `interval` use the best estimate; `nearest`: the smaller of the two similarities. */
export const ScreenSort = z.enum([
  'input',
  'affinity',
  'selectivity',
  'interval',
  'nearest',
  'compound_similarity',
  'target_similarity',
  ...rowProperties,
  'profile',
])
export type ScreenSort = z.infer<typeof ScreenSort>

const pK = z.coerce.number().min(-100).max(100).optional()

const PropertyBound = z.coerce.number().min(-100_000).max(100_000).optional()
type PropertyBounds = Record<`${RowProperty}_${'min' | 'max'}`, typeof PropertyBound>

/** `mass_min`, `mass_max` and so on: both ends are inclusive. */
const propertyBounds = Object.fromEntries(
  rowProperties.flatMap((name) => [
    [`${name}_min`, PropertyBound],
    [`${name}_max`, PropertyBound],
  ]),
) as PropertyBounds

export const Smarts = z
  .string()
  .max(500)
  .regex(NO_CONTROL_CHARACTERS, 'must not contain control characters')

export const ScreenFilter = z.object({
  /** Of the best estimate. */
  min: pK,
  max: pK,
  in_domain: z.enum(['true', 'false']).optional(),
  /** Pairs predicted before there were three states count as `known_on_target` if they were inside. */
  domain_state: DomainState.optional(),
  /** Name of a target. */
  target: SearchText,
  /** In the name of the compound; or a SMILES of three or more heavy atoms that the compound contains. */
  text: SearchText,
  /** A substructure of the predicted molecule: without salts, neutralised. */
  smarts: Smarts.default(''),
  ...propertyBounds,
  /** `none`: only compounds without a structural alert; `some`: only those with one. */
  alerts: z.enum(['none', 'some']).optional(),
  /** Hides no row: scores them. For example `pkd:7..;mass:..500~50`. */
  profile: ProfileText.default(''),
  /** Only compounds on your shortlist. */
  starred: z.literal('true').optional(),
})
export type ScreenFilter = z.output<typeof ScreenFilter>

/** Rows without a prediction come last, except in input order. */
export const ScreenResultsQuery = ScreenFilter.extend({
  page: PageNumber.default(1),
  page_size: z.coerce.number().int().min(1).max(1000).default(100),
  sort: ScreenSort.default('input'),
  /** Default: ascending for input and interval, descending for the others. */
  order: z.enum(['asc', 'desc']).optional(),
  /**
   * `compound`: each compound with at least one matching pair, with all its pairs. A page then contains as many whole
   * compounds as fit into `page_size`, at least one, and X-Total-Count counts compounds.
   */
  by: z.enum(['pair', 'compound']).default('pair'),
  /** With `by=compound`: position of the target to sort by, from 1. Without it, the first pair counts. */
  column: z.coerce.number().int().min(1).optional(),
})
export type ScreenResultsQuery = z.output<typeof ScreenResultsQuery>
