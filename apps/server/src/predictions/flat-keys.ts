/** The keys by which pairs are paid for, of molecules that are given as standard SMILES and were used before. */
import { isIsomeric } from '@pkdex/biochem'
import { sql } from 'kysely'
import type { Database, Trx } from '#server/platform/db/schema.ts'
import { compoundKey } from './pair-key.ts'

type Wanted = { userId: string; smiles: string[] }

/**
 * In order, as Latin-1. A stereoisomer that is neither in the user's library nor in an order gets its own key, which no
 * pair has.
 */
export async function findFlatKeys(
  db: Database | Trx,
  { userId, smiles }: Wanted,
): Promise<string[]> {
  const own = smiles.map((one) => compoundKey(one))
  const isomeric = own.filter((_key, at) => isIsomeric(smiles[at] ?? ''))
  if (isomeric.length === 0) return own.map((key) => key.toString('latin1'))
  const { rows } = await sql<{ key: Buffer; flat: Buffer }>`
    select distinct on (compound_key) compound_key as key, flat_key as flat
    from orders join order_rows on order_number = number and compound_key = any(${isomeric}::bytea[])
    where user_id = ${userId} and flat_key is not null
    union
    select substr(content_hash, 1, 8), flat_key from compounds
    where user_id = ${userId} and flat_key is not null
      and standard_smiles = any(${smiles.filter((one) => isIsomeric(one))}::text[])`.execute(db)
  const flatOf = new Map(rows.map(({ key, flat }) => [key.toString('latin1'), flat]))
  return own.map((key) => (flatOf.get(key.toString('latin1')) ?? key).toString('latin1'))
}
