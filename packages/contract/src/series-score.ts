/** Another tool's score (docking, free-energy perturbation, a colleague's model) as a column of the user's compounds. */
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { NAME_CHARACTERS_MAX } from './files.ts'
import { sharedScreenHeader } from './shared-screen.ts'
import { NO_CONTROL_CHARACTERS } from './text.ts'

/** Minimum measured compounds with a score for a verdict. */
export const SCORE_VALUES_MIN = 5
const SCREENS_MAX = 10
const COLUMN_CHARACTERS_MAX = 200

const Target = z
  .string()
  .min(1)
  .max(NAME_CHARACTERS_MAX)
  .regex(NO_CONTROL_CHARACTERS, 'it contains a character that names cannot contain')

/** Which end of the scale is stronger. */
export const ScoreDirection = z.enum(['higher', 'lower'])

export const ScoreChoice = z.object({ column: z.string(), direction: ScoreDirection })
export type ScoreChoice = z.infer<typeof ScoreChoice>

export const ScoreVerdict = z.enum(['yes', 'no', 'cannot tell yet', 'too few'])

/** Verdict on a column next to own values. */
export const ScoreJudgement = ScoreChoice.extend({
  scored: z.number().int().describe('Compounds with a score, and the measured ones among them.'),
  measured: z.number().int(),
  verdict: ScoreVerdict.describe(
    'Whether it carries information beyond molecular size and the prediction.',
  ),
  summary: z.string().describe('The verdict as a sentence.'),
  tau: z
    .number()
    .nullable()
    .describe(
      "Kendall's tau of the column, and of the prediction alone, over these measured compounds; null with too few values.",
    ),
  prediction_tau: z.number().nullable(),
  slope: z
    .object({ mean: z.number(), lower: z.number(), upper: z.number() })
    .nullable()
    .describe(
      'In pK per standard deviation of the part that neither size nor the prediction explains; null with too few values.',
    ),
  weight: z
    .number()
    .nullable()
    .describe(
      'Weight of predictions with the column in the average, from 0 to 1; null with too few values.',
    ),
})
export type ScoreJudgement = z.infer<typeof ScoreJudgement>

export const SeriesScore = z.object({
  columns: z.array(z.string()).describe('Columns of your compounds that contain numbers.'),
  judgement: ScoreJudgement.nullable().describe(
    'The column selected for the target, with its verdict; null without one.',
  ),
  /**
   * Compounds with a score, strongest prediction first, at most 2,000: with your values, and with the column as well.
   */
  predictions: z.array(
    z.object({
      compound: z.string(),
      smiles: z.string(),
      score: z.number(),
      predicted_kd_with_own: z.number(),
      predicted_kd: z.number(),
      lower: z.number(),
      upper: z.number(),
    }),
  ),
})
export type SeriesScore = z.infer<typeof SeriesScore>

export const chooseScore = endpoint({
  method: 'PUT',
  path: '/series/score',
  auth: 'user',
  summary:
    'Chooses a column of your compounds as another tool’s score for a target, and which way it points; `null`: none.',
  errors: ['not_found'],
  body: z.object({
    target: Target,
    choice: z
      .object({
        column: z
          .string()
          .min(1)
          .max(COLUMN_CHARACTERS_MAX)
          .regex(NO_CONTROL_CHARACTERS, 'it contains a character that names cannot contain'),
        direction: ScoreDirection,
      })
      .nullable(),
  }),
  answer: z.object({ choice: ScoreChoice.nullable() }),
})

export const judgeScore = endpoint({
  method: 'POST',
  path: '/series/score',
  headers: sharedScreenHeader,
  auth: 'user',
  summary:
    'Returns whether another tool’s score carries information beyond molecular size and the prediction, and predictions that include the score as far as the evidence supports it. Free.',
  errors: ['not_found', 'conflict', 'too_many_requests'],
  body: z.object({
    screens: z
      .array(z.uuid())
      .min(1)
      .max(SCREENS_MAX)
      .describe('Ids of screens whose compounds have the column, measured ones included.'),
    target: Target,
    chain: z
      .string()
      .max(10)
      .optional()
      .describe('Needed if a screen has several chains of the target.'),
  }),
  answer: SeriesScore,
})
