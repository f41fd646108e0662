/**
 * Properties and alerts of compounds. They are computed at upload and stored with the compound; those of older
 * compounds, and of molecules that are in no file, are computed on request.
 */
import { createHash } from 'node:crypto'
import { type CompoundRecord, unpackRecord } from '@pkdex/biochem'
import { sql } from 'kysely'
import type { Database } from '#server/platform/db/schema.ts'
import type { ParsingWorkers } from './parsing/service.ts'

export type CompoundRecords = {
  /** Keyed by standard SMILES; compounds that cannot be read safely, or for which time ran out, are missing. */
  read(
    userId: string,
    smiles: Iterable<string>,
    patience?: Patience,
  ): Promise<Map<string, CompoundRecord>>
  /** Stored records only, without computing anything. */
  readStored(userId: string, smiles: Iterable<string>): Promise<Map<string, CompoundRecord>>
  /** Packed as stored; saved if the user has the compound. */
  compute(
    userId: string,
    smiles: Iterable<string>,
    patience?: Patience,
  ): Promise<Map<string, Uint8Array>>
}

/** `until`: no work starts after this value of `performance.now()`. */
export type Patience = { until?: number; gone?: AbortSignal | undefined }

type Dependencies = { db: Database; parsingWorkers: Pick<ParsingWorkers, 'recordCompounds'> }

/** Rows per query, so that others can use the single embedded connection in between. */
const PORTION = 1000
/** Compounds are computed and stored in groups of this size; completed groups are kept if the caller disconnects. */
const COMPUTED_PORTION = 200

export function openCompoundRecords({ db, parsingWorkers }: Dependencies): CompoundRecords {
  async function compute(
    userId: string,
    smiles: Iterable<string>,
    { until = Infinity, gone }: Patience = {},
  ) {
    const found = new Map<string, Uint8Array>()
    const wanted = [...new Set(smiles)]
    for (let from = 0; from < wanted.length; from += COMPUTED_PORTION) {
      gone?.throwIfAborted()
      if (performance.now() > until) break
      const some = wanted.slice(from, from + COMPUTED_PORTION)
      const packed = await parsingWorkers.recordCompounds(userId, some)
      const computed = some.flatMap((one, at): [string, Uint8Array][] => {
        const bytes = packed[at]
        return bytes ? [[one, bytes]] : []
      })
      await storeRecords(db, userId, computed)
      for (const [one, bytes] of computed) found.set(one, bytes)
    }
    return found
  }

  return {
    readStored: (userId, smiles) => readStoredRecords(db, userId, smiles),
    compute,
    async read(userId, smiles, patience) {
      const wanted = [...smiles]
      const found = await readStoredRecords(db, userId, wanted)
      const unknown = wanted.filter((one) => !found.has(one))
      for (const [one, bytes] of await compute(userId, unknown, patience)) {
        const record = unpackRecord(bytes)
        if (record !== null) found.set(one, record)
      }
      return found
    },
  }
}

/** Stored records only, without computing anything. */
async function readStoredRecords(
  db: Database,
  userId: string,
  smiles: Iterable<string>,
): Promise<Map<string, CompoundRecord>> {
  const found = new Map<string, CompoundRecord>()
  const wanted = [...new Set(smiles)]
  for (let from = 0; from < wanted.length; from += PORTION) {
    const rows = await findStored(db, userId, wanted.slice(from, from + PORTION))
    for (const { standard_smiles, properties } of rows) {
      const record = properties && unpackRecord(properties)
      if (record) found.set(standard_smiles, record)
    }
  }
  return found
}

function findStored(db: Database, userId: string, smiles: string[]) {
  const hashes = smiles.map(hashOf)
  return db
    .selectFrom('compounds')
    .select(['standard_smiles', 'properties'])
    .where('content_hash', '=', sql<Buffer>`any(${hashes}::bytea[])`)
    .where('user_id', '=', userId)
    .where('properties', 'is not', null)
    .execute()
}

async function storeRecords(
  db: Database,
  userId: string,
  computed: [smiles: string, record: Uint8Array][],
): Promise<void> {
  if (computed.length === 0) return
  const hashes = computed.map(([smiles]) => hashOf(smiles))
  const records = computed.map(([, bytes]) => Buffer.from(bytes))
  await sql`
    update compounds set properties = list.record
    from unnest(${hashes}::bytea[], ${records}::bytea[]) as list (hash, record)
    where compounds.content_hash = list.hash and compounds.user_id = ${userId}`.execute(db)
}

function hashOf(smiles: string): Buffer {
  return createHash('sha256').update(smiles).digest()
}
