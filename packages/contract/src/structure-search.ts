/** Searching a user's compounds by a drawn structure. */
import { z } from 'zod'
import { endpoint } from './endpoint.ts'

/** Longest query, in characters; as long as the SMILES of a compound may be. */
export const QUERY_SMILES_MAX = 2000
/** Most compounds in one answer. */
export const FOUND_COMPOUNDS_MAX = 1000

export const StructureSearchKind = z.enum(['similarity', 'substructure'])
export type StructureSearchKind = z.infer<typeof StructureSearchKind>

export const searchCompounds = endpoint({
  method: 'GET',
  path: '/file_manager/compound_search',
  auth: 'user',
  summary:
    'Finds your compounds that are similar to a structure, or contain it, most similar first (Tanimoto, Morgan fingerprints of radius 2).',
  query: z.object({
    kind: StructureSearchKind,
    smiles: z.string().min(1).max(QUERY_SMILES_MAX),
    /** Lowest similarity; ignored for `substructure`. */
    min_similarity: z.coerce.number().min(0).max(1).default(0.3),
    limit: z.coerce.number().int().min(1).max(FOUND_COMPOUNDS_MAX).default(FOUND_COMPOUNDS_MAX),
  }),
  answer: z.object({
    /** Number of matching compounds, if more than `limit`. */
    total: z.number().int(),
    compounds: z.array(z.object({ name: z.string(), similarity: z.number() })),
  }),
})
