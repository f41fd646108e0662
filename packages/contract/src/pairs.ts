/** SMILES and a structure in one call, without files. Field names here are the wire's. */
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { NAME_CHARACTERS_MAX } from './files.ts'
import { ScreenStatus, ScreenTarget } from './screens.ts'

/** SMILES of one call of `POST /predict`, at most. */
const PREDICTED_SMILES_MAX = 500
const SMILES_CHARACTERS_MAX = 5000
const STRUCTURE_CHARACTERS_MAX = 16 * 1024 * 1024

const Smiles = z
  .string()
  .max(SMILES_CHARACTERS_MAX)
  .regex(/^[!-~]+$/, 'SMILES are printable characters without spaces')

export const PairsRequest = z
  .object({
    smiles: z.union([Smiles, z.array(Smiles).min(1).max(PREDICTED_SMILES_MAX)]).meta({
      description: 'One SMILES, or a list of them.',
      examples: [['CC(=O)Oc1ccccc1C(=O)O', 'CN1C=NC2=C1C(=O)N(C(=O)N2C)C']],
    }),
    target: z
      .string()
      .min(1)
      .max(5 * NAME_CHARACTERS_MAX)
      .optional()
      .meta({
        description: 'Name of one of your targets; or send `structure`.',
      }),
    structure: z.string().min(1).max(STRUCTURE_CHARACTERS_MAX).optional().meta({
      description: 'Text of a structure, PDB or mmCIF. It is not kept; or send `target`.',
    }),
    chain: z
      .string()
      .min(1)
      .max(4)
      .optional()
      .meta({
        description: 'Chain to predict on; without it the one that the product chooses.',
        examples: ['A'],
      }),
  })
  .refine(({ target, structure }) => (target === undefined) !== (structure === undefined), {
    error: 'Send either `target` or `structure`.',
  })
export type PairsRequest = z.infer<typeof PairsRequest>

export const PairsAnswer = z.object({
  /** Of the screen that keeps the numbers; null where no SMILES could be used. */
  id: z.string().nullable(),
  /** DONE unless it took too long or was cancelled: ask again with the same key, or read the screen. */
  status: ScreenStatus,
  target: ScreenTarget,
  model_version: z.string(),
  credits_charged: z.number(),
  /** One for each SMILES, in order. */
  predictions: z.array(
    z.object({
      smiles: z.string(),
      predicted_kd: z
        .number()
        .nullable()
        .meta({
          description: 'pKd: the negative decimal logarithm of the Kd in mol/L, without unit.',
          examples: [6.2],
        }),
      unit: z.literal('pKd'),
      interval: z.object({ lower: z.number(), upper: z.number() }).nullable().meta({
        description: 'Calibrated interval of this pair, in pKd.',
      }),
      domain: z
        .object({
          is_inside: z.boolean(),
          is_ligand_driven: z.boolean(),
          compound_similarity: z.number(),
          target_similarity: z.number(),
        })
        .nullable()
        .meta({
          description: 'Whether training data is near; similarities to the nearest, from 0 to 1.',
        }),
      reason: z.string().nullable().meta({ description: 'Why there is no number.' }),
    }),
  ),
})
export type PairsAnswer = z.infer<typeof PairsAnswer>

export const predictPairs = endpoint({
  method: 'POST',
  path: '/predict',
  auth: 'user',
  query: z.object({}),
  summary:
    'Predicts SMILES on a structure, or on a target of yours, in one call; neither is added to your files. A pair costs a credit, one that you have already costs nothing, one that fails is refunded. With an Idempotency-Key, asking again answers the same.',
  headers: { 'Idempotency-Key': 'Your own name for this order, at most 200 characters.' },
  errors: ['out_of_credits', 'conflict', 'not_found', 'unavailable'],
  body: PairsRequest,
  bodyBytesMax: 2 * STRUCTURE_CHARACTERS_MAX,
  answer: PairsAnswer,
})
