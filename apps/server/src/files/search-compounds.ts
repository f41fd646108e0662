/** Searches a user's compounds by a drawn structure, most similar first. */
import type { searchCompounds as SearchCall } from '@pkdex/contract'
import type { z } from 'zod'
import type { Database } from '#server/platform/db/schema.ts'
import { AppError } from '#server/platform/errors.ts'
import type { ParsingWorkers } from './parsing/service.ts'
import { findCompounds } from './service.ts'
import { round } from '#server/platform/round.ts'

type Dependencies = { db: Database; parsingWorkers: Pick<ParsingWorkers, 'searchStructure'> }
type Search = { userId: string; query: z.output<typeof SearchCall.query>; gone: AbortSignal }

/** Each molecule is compared once, however many names it has. Equally similar compounds keep the order of the list. */
export async function searchCompounds(
  { db, parsingWorkers }: Dependencies,
  { userId, query: { kind, smiles: query, min_similarity: least, limit }, gone }: Search,
): Promise<z.output<typeof SearchCall.answer>> {
  const rows = await findCompounds(db, userId, null)
  const smiles = [...new Set(rows.map((row) => row.standard_smiles))]
  const found = await parsingWorkers.searchStructure(userId, { kind, query, smiles }, gone)
  if (!found.ok) throw new AppError('invalid_request', found.reason)
  const similarities = new Map(smiles.map((one, at) => [one, found.value[at] ?? null]))
  const matches = rows.flatMap(({ name, standard_smiles: one }) => {
    const similarity = similarities.get(one) ?? null
    if (similarity === null || (kind === 'similarity' && similarity < least)) return []
    return { name, similarity: round(similarity, 3) }
  })
  const ranked = matches.toSorted((a, b) => b.similarity - a.similarity)
  return { total: matches.length, compounds: ranked.slice(0, limit) }
}
