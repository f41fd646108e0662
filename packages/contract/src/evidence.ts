/** Evidence for pairs that the user has predicted with the current model, at no cost. */
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { AskedName, PredictionResult } from './predictions.ts'
import { Theme } from './previews.ts'
import { sharedScreenHeader } from './shared-screen.ts'

const Place = z.coerce.number().int().min(1)

/**
 * A pair by its names, on the target's current chain; or by its position in a screen, on the screen's own chain, even
 * if target and compound were deleted.
 */
const pair = z.object({
  target: AskedName.optional(),
  compound: AskedName.optional(),
  screen: z.string().optional(),
  /** `row` as in the results, and the index of the target in the screen, from 1. */
  row: Place.optional(),
  column: Place.optional(),
})
export type AskedPair = z.infer<typeof pair>

const picturedPair = pair.extend({ theme: Theme.default('light') })

/** A structural formula, and the positions of its atoms in pixels, in SMILES order. */
export const FormulaPicture = z.object({
  /** A `data:` URL of an SVG. */
  image: z.string(),
  width: z.number(),
  height: z.number(),
  alt: z.string(),
  atoms: z.array(z.object({ element: z.string(), x: z.number(), y: z.number() })),
})
export type FormulaPicture = z.infer<typeof FormulaPicture>

export const AtomEvidence = z.object({
  /** pKd, with all atoms. */
  predicted_kd: z.number(),
  model_version: z.string(),
  picture: FormulaPicture,
  /** Drop in predicted pKd when each atom is hidden; negative if pKd rises. Not additive. */
  contributions: z.array(z.number()),
  /** Earlier name of `contributions`. */
  adds: z.array(z.number()),
})
export type AtomEvidence = z.infer<typeof AtomEvidence>

const Measurement = z.object({
  target: z.string(),
  /** pKd, pKi or pIC50, see `types`. */
  pk: z.number(),
  /** The value is below `pk`. */
  is_upper_bound: z.boolean(),
  /** Kd, Ki or IC50; several if values were merged; empty if unknown. */
  types: z.array(z.string()),
  sources: z.array(z.string()),
  /** What this value adds to the prediction before its level, in pKd; null if the prediction does not use it. */
  contribution: z.number().nullable(),
})

const SimilarCompound = z.object({
  /** Tanimoto similarity (Morgan, radius 2). */
  similarity: z.number(),
  name: z.string().nullable(),
  smiles: z.string().nullable(),
  picture: FormulaPicture.nullable(),
  /** The largest common part, as atom indices in both pictures. */
  common: z.object({ own: z.array(z.number()), other: z.array(z.number()) }),
  measurements: z.array(Measurement),
  /** All values of this compound in the model; `measurements` may be the first few. */
  measurement_count: z.number().int(),
})

/** Kendall's tau inside a series; `beyond_size`: between what a line on heavy atoms leaves of measured and predicted. */
const Ranking = z.object({ tau: z.number(), beyond_size: z.number() })

/** Lowest similarity of a compound that is listed because of values on other targets. */
export const ELSEWHERE_SIMILARITY_MIN = 0.4

/** The model's error on one kind of protein. */
const Accuracy = z.object({
  family: z.object({ name: z.string(), proteins: z.number().int() }).nullable(),
  from: z.number().int(),
  below: z.number().int().nullable(),
  rmse: z.number(),
  /** Kendall's tau inside these series, their mean; null if none has seven compounds. */
  tau: z.number().nullable(),
  /** Interval of `rmse` at 90%, from resampled proteins; null without a family. */
  interval: z.object({ lower: z.number(), upper: z.number() }).nullable(),
  compounds: z.number().int(),
})

const KnownTarget = z.object({
  name: z.string(),
  similarity: z.number(),
  measured: z.number().int(),
  heard: z.number().int(),
})

export const SimilarEvidence = z.object({
  /** `target`: measured on the training target that the protein is; `anywhere`: on others, from similarity 0.4 up. */
  scope: z.enum(['target', 'anywhere']),
  /**
   * The closest training target; null if none is similar to the protein. `measured`: its values, the most similar of
   * which are shown; `heard`: those of the entry that the protein is predicted as, which are no upper bounds.
   */
  target: KnownTarget.nullable(),
  /**
   * Root mean square error of the model, in pKd, on published series new to it whose proteins have a similar number of
   * measured values: `from` or more, and fewer than `below`. `family`: of the protein and of these; null if it has too
   * few series with as many values, then they are of all families. Null if the model has no such figure.
   */
  accuracy: Accuracy.nullable(),
  /** How well the model ranks published series with a reference ligand; null if that was not measured. */
  ranking: z
    .object({ series: z.number().int(), plain: Ranking, structure_adjusted: Ranking })
    .nullable(),
  /** What all measured values together add to the prediction before its level, in pKd: the sum of their contributions. */
  shift: z.number(),
  own: FormulaPicture.nullable(),
  /** Most similar first; then those of other values that move the prediction, the largest move first. */
  compounds: z.array(SimilarCompound),
})
export type SimilarEvidence = z.infer<typeof SimilarEvidence>

/** How well the model predicts published series that were new to it, beside simple rules and a physical method. */
export const ModelFigures = z.object({
  model_version: z.string(),
  /** Null if the model card has no such figures. */
  series: z
    .object({
      series: z.number().int(),
      compounds: z.number().int(),
      /** Root mean square error in pK, and Kendall's tau inside a series. */
      predictors: z.array(z.object({ name: z.string(), rmse: z.number(), tau: z.number() })),
    })
    .nullable(),
})
export type ModelFigures = z.infer<typeof ModelFigures>

/** What the training data have on one of your targets, and the model's error on such proteins. */
export const TargetEvidence = z.object({
  target: z.string(),
  chain: z.string(),
  /** As `target` of similar compounds. */
  known: KnownTarget.nullable(),
  /** As of similar compounds. */
  accuracy: Accuracy.nullable(),
})
export type TargetEvidence = z.infer<typeof TargetEvidence>

/** Everything needed to compute a prediction again. `npm run verify-receipt` does. */
export const Receipt = z.object({
  format: z.literal('pkdex-receipt-1'),
  /** pKd, with these digits. */
  predicted_kd: z.number(),
  interval: z.object({ lower: z.number(), upper: z.number(), level: z.number() }),
  predicted_at: z.iso.datetime(),
  model: z.object({
    version: z.string(),
    /** SHA-256 of the model card, which contains the hashes of all other files. */
    card_sha256: z.string(),
  }),
  features: z.object({ version: z.number(), hash: z.string() }),
  structure: z.object({
    name: z.string(),
    filename: z.string(),
    /** Of the uploaded file. */
    file_sha256: z.string(),
    chain: z.string(),
    /** The model's input: the observed sequence, cut at its gaps. */
    segments: z.array(z.string()),
  }),
  compound: z.object({
    name: z.string(),
    /** As uploaded. */
    smiles: z.string(),
    /** The model's input. */
    standard_smiles: z.string(),
  }),
})
export type Receipt = z.infer<typeof Receipt>

/** Decimals of every number in a receipt. */
export const RECEIPT_DECIMALS = 4

export const PairDetails = z.object({
  target: z.string(),
  chain: z.string(),
  compound: z.string(),
  result: PredictionResult,
})
export type PairDetails = z.infer<typeof PairDetails>

export const readPairDetails = endpoint({
  method: 'GET',
  path: '/evidence/details',
  auth: 'user',
  summary:
    'Returns the full result of a pair you have predicted, by name or by its place in a screen (`screen`, `row`, `column`). Free.',
  errors: ['not_found', 'file_unreadable', 'too_many_requests'],
  query: pair,
  answer: PairDetails,
})

export const readModelFigures = endpoint({
  method: 'GET',
  path: '/evidence/model',
  auth: 'none',
  summary: 'Returns how well the model predicts published series that were new to it.',
  answer: ModelFigures,
})

export const readTargetEvidence = endpoint({
  method: 'GET',
  path: '/evidence/target',
  headers: sharedScreenHeader,
  auth: 'user',
  summary:
    'Returns how many values the model knows on a target of yours, and its error on such proteins. Free.',
  errors: ['not_found', 'file_unreadable', 'too_many_requests'],
  query: z.object({ target: AskedName }),
  answer: TargetEvidence,
})

export const readAtomEvidence = endpoint({
  method: 'GET',
  path: '/evidence/atoms',
  auth: 'user',
  summary: 'Returns the contribution of each atom to a pKd you have predicted. Free.',
  errors: ['not_found', 'file_unreadable', 'too_many_requests'],
  query: picturedPair,
  answer: AtomEvidence,
})

export const readSimilarEvidence = endpoint({
  method: 'GET',
  path: '/evidence/similar',
  earlierPaths: ['/evidence/alike'],
  auth: 'user',
  summary:
    'Returns the training compounds most similar to the compound of a pair you have predicted, with their measured values. Free.',
  errors: ['not_found', 'file_unreadable', 'too_many_requests'],
  query: picturedPair,
  answer: SimilarEvidence,
})

export const readReceipt = endpoint({
  method: 'GET',
  path: '/evidence/receipt',
  auth: 'user',
  summary:
    'Returns the receipt of a prediction: model, features and inputs with hashes, to reproduce it.',
  errors: ['not_found', 'file_unreadable', 'too_many_requests'],
  query: pair,
  answer: Receipt,
})
