/** Asking for a prediction and polling it. Field names here are the wire's; they stay on the wire. */
import { z } from 'zod'
import { endpoint } from './endpoint.ts'

/** Time between two polls of a task. */
export const POLL_INTERVAL_MS = 1500
/** Half-width of the interval that is shown with every prediction, in pKd units. */
export const FIXED_INTERVAL_PKD = 1.5
/** Level of the fixed interval, in percent. */
export const FIXED_INTERVAL_PERCENT = 95

const Similarity = z.number().min(0).max(1)

export const PredictionResult = z.object({
  /** Predicted pKd, the negative decimal logarithm of the dissociation constant in mol/L. */
  predicted_kd: z.number(),
  unit: z.literal('pKd'),
  /** The model's own calibrated interval for this pair, in pKd. */
  interval: z.object({ lower: z.number(), upper: z.number(), level: z.number() }),
  domain: z.object({
    is_inside: z.boolean(),
    /** True where no training target is near: numbers that see the protein carry less than half of the weight. */
    is_ligand_driven: z.boolean(),
    /** One sentence that says why. */
    reason: z.string(),
  }),
  /** Tanimoto similarity (Morgan, radius 2) to the nearest training compound. */
  nearest_compound: z.object({ similarity: Similarity }),
  /** Training targets nearest in sequence, nearest first; similarity by shared k-mers. */
  nearest_targets: z.array(
    z.object({
      name: z.string(),
      similarity: Similarity,
      /** Identical residues among those of a local alignment; without one where the sequences have too little in common. */
      identity_percent: z.number().min(0).max(100).optional(),
      /** Values measured on it, those on entries of the same sequence included. */
      measurements: z.number().int().min(0).optional(),
    }),
  ),
  /**
   * The compound most like this one among those measured on the nearest training target; null where nothing was
   * measured on this protein.
   */
  nearest_measured_compound: z.object({ similarity: Similarity }).nullish(),
  /**
   * What the training compounds most like this one were measured at on the nearest training target, nearest
   * first: pKd or pKi, or an upper bound of it. Empty where the protein is not that target; results from
   * before this was said lack it.
   */
  measured_compounds: z
    .array(z.object({ pk: z.number(), is_upper_bound: z.boolean(), similarity: Similarity }))
    .optional(),
  /**
   * True where most of what the model knows of the target is IC50. The number still reads as a pKd; an IC50 depends on
   * its assay as well and usually lies below it, so that the interval is wider there.
   */
  is_mostly_ic50: z.boolean().optional(),
  /**
   * The number and its interval when the user's own values on this target are taken into account. Computed when it
   * is read, from the values of that moment; the other fields stay what they were.
   */
  own_values: z
    .object({
      /** How many values it rests on. */
      count: z.number().int().min(1),
      predicted_kd: z.number(),
      interval: z.object({ lower: z.number(), upper: z.number(), level: z.number() }),
    })
    .optional(),
  /** Version of the model that answered. */
  model_version: z.string(),
})
export type PredictionResult = z.infer<typeof PredictionResult>

/** `status` is open on the wire: a client keeps polling on a status that it does not know. */
export const Task = z.object({
  status: z.string(),
  /** A full object from this server; one with the value alone and a bare number are understood too. */
  result: z
    .union([PredictionResult, z.object({ predicted_kd: z.number() }), z.number(), z.null()])
    .optional(),
  message: z.string().nullable().optional(),
  /** Credits that this task has cost: 0 once it was refunded. */
  credits_charged: z.number().optional(),
})
export type Task = z.infer<typeof Task>

export const PredictAnswer = z.union([
  z.object({
    task_id: z.string(),
    /** Credits that were taken for this task: 0 when it was under way already. */
    credits_charged: z.number().optional(),
  }),
  z.object({
    predicted_kd: z.number(),
    result: PredictionResult.optional(),
    /** Credits that this answer cost. */
    credits_charged: z.number().optional(),
  }),
])
export type PredictAnswer = z.infer<typeof PredictAnswer>

/** Far more than any name has: what is not found is repeated in the answer. */
const ASKED_NAME_CHARACTERS_MAX = 1000
export const AskedName = z.string().min(1).max(ASKED_NAME_CHARACTERS_MAX)

/**
 * Asking again for a pair that this user has, done or under way, by the same model version answers that
 * one and costs nothing: a page that is reloaded while it waits asks again.
 */
export const requestPrediction = endpoint({
  method: 'POST',
  path: '/dta/predict',
  auth: 'user',
  summary:
    'Takes a credit and predicts a pair; answers the number if it is ready within a second, else a task. With `Prefer: respond-async` it does not wait.',
  headers: { Prefer: '`respond-async`: answer a task at once.' },
  errors: ['out_of_credits', 'not_found', 'unavailable'],
  query: z.object({}),
  body: z.object({ protein_id: AskedName, compound_id: AskedName }),
  answer: PredictAnswer,
})

export const KnownPair = z.object({ compound_id: z.string(), predicted_kd: z.number() })

export const listKnown = endpoint({
  method: 'GET',
  path: '/dta/known',
  auth: 'user',
  summary:
    'Your compounds whose number on a target you have already, and what the others would cost.',
  errors: ['not_found'],
  query: z.object({ protein_id: AskedName }),
  body: z.undefined(),
  answer: z.object({
    known: z.array(KnownPair),
    /** Different compounds without a number, and the credits that they take. */
    to_predict: z.number().int(),
    credits_needed: z.number(),
  }),
})

export const readPrediction = endpoint({
  method: 'GET',
  path: '/dta/predict/:taskId',
  auth: 'user',
  summary: 'The state of a prediction, and its result.',
  query: z.object({}),
  body: z.undefined(),
  answer: Task,
})
