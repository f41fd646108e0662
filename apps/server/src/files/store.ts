/** Database access for files, targets and compounds. Each belongs to one user. */
import { randomUUID } from 'node:crypto'
import type { OwnCell } from '@pkdex/biochem'
import type { CompoundReport, TargetReport } from '@pkdex/contract'
import { sql } from 'kysely'
import type { Database, Tables, Trx } from '#server/platform/db/schema.ts'
import { AppError } from '#server/platform/errors.ts'
import { readableBytes } from './read-upload.ts'

export type Kind = 'targets' | 'compounds'

/** Whether the user is active, locked until the transaction ends; null if there is no such user. */
export async function holdUser(trx: Trx, userId: string): Promise<boolean | null> {
  const user = await trx
    .selectFrom('users')
    .select('is_active')
    .where('id', '=', userId)
    .forShare()
    .executeTakeFirst()
  return user?.is_active ?? null
}

/** Whether the user has the target, which is locked until the transaction ends. */
export async function holdTarget(trx: Trx, userId: string, targetId: string): Promise<boolean> {
  const target = await trx
    .selectFrom('targets')
    .select('id')
    .where('id', '=', targetId)
    .where('user_id', '=', userId)
    .forShare()
    .executeTakeFirst()
  return target !== undefined
}

/** Name to identity, for the given names or for all names of the user. */
export async function readIdentities(
  trx: Trx,
  kind: Kind,
  { userId, names }: { userId: string; names: string[] | null },
): Promise<Map<string, string>> {
  const identity =
    kind === 'targets' ? sql<string>`encode(content_hash, 'hex')` : sql<string>`smiles`
  const rows = await trx
    .selectFrom(kind)
    .select(['name', identity.as('identity')])
    .where('user_id', '=', userId)
    .$if(names !== null, (query) => query.where('name', '=', sql<string>`any(${names})`))
    .execute()
  return new Map(rows.map((row) => [row.name, row.identity]))
}

export async function countStored(trx: Trx, kind: Kind, userId: string): Promise<number> {
  const { count } = await trx
    .selectFrom(kind)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return count
}

/** Bytes of everything that a user stores: files as uploaded, own columns, screens, ligands, values, lists, patterns, comments. */
export async function countBytes(db: Database, userId: string): Promise<number> {
  const { used } = await db
    .selectNoFrom([
      sql<number>`
        (select coalesce(sum(size_bytes), 0) from files where user_id = ${userId})
        + (select coalesce(sum(pg_column_size(own)), 0) from compounds
          where user_id = ${userId} and own is not null)
        + (select coalesce(sum(length(molfile)), 0) from own_ligands where user_id = ${userId})
        + (select coalesce(sum(length(smiles)), 0) from listed_molecules where user_id = ${userId})
        + (select coalesce(sum(length(smiles) + length(compound)), 0) from measurements
          where user_id = ${userId})
        + (select coalesce(sum(octet_length(text)), 0) from comments where author_id = ${userId})
        + (select length(alert_patterns::text) - length('[]') from users where id = ${userId})
        + (select coalesce(sum(bytes), 0) from orders where user_id = ${userId})`.as('used'),
    ])
    .executeTakeFirstOrThrow()
  return Number(used)
}

type Room = {
  userId: string
  more: number
  most: number
  /** What is refused: `This ligand (3 KB) was not saved.` */
  refused: string
}

/** Call under a lock of the user's, so that parallel requests cannot exceed the quota. */
export async function expectBytes(db: Database, { userId, more, most, refused }: Room) {
  const used = await countBytes(db, userId)
  if (used + more <= most) return
  const message = `Your files use ${readableBytes(used)} of ${readableBytes(most)}. ${refused}`
  throw new AppError('file_too_large', message)
}

export type NewFile = Omit<Tables['files'], 'id'>

/** A file that is already stored, byte for byte, is not stored again. */
export async function keepFile(trx: Trx, file: NewFile): Promise<string> {
  const added = await trx
    .insertInto('files')
    .values(file)
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return added?.id ?? (await findFileId(trx, file))
}

async function findFileId(trx: Trx, file: NewFile): Promise<string> {
  const { id } = await trx
    .selectFrom('files')
    .select('id')
    .where('user_id', '=', file.user_id)
    .where('file_type', '=', file.file_type)
    .where('filename', '=', file.filename)
    .where('sha256', '=', file.sha256)
    .executeTakeFirstOrThrow()
  return id
}

export type Owner = { userId: string; fileId: string; now: Date }

export type NewTarget = {
  name: string
  chain: string
  segments: Record<string, string[]>
  report: TargetReport
  contentHash: Buffer
}

export async function addTarget(trx: Trx, owner: Owner, target: NewTarget): Promise<void> {
  await trx
    .insertInto('targets')
    .values({
      user_id: owner.userId,
      file_id: owner.fileId,
      name: target.name,
      chain: target.chain,
      segments: JSON.stringify(target.segments),
      report: JSON.stringify(target.report),
      content_hash: target.contentHash,
      created_at: owner.now,
    })
    .execute()
}

export type NewCompound = {
  name: string
  smiles: string
  report: CompoundReport
  /** The standard SMILES without stereochemistry; null if it has none. */
  flat: string | null
  own: OwnCell[]
  /** Packed properties and alerts in base64; null if they are computed later. */
  properties: string | null
  /** Packed; null if `properties` is. */
  features: Uint8Array | null
}

/** Inserts in order and in portions: one statement over thousands of compounds would block the event loop. */
export async function addCompounds(
  trx: Trx,
  owner: Owner,
  compounds: NewCompound[],
): Promise<void> {
  for (let from = 0; from < compounds.length; from += PORTION) {
    await addPortion(trx, owner, compounds.slice(from, from + PORTION))
  }
}

export const PORTION = 250

async function addPortion(trx: Trx, owner: Owner, compounds: NewCompound[]): Promise<void> {
  const listed = compounds.map(({ features: _features, ...rest }) => ({
    id: randomUUID(),
    ...rest,
  }))
  await sql`
    insert into compounds
      (id, user_id, file_id, name, smiles, standard_smiles, report, own, content_hash, flat_key,
        properties, created_at)
    select (c ->> 'id')::uuid, ${owner.userId}, ${owner.fileId}, c ->> 'name', c ->> 'smiles',
      c -> 'report' ->> 'standard_smiles', c -> 'report', nullif(c -> 'own', '[]'),
      sha256(convert_to(c -> 'report' ->> 'standard_smiles', 'UTF8')),
      substr(sha256(convert_to(c ->> 'flat', 'UTF8')), 1, 8), decode(c ->> 'properties', 'base64'), ${owner.now}::timestamptz
    from jsonb_array_elements(${JSON.stringify(listed)}::jsonb) with ordinality as list (c, place)
    order by place`.execute(trx)
  const features = compounds.map((compound) => compound.features && Buffer.from(compound.features))
  await sql`
    insert into compound_features (compound_id, features)
    select id, features from unnest(${listed.map(({ id }) => id)}::uuid[], ${features}::bytea[])
      as list (id, features)
    where features is not null`.execute(trx)
}

export type Named = { userId: string; names: string[] }

type Duplicate = { name: string; same_as: string }

/** Of the named compounds, those with the structure of an earlier one of the user's. In list order. */
export async function findDuplicates(db: Database, { userId, names }: Named): Promise<Duplicate[]> {
  const { rows } = await sql<Duplicate>`
    select later.name, first.name as same_as from compounds as later
    join lateral (select name, seq from compounds where user_id = ${userId}
      and content_hash = later.content_hash order by seq limit 1) as first on first.seq < later.seq
    where later.user_id = ${userId} and later.name = any(${names})
    order by later.seq`.execute(db)
  return rows
}

/** In list order. */
export function readTargets(db: Database, { userId, names }: Named) {
  return db
    .selectFrom('targets')
    .innerJoin('files', 'files.id', 'targets.file_id')
    .select(['targets.name', 'targets.chain', 'targets.residues', 'targets.report'])
    .select(['files.filename', 'files.id as file_id', 'files.size_bytes'])
    .where('targets.user_id', '=', userId)
    .where('name', '=', sql<string>`any(${names})`)
    .orderBy('targets.seq')
    .execute()
}

/** In list order. */
export function readCompounds(db: Database, { userId, names }: Named) {
  return db
    .selectFrom('compounds')
    .innerJoin('files', 'files.id', 'compounds.file_id')
    .select(['compounds.name', 'compounds.smiles', 'compounds.report'])
    .select(['files.filename', 'files.id as file_id'])
    .where('compounds.user_id', '=', userId)
    .where('name', '=', sql<string>`any(${names})`)
    .orderBy('compounds.seq')
    .execute()
}

export type Page = { userId: string; afterSeq: number; limit: number }

export function pageOfTargets(db: Database, { userId, afterSeq, limit }: Page) {
  return db
    .selectFrom('targets')
    .select(['seq', 'name', 'residues', 'file_id'])
    .where('user_id', '=', userId)
    .where('seq', '>', afterSeq)
    .orderBy('seq')
    .limit(limit)
    .execute()
}

export function pageOfCompounds(db: Database, { userId, afterSeq, limit }: Page) {
  return db
    .selectFrom('compounds')
    .select(['seq', 'name', 'mass', 'file_id'])
    .where('user_id', '=', userId)
    .where('seq', '>', afterSeq)
    .orderBy('seq')
    .limit(limit)
    .execute()
}

export async function readFilenames(db: Database, ids: string[]): Promise<Map<string, string>> {
  const files = await db
    .selectFrom('files')
    .select(['id', 'filename'])
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute()
  return new Map(files.map(({ id, filename }) => [id, filename]))
}

/** Returns whether the target exists and has this protein chain. */
export async function setChain(
  db: Database,
  { userId, name, chain }: { userId: string; name: string; chain: string },
): Promise<boolean> {
  const changed = await db
    .updateTable('targets')
    .set({ chain })
    .where('user_id', '=', userId)
    .where('name', '=', name)
    .where(sql<boolean>`segments ? ${chain}`)
    .returning('id')
    .executeTakeFirst()
  return changed !== undefined
}

export async function findTargetRow(db: Database, userId: string, name: string) {
  const target = await db
    .selectFrom('targets')
    .selectAll()
    .where('user_id', '=', userId)
    .where('name', '=', name)
    .executeTakeFirst()
  return target ?? null
}

export async function findCompoundRow(db: Database, userId: string, name: string) {
  const compound = await db
    .selectFrom('compounds')
    .selectAll()
    .where('user_id', '=', userId)
    .where('name', '=', name)
    .executeTakeFirst()
  return compound ?? null
}

/** As stored: gzipped. Null for an unknown file. */
export async function findGzipped(db: Database, fileId: string): Promise<Buffer | null> {
  const file = await db
    .selectFrom('files')
    .select('content')
    .where('id', '=', fileId)
    .executeTakeFirst()
  return file?.content ?? null
}

/** The columns of the named targets that a screen needs. */
export function readTargetSegments(db: Database, { userId, names }: Named) {
  return db
    .selectFrom('targets')
    .select(['id', 'name', 'chain', 'segments'])
    .where('user_id', '=', userId)
    .where('name', '=', sql<string>`any(${names})`)
    .execute()
}

/** The columns that a screen needs, of the named compounds or of all. */
export function pageOfMolecules(
  db: Database,
  { userId, afterSeq, limit, names }: Page & { names: string[] | null },
) {
  return db
    .selectFrom('compounds')
    .select(['seq', 'name', 'smiles', 'standard_smiles', 'content_hash', 'flat_key'])
    .where('user_id', '=', userId)
    .where('seq', '>', afterSeq)
    .$if(names !== null, (query) => query.where('name', '=', sql<string>`any(${names})`))
    .orderBy('seq')
    .limit(limit)
    .execute()
}
