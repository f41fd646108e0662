/**
 * Gives the data of versions before 0062 the keys of their structures without stereochemistry. Of several stereoisomers that
 * a user paid for, one keeps paying for the number, so that deleting its order passes it on; the charges stay as they are.
 */
import { createHash } from 'node:crypto'
import type { RdkitModule } from '@pkdex/biochem'
import { sql } from 'kysely'
import type { Move } from './move-in-slices.ts'
import type { Trx } from './schema.ts'

/** As in the rows: a key is the start of a SHA-256. */
const KEY_BYTES = 8

export const flattenKeys: Move = {
  what: 'keys of compounds',
  isLeft: sql<boolean>`to_regclass('flat_keys') is not null`,
  count: sql<number>`(select count(distinct standard_smiles)::int from compounds where standard_smiles ~ '[@/\\\\]')`,
  moveSlice,
  async finish(trx) {
    await sql`update compounds set flat_key = flat_keys.flat_key from flat_keys
      where compound_key = substr(content_hash, 1, ${KEY_BYTES})`.execute(trx)
    await sql`update order_rows set flat_key = compound_key where compound_key is not null`.execute(
      trx,
    )
    await sql`update order_rows set flat_key = flat_keys.flat_key from flat_keys
      where flat_keys.compound_key = order_rows.compound_key`.execute(trx)
    await demotePayers(trx)
    await sql`update pairs set compound_key = flat_keys.flat_key from flat_keys
      where flat_keys.compound_key = pairs.compound_key`.execute(trx)
    await countOpenOrders(trx)
    await sql`drop table flat_keys`.execute(trx)
  },
}

const STRUCTURES_PER_SLICE = 200

/** The first slice lists the structures that have stereochemistry: rows of much earlier versions are in place by now. */
async function moveSlice(trx: Trx): Promise<number> {
  const { rows } = await sql<{ smiles: string }>`
    select smiles from flat_keys where flat_key is null limit ${STRUCTURES_PER_SLICE}`.execute(trx)
  if (rows.length === 0) return listStructures(trx)
  const { flatSmiles, openRdkit } = await import('@pkdex/biochem')
  rdkit ??= await openRdkit()
  const flats: string[] = []
  for (const { smiles } of rows) {
    try {
      flats.push(flatSmiles(rdkit, smiles))
    } catch {
      // A broken module is not used again. The structure keeps its own key.
      rdkit = await openRdkit()
      flats.push(smiles)
    }
  }
  await sql`update flat_keys set flat_key = flat
    from unnest(${rows.map(({ smiles }) => smiles)}::text[], ${flats.map(keyOf)}::bytea[]) as given (smiles, flat)
    where flat_keys.smiles = given.smiles`.execute(trx)
  return rows.length
}

let rdkit: RdkitModule | undefined

function keyOf(smiles: string): Buffer {
  return createHash('sha256').update(smiles).digest().subarray(0, KEY_BYTES)
}

/** 0 if they are listed, or there are none. */
async function listStructures(trx: Trx): Promise<number> {
  const { rows } = await sql<{ listed: number }>`
    with listed as (
      insert into flat_keys (compound_key, smiles)
      select substr(sha256(convert_to(smiles, 'UTF8')), 1, ${KEY_BYTES}), smiles from (
        select standard_smiles as smiles from compounds union select standard from order_rows) as known
      where smiles ~ '[@/\\\\]' on conflict do nothing returning 1)
    select count(*)::int as listed from listed`.execute(trx)
  return rows[0]?.listed ?? 0
}

/** The first order keeps paying. */
async function demotePayers(trx: Trx): Promise<void> {
  await sql`with payers as (
      select order_number, row, place, row_number() over (
        partition by sequence_id, coalesce(flat_keys.flat_key, pairs.compound_key), model_version
        order by order_number, row, place) as at
      from pairs left join flat_keys using (compound_key) where is_payer)
    update pairs set is_payer = false from payers
    where at > 1 and pairs.order_number = payers.order_number and pairs.row = payers.row and pairs.place = payers.place`.execute(
    trx,
  )
}

/** Orders in progress pay for each flat structure once; if they are cancelled, what they were charged is shared among these. */
async function countOpenOrders(trx: Trx): Promise<void> {
  await sql`with repeated as (
      select id, orders.paid - greatest(least(orders.paid, 1),
        orders.paid - (count(distinct compound_key) - count(distinct flat_key))
          * (select count(distinct sequence_id) from order_targets where order_id = id)) as pairs
      from orders join order_rows on order_number = number
      where status in ('QUEUED', 'RUNNING') and kind <> 'measurement' group by id)
    update orders set paid = paid - pairs, known = known + pairs
    from repeated where repeated.id = orders.id and pairs > 0`.execute(trx)
}
