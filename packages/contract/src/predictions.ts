/** Requesting and polling a prediction. Field names here are the wire's; use them only on the wire. */
import { z } from 'zod'
import { endpoint } from './endpoint.ts'

/** Time between two polls of a task. */
export const POLL_INTERVAL_MS = 1500
/** Half-width of the interval shown with every prediction, in pKd units. */
export const FIXED_INTERVAL_PKD = 1.5
/** Level of the fixed interval, in percent. */
export const FIXED_INTERVAL_PERCENT = 95

const Similarity = z.number().min(0).max(1)

/**
 * What the training data contain near a pair: similar compounds measured on this target, or only on other targets; or
 * nothing (no similar compound, or no similar target).
 */
export const DomainState = z.enum(['known_on_target', 'known_on_other_targets', 'outside'])
export type DomainState = z.infer<typeof DomainState>

const ExactMeasurement = z.object({
  pk: z.number(),
  bound: z
    .enum(['upper', 'lower'])
    .nullable()
    .describe('`upper`: the true value is below `pk`; `lower`: above it.'),
  types: z
    .array(z.string())
    .describe('Kd, Ki, IC50 or EC50; several if values were merged, empty if unknown.'),
  count: z
    .number()
    .int()
    .optional()
    .describe(
      'Own values that were combined, if several: `pk` is their mean, that is the geometric mean of the concentrations.',
    ),
  spread: z.number().optional().describe('Their standard deviation in pK.'),
  source: z
    .enum(['training', 'own'])
    .describe("`training`: the model was trained on it; `own`: the user's."),
})
export type ExactMeasurement = z.infer<typeof ExactMeasurement>

/** Leave-one-out on the own values of a target: against predictions without them, and against their mean. */
export const OwnValuesVerdict = z.enum([
  'too few',
  'helps',
  'no difference',
  'no better than the average',
  'harms',
])
export type OwnValuesVerdict = z.infer<typeof OwnValuesVerdict>

const Interval = z.object({ lower: z.number(), upper: z.number(), level: z.number() })

/** The pKd of a pair after a stage of its estimate, with its interval. */
const Stage = z.object({ predicted_kd: z.number(), interval: Interval })

/**
 * The one number of a pair that every page, file and sort order uses. Computed at read time from the current poses and
 * measured values; the last of its stages is the estimate.
 */
export const BestEstimate = Stage.extend({
  pose: Stage.optional().describe(
    'Present if the pose of the compound in your structure moved the prediction: the number after that.',
  ),
  own_values: z
    .number()
    .int()
    .min(0)
    .describe('Number of your measured values on the target that moved it further; 0 if none did.'),
})
export type BestEstimate = z.infer<typeof BestEstimate>

export const PredictionResult = z.object({
  predicted_kd: z
    .number()
    .describe(
      'Predicted pKd from sequence and compound, the negative decimal logarithm of the dissociation constant in mol/L. It never changes for a pair and a model version; `best_estimate` is the number to use.',
    ),
  unit: z.literal('pKd'),
  interval: Interval.describe("The model's own calibrated interval for this pair, in pKd."),
  domain: z.object({
    is_inside: z.boolean().describe('True if `state` is `known_on_target`.'),
    state: DomainState.optional().describe(
      'Missing in results from before there were three states.',
    ),
    is_ligand_driven: z
      .boolean()
      .describe(
        'True if no training target is similar: protein-aware parts have less than half of the weight.',
      ),
    reason: z.string().describe('One sentence that says why.'),
  }),
  nearest_compound: z
    .object({ similarity: Similarity })
    .describe('Tanimoto similarity (Morgan, radius 2) to the closest training compound.'),
  /** The closest training targets by sequence, closest first; similarity by shared k-mers. */
  nearest_targets: z.array(
    z.object({
      name: z.string(),
      similarity: Similarity,
      identity_percent: z
        .number()
        .min(0)
        .max(100)
        .optional()
        .describe(
          'Fraction of identical residues in a local alignment; missing if the sequences have too little in common.',
        ),
      measurements: z
        .number()
        .int()
        .min(0)
        .optional()
        .describe('Values measured on it, including entries with the same sequence.'),
    }),
  ),
  nearest_measured_compound: z
    .object({ similarity: Similarity })
    .nullish()
    .describe(
      'The most similar compound measured on this protein; null if nothing was measured on it.',
    ),
  /**
   * Measured values of the most similar training compounds on the closest training target, closest first: pKd or pKi,
   * or an upper bound. Empty if the protein is not that target; missing in older results.
   */
  measured_compounds: z
    .array(z.object({ pk: z.number(), is_upper_bound: z.boolean(), similarity: Similarity }))
    .optional(),
  exact_measurements: z
    .array(ExactMeasurement)
    .optional()
    .describe(
      "Measured values of exactly this pair, including stereochemistry; the user's own values first.",
    ),
  is_mostly_ic50: z
    .boolean()
    .optional()
    .describe(
      "True if most of the model's values for the target are IC50. The prediction is still a pKd; an IC50 also depends on its assay and is usually lower, so the interval is wider.",
    ),
  best_estimate: BestEstimate.optional().describe(
    'Missing in a result that was read without its user, such as one in an export of the database.',
  ),
  is_being_placed: z
    .boolean()
    .optional()
    .describe(
      'True while the compound waits to be placed in your structure: the pose may still move the best estimate.',
    ),
  /** Own values on this target that are not used, because of their verdict or because they are switched off. */
  own_values_unused: z
    .object({ count: z.number().int().min(1), verdict: OwnValuesVerdict })
    .optional(),
  own_values_unpredicted: z
    .number()
    .int()
    .min(1)
    .optional()
    .describe(
      'Own values on this target that do not count yet, because their compounds are not predicted on it.',
    ),
  model_version: z.string().describe('Version of the model.'),
})
export type PredictionResult = z.infer<typeof PredictionResult>

/** `PENDING`, `STARTED`, `SUCCESS` or `FAILURE`. Open on the wire: a client keeps polling on any status it does not know. */
export const TaskStatus = z.string().meta({
  description: 'PENDING, STARTED, SUCCESS or FAILURE. Keep polling until it is SUCCESS or FAILURE.',
  examples: ['SUCCESS'],
})

export const Task = z.object({
  status: TaskStatus,
  /** A full object from this server; one with the value alone and a bare number are understood too. */
  result: z
    .union([PredictionResult, z.object({ predicted_kd: z.number() }), z.number(), z.null()])
    .optional(),
  message: z.string().nullable().optional(),
  credits_charged: z.number().optional().describe('Credits this task cost: 0 after a refund.'),
})
export type Task = z.infer<typeof Task>

export const PredictAnswer = z.union([
  z.object({
    task_id: z.string(),
    credits_charged: z
      .number()
      .optional()
      .describe('Credits charged for this task: 0 if it was in progress already.'),
  }),
  z.object({
    predicted_kd: z.number(),
    result: PredictionResult.optional(),
    credits_charged: z.number().optional().describe('Credits charged for this request.'),
  }),
])
export type PredictAnswer = z.infer<typeof PredictAnswer>

/** Far longer than any name; unknown names are repeated in the response. */
const ASKED_NAME_CHARACTERS_MAX = 1000
export const AskedName = z.string().min(1).max(ASKED_NAME_CHARACTERS_MAX)

/**
 * A repeated request for a pair that this user has, finished or in progress, with the same model version returns that
 * one and costs nothing, for example after a reload.
 */
export const requestPrediction = endpoint({
  method: 'POST',
  path: '/dta/predict',
  auth: 'user',
  summary:
    'Predicts a pair for one credit. Returns the pKd if ready within a second, otherwise a task id. `Prefer: respond-async` always returns a task id.',
  headers: { Prefer: '`respond-async`: return a task id immediately.' },
  errors: ['out_of_credits', 'not_found', 'unavailable'],
  body: z.object({ protein_id: AskedName, compound_id: AskedName }),
  answer: PredictAnswer,
})

export const KnownPair = z.object({
  compound_id: z.string(),
  predicted_kd: z.number().describe('From sequence and compound.'),
  best_kd: z.number().describe('The best estimate, see `best_estimate` of a result.'),
  measured_pk: z
    .number()
    .nullish()
    .describe('Your measured values for exactly this pair: the mean of the exact ones in pK.'),
})
export type KnownPair = z.infer<typeof KnownPair>

/** A prediction of an earlier model, with that model's version. */
export const EarlierPair = KnownPair.extend({ model_version: z.string() })
export type EarlierPair = z.infer<typeof EarlierPair>

export const listKnown = endpoint({
  method: 'GET',
  path: '/dta/known',
  auth: 'user',
  summary: 'Lists your compounds already predicted for a target, and the cost of the others.',
  errors: ['not_found'],
  query: z.object({ protein_id: AskedName }),
  answer: z.object({
    known: z.array(KnownPair),
    earlier: z
      .array(EarlierPair)
      .default([])
      .describe('Compounds with a prediction of an earlier model only; included in `to_predict`.'),
    to_predict: z
      .number()
      .int()
      .describe('Distinct compounds without a prediction, and the credits they cost.'),
    credits_needed: z.number(),
  }),
})

export const readPrediction = endpoint({
  method: 'GET',
  path: '/dta/predict/:taskId',
  auth: 'user',
  summary: 'Returns the status and result of a prediction.',
  answer: Task,
})
