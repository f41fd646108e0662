/** SMILES and a structure in one request, without files. Field names here are the wire's. */
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { NAME_CHARACTERS_MAX } from './files.ts'
import { DomainState } from './predictions.ts'
import { ScreenStatus, ScreenTarget } from './screens.ts'

/** Maximum SMILES per `POST /predict`: a whole enumeration of a series. */
export const PREDICTED_SMILES_MAX = 5000
const SMILES_CHARACTERS_MAX = 5000
const STRUCTURE_CHARACTERS_MAX = 16 * 1024 * 1024

const Smiles = z
  .string()
  .max(SMILES_CHARACTERS_MAX)
  .regex(/^[!-~]+$/, 'must be SMILES: printable characters without spaces')

export const PairsRequest = z
  .object({
    smiles: z.union([Smiles, z.array(Smiles).min(1).max(PREDICTED_SMILES_MAX)]).meta({
      description: 'One SMILES or a list.',
      examples: [['CC(=O)Oc1ccccc1C(=O)O', 'CN1C=NC2=C1C(=O)N(C(=O)N2C)C']],
    }),
    target: z
      .string()
      .min(1)
      .max(5 * NAME_CHARACTERS_MAX)
      .optional()
      .meta({
        description: 'Name of one of your targets. Alternatively, send `structure`.',
      }),
    structure: z.string().min(1).max(STRUCTURE_CHARACTERS_MAX).optional().meta({
      description: 'Structure as PDB or mmCIF text; not stored. Alternatively, send `target`.',
    }),
    chain: z
      .string()
      .min(1)
      .max(4)
      .optional()
      .meta({
        description: 'Chain to use. Default: chosen by pKdex.',
        examples: ['A'],
      }),
    screen: z.uuid().optional().meta({
      description:
        'Id of one of your screens with this target: the molecules become a follow-up of it, part of its series and exports.',
    }),
  })
  .refine(({ target, structure }) => (target === undefined) !== (structure === undefined), {
    error: 'Send either `target` or `structure`.',
  })
export type PairsRequest = z.infer<typeof PairsRequest>

export const PairsAnswer = z.object({
  id: z
    .string()
    .nullable()
    .describe('Id of the screen that stores the predictions; null if no SMILES could be used.'),
  status: ScreenStatus.describe(
    'DONE unless it took too long or was cancelled: repeat the request with the same key, or read the screen.',
  ),
  target: ScreenTarget,
  model_version: z.string().describe('Several are separated by commas, as in a screen.'),
  credits_charged: z.number(),
  /** One per SMILES, in order. */
  predictions: z.array(
    z.object({
      smiles: z.string(),
      predicted_kd: z
        .number()
        .nullable()
        .meta({
          description: 'Predicted pKd (−log10 of Kd in mol/L) from sequence and compound.',
          examples: [6.2],
        }),
      best_kd: z
        .number()
        .nullable()
        .meta({
          description:
            'Best estimate: the prediction moved by poses and your measured values on the target, if there are any.',
          examples: [6.4],
        }),
      unit: z.literal('pKd'),
      interval: z.object({ lower: z.number(), upper: z.number() }).nullable().meta({
        description: '95% prediction interval of `predicted_kd`.',
      }),
      best_interval: z.object({ lower: z.number(), upper: z.number() }).nullable().meta({
        description: '95% interval of the best estimate.',
      }),
      domain: z
        .object({
          is_inside: z.boolean(),
          state: DomainState.nullable(),
          is_ligand_driven: z.boolean(),
          compound_similarity: z.number(),
          target_similarity: z.number(),
        })
        .nullable()
        .meta({
          description:
            'Applicability domain, and similarity to the closest training data (0 to 1).',
        }),
      reason: z.string().nullable().meta({ description: 'Why there is no prediction.' }),
    }),
  ),
})
export type PairsAnswer = z.infer<typeof PairsAnswer>

export const PairsQuote = z.object({
  total: z.number().int().describe('SMILES that can be predicted.'),
  known: z.number().int().describe('Of these, already predicted, which is free.'),
  to_predict: z.number().int(),
  credits_needed: z.number(),
  credits_left: z.number(),
  unusable_count: z.number().int().describe('SMILES that cannot be read.'),
})
export type PairsQuote = z.infer<typeof PairsQuote>

export const quotePairs = endpoint({
  method: 'POST',
  path: '/predict/quote',
  auth: 'user',
  summary: 'What `POST /predict` would cost for the same body. Nothing is predicted or charged.',
  errors: ['not_found', 'unavailable'],
  body: PairsRequest,
  bodyBytesMax: 2 * STRUCTURE_CHARACTERS_MAX,
  answer: PairsQuote,
})

export const predictPairs = endpoint({
  method: 'POST',
  path: '/predict',
  auth: 'user',
  summary:
    'Predicts up to 5,000 SMILES for one of your targets or for a structure sent with the request; nothing is added to your files. New pairs cost a credit, known pairs are free, failed pairs are refunded. With an Idempotency-Key, a repeated request returns the same result.',
  headers: { 'Idempotency-Key': 'Your own unique key for this request, at most 200 characters.' },
  errors: ['out_of_credits', 'conflict', 'not_found', 'unavailable'],
  body: PairsRequest,
  bodyBytesMax: 2 * STRUCTURE_CHARACTERS_MAX,
  answer: PairsAnswer,
})
