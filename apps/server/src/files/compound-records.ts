/**
 * Properties and alerts of compounds. They are computed at upload, together with the features, and stored with the
 * compound; those of older compounds, and of molecules that are in no file, are computed on request.
 */
import { createHash } from 'node:crypto'
import { type CompoundRecord, packFeatures, unpackRecord } from '@pkdex/biochem'
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
  /** Saved if the user has the compound. */
  compute(
    userId: string,
    smiles: Iterable<string>,
    patience?: Patience,
  ): Promise<Map<string, PackedCompound>>
}

/** As stored. */
export type PackedCompound = { record: Uint8Array; features: Uint8Array }

/** `until`: no work starts after this value of `performance.now()`. */
export type Patience = { until?: number; gone?: AbortSignal | undefined }

type Dependencies = { db: Database; parsingWorkers: Pick<ParsingWorkers, 'describeCompounds'> }

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
    const found = new Map<string, PackedCompound>()
    const wanted = [...new Set(smiles)]
    for (let from = 0; from < wanted.length; from += COMPUTED_PORTION) {
      gone?.throwIfAborted()
      if (performance.now() > until) break
      const some = wanted.slice(from, from + COMPUTED_PORTION)
      const described = await parsingWorkers.describeCompounds(userId, some)
      const computed = some.flatMap((one, at): [string, PackedCompound][] => {
        const { record, features } = described[at] ?? {}
        return record && features ? [[one, { record, features: packFeatures(features) }]] : []
      })
      await storeCompounds(db, userId, computed)
      for (const [one, packed] of computed) found.set(one, packed)
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
      for (const [one, packed] of await compute(userId, unknown, patience)) {
        const record = unpackRecord(packed.record)
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
  const hashes = smiles.map(contentHashOf)
  return db
    .selectFrom('compounds')
    .select(['standard_smiles', 'properties'])
    .where('content_hash', '=', sql<Buffer>`any(${hashes}::bytea[])`)
    .where('user_id', '=', userId)
    .where('properties', 'is not', null)
    .execute()
}

async function storeCompounds(
  db: Database,
  userId: string,
  computed: [smiles: string, packed: PackedCompound][],
): Promise<void> {
  if (computed.length === 0) return
  const hashes = computed.map(([smiles]) => contentHashOf(smiles))
  const records = computed.map(([, { record }]) => Buffer.from(record))
  const features = computed.map(([, packed]) => Buffer.from(packed.features))
  await sql`
    with described as (
      update compounds set properties = list.record
      from unnest(${hashes}::bytea[], ${records}::bytea[], ${features}::bytea[])
        as list (hash, record, features)
      where compounds.content_hash = list.hash and compounds.user_id = ${userId}
      returning compounds.id, list.features)
    insert into compound_features (compound_id, features) select id, features from described
    on conflict (compound_id) do update set features = excluded.features`.execute(db)
}

/** As in `compounds.content_hash`. */
export function contentHashOf(smiles: string): Buffer {
  return createHash('sha256').update(smiles).digest()
}
