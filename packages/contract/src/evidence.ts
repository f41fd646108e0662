/** What a number rests on: for pairs that you have predicted with the model that runs now, at no cost. */
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { AskedName } from './predictions.ts'
import { Theme } from './previews.ts'

const pair = z.object({ target: AskedName, compound: AskedName })
const picturedPair = pair.extend({ theme: Theme.default('light') })

/** A structural formula, and where its atoms stand on it in pixels, in the order of its SMILES. */
const FormulaPicture = z.object({
  /** A `data:` address of an SVG. */
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
  /**
   * Of each atom of the picture: how much the number falls, in pKd, when the model does not see this atom. Below
   * zero: the number rises. The parts do not add up to the number.
   */
  adds: z.array(z.number()),
})
export type AtomEvidence = z.infer<typeof AtomEvidence>

const Measurement = z.object({
  target: z.string(),
  /** pKd, pKi or pIC50, see `types`. */
  pk: z.number(),
  /** The value lies below `pk`. */
  is_upper_bound: z.boolean(),
  /** Kd, Ki or IC50; several where values were merged; empty where it is not known. */
  types: z.array(z.string()),
  sources: z.array(z.string()),
})

const AlikeCompound = z.object({
  /** Tanimoto similarity (Morgan, radius 2). */
  similarity: z.number(),
  name: z.string().nullable(),
  smiles: z.string().nullable(),
  picture: FormulaPicture.nullable(),
  /** The largest part that both have in common, as places in the atoms of the one and of the other picture. */
  common: z.object({ own: z.array(z.number()), other: z.array(z.number()) }),
  measurements: z.array(Measurement),
  /** Of all that the model has of this compound, which `measurements` may be the first few of. */
  measurement_count: z.number().int(),
})

export const AlikeEvidence = z.object({
  /** `target`: measured on the training target that the protein is; `anywhere`: on others. */
  scope: z.enum(['target', 'anywhere']),
  /**
   * The nearest training target; null where none resembles the protein. `measured`: its Kd and Ki, the likest of which are
   * shown; `heard`: values from series on it that move the number as well, further Ki and IC50 of ChEMBL among them.
   */
  target: z
    .object({
      name: z.string(),
      similarity: z.number(),
      measured: z.number().int(),
      heard: z.number().int(),
    })
    .nullable(),
  own: FormulaPicture.nullable(),
  /** Most alike first. */
  compounds: z.array(AlikeCompound),
})
export type AlikeEvidence = z.infer<typeof AlikeEvidence>

/** Everything that is needed to compute a number again. `npm run verify-receipt` does. */
export const Receipt = z.object({
  format: z.literal('pkdex-receipt-1'),
  /** pKd; these are its digits. */
  predicted_kd: z.number(),
  interval: z.object({ lower: z.number(), upper: z.number(), level: z.number() }),
  predicted_at: z.iso.datetime(),
  model: z.object({
    version: z.string(),
    /** SHA-256 of the model card, which holds those of all other files. */
    card_sha256: z.string(),
  }),
  features: z.object({ version: z.number(), hash: z.string() }),
  structure: z.object({
    name: z.string(),
    filename: z.string(),
    /** Of the file as it was uploaded. */
    file_sha256: z.string(),
    chain: z.string(),
    /** What the model saw: the observed sequence, cut at its gaps. */
    segments: z.array(z.string()),
  }),
  compound: z.object({
    name: z.string(),
    /** As it was uploaded. */
    smiles: z.string(),
    /** What the model saw. */
    standard_smiles: z.string(),
  }),
})
export type Receipt = z.infer<typeof Receipt>

/** Digits behind the point of every number of a receipt. */
export const RECEIPT_DECIMALS = 4

export const readAtomEvidence = endpoint({
  method: 'GET',
  path: '/evidence/atoms',
  auth: 'user',
  summary:
    'How much each atom of the compound adds to the number of a pair that you have predicted, at no cost.',
  errors: ['not_found', 'file_unreadable', 'too_many_requests'],
  query: picturedPair,
  body: z.undefined(),
  answer: AtomEvidence,
})

export const readAlikeEvidence = endpoint({
  method: 'GET',
  path: '/evidence/alike',
  auth: 'user',
  summary:
    'The training compounds most like the compound of a pair that you have predicted, with what was measured of them, at no cost.',
  errors: ['not_found', 'file_unreadable', 'too_many_requests'],
  query: picturedPair,
  body: z.undefined(),
  answer: AlikeEvidence,
})

export const readReceipt = endpoint({
  method: 'GET',
  path: '/evidence/receipt',
  auth: 'user',
  summary:
    'The receipt of a number: model, features and inputs with their hashes, so that it can be computed again.',
  errors: ['not_found'],
  query: pair,
  body: z.undefined(),
  answer: Receipt,
})
