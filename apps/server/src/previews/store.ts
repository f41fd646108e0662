/** Stored pictures, keyed by content: the same content in another user's file is the same picture. */
import { createHash } from 'node:crypto'
import type { Theme } from '@pkdex/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Database, Trx } from '#server/platform/db/schema.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import type { Picture } from '#server/files/parsing/service.ts'

/** Increase with every change to the drawing, so that no picture of an older version is shown. */
const PICTURE_VERSION = 2

export type PictureKey = { kind: 'protein' | 'molecule'; contentHash: Buffer; theme: Theme }

export async function findPicture(db: Database, key: PictureKey): Promise<Picture | null> {
  const found = await db
    .selectFrom('previews')
    .select(['body', 'media_type as mediaType', 'alt'])
    .where('content_hash', '=', versioned(key))
    .where('kind', '=', key.kind)
    .where('theme', '=', key.theme)
    .executeTakeFirst()
  return found ?? null
}

/** The table that contains the pictured content. */
const shownIn = { protein: 'targets', molecule: 'compounds' } as const

/** Another process may have stored the same picture meanwhile, or its last owner may have been deleted. */
export async function keepPicture(
  db: Database,
  key: PictureKey,
  { picture, now }: { picture: Picture; now: Date },
): Promise<void> {
  await inTransaction(db, async (trx) => {
    if (!(await holdOwner(trx, key))) return
    await trx
      .insertInto('previews')
      .values({
        content_hash: versioned(key),
        kind: key.kind,
        theme: key.theme,
        media_type: picture.mediaType,
        alt: picture.alt,
        body: Buffer.from(picture.body),
        created_at: now,
      })
      .onConflict((conflict) => conflict.columns(['content_hash', 'kind', 'theme']).doNothing())
      .execute()
  })
}

/** False if no user has the content any more. Otherwise deletions wait until the picture is stored, then delete it. */
async function holdOwner(trx: Trx, { kind, contentHash }: PictureKey): Promise<boolean> {
  const { rows } = await sql`select from ${sql.table(shownIn[kind])}
    where content_hash = ${contentHash} limit 1 for key share`.execute(trx)
  return rows.length > 0
}

/** Runs in the caller's transaction, before the rows are deleted: deletes pictures that no other row uses. */
export async function deletePictures(
  trx: Trx,
  { table, isGoing }: { table: 'targets' | 'compounds'; isGoing: RawBuilder<boolean> },
): Promise<void> {
  const version = Buffer.from(`${PICTURE_VERSION}:`)
  const kind = table === shownIn.protein ? 'protein' : 'molecule'
  // Waits for pictures that are being stored right now.
  await sql`select from ${sql.table(table)} going where ${isGoing} for update`.execute(trx)
  await sql`with going as materialized (
      select going.id, going.content_hash from ${sql.table(table)} going where ${isGoing}
    )
    delete from previews where kind = ${kind} and content_hash in (
      select sha256(${version}::bytea || going.content_hash) from going
      where not exists (
        select from ${sql.table(table)} other
        where other.content_hash = going.content_hash
          and not exists (select from going same where same.id = other.id)
      )
    )`.execute(trx)
}

function versioned({ contentHash }: PictureKey): Buffer {
  return createHash('sha256').update(`${PICTURE_VERSION}:`).update(contentHash).digest()
}
