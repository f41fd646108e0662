/**
 * What to make or measure next: untested compounds of screens, ranked by predictions adjusted by the user's measured
 * values.
 */
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { NAME_CHARACTERS_MAX } from './files.ts'
import { PageNumber } from './paging.ts'
import { ScoreJudgement } from './series-score.ts'
import { SeriesSmiles } from './series.ts'
import { NO_CONTROL_CHARACTERS } from './text.ts'

/** Minimum measured values on a target for suggestions. */
export const NEXT_VALUES_MIN = 3
/** Suggestions of one page. */
export const NEXT_SUGGESTIONS = 5
/** Maximum untested compounds ranked, those with the highest predicted values. */
export const NEXT_CANDIDATES_MAX = 2000
const SCREENS_MAX = 10

/** A measured value that supports a prediction. */
const RestsOn = z.object({
  compound: z.string(),
  pk: z.number(),
  /** Tanimoto similarity to the suggested compound. */
  similarity: z.number(),
  /** How much lower the predicted pKd would be without this value; negative: higher. */
  effect: z.number(),
})

export const Suggestion = z.object({
  /** Name of the compound; empty for a gap of a SAR table. */
  compound: z.string(),
  smiles: z.string(),
  /** pKd with the user's values, and its 95% interval; from the pKd after the pose if a screen placed it. */
  predicted_kd: z.number(),
  lower: z.number(),
  upper: z.number(),
  /** pKd without them, after the pose if a screen placed it. */
  predicted_kd_without_own: z.number(),
  /** Probability of a measured value above the goal, 0 to 1; rounded down to whole percent. */
  chance: z.number(),
  /** A sentence with the measured values behind the prediction. */
  reason: z.string(),
  rests_on: z.array(RestsOn),
})
export type Suggestion = z.infer<typeof Suggestion>

export const NextCompounds = z.object({
  /** Compounds with a measured value that the model has predicted too; suggestions need at least three. */
  measured: z.number().int(),
  /** Measured values that the model has not predicted yet; ask again. */
  waiting: z.number().int(),
  /** The strongest measured value. */
  best: z.object({ compound: z.string(), smiles: z.string(), pk: z.number() }).nullable(),
  /** The pK to beat: yours, or the strongest measured value. */
  goal: z.number().nullable(),
  /** False if your values make predictions worse, or you disabled them: then predictions without them are ranked. */
  uses_own_values: z.boolean(),
  /** The column of another tool's scores selected for the target, as used in the ranking; null without one. */
  other_score: ScoreJudgement.nullable(),
  /** Ranked compounds, those on other pages included. */
  candidates: z.number().int(),
  /** Untested compounds with a prediction; more than `candidates` where there are more than 2,000. */
  untested: z.number().int(),
  suggestions: z.array(Suggestion),
})
export type NextCompounds = z.infer<typeof NextCompounds>

export const suggestNext = endpoint({
  method: 'POST',
  path: '/series/next',
  auth: 'user',
  summary:
    'Suggests which untested compounds of your screens to make or measure next, five per page: predicted value, interval, probability of exceeding the goal, reason. Free.',
  errors: ['not_found', 'conflict', 'too_many_requests'],
  body: z.object({
    /** Ids of screens; their follow-ups on the target are included. */
    screens: z.array(z.uuid()).min(1).max(SCREENS_MAX),
    target: z
      .string()
      .min(1)
      .max(NAME_CHARACTERS_MAX)
      .regex(NO_CONTROL_CHARACTERS, 'must not contain control characters'),
    /** Needed if a screen has several chains of the target. */
    chain: z.string().max(10).optional(),
    /** The pK to beat; by default the strongest measured value. */
    goal: z.number().min(0).max(15).optional(),
    /** SMILES of compounds not to suggest, besides the target's list of excluded molecules. */
    exclude: z.array(SeriesSmiles).max(1000).default([]),
    page: PageNumber.default(1),
  }),
  bodyBytesMax: 3 * 1024 * 1024,
  answer: NextCompounds,
})
