/** The pictures beside the lists: drawn once, kept, and answered as an address that carries the picture. */
import type { Parsed } from '@pkdex/biochem'
import type { Preview, Theme } from '@pkdex/contract'
import { sql } from 'kysely'
import type { Database, Trx } from '#server/platform/db/schema.ts'
import { findCompound, findTarget, type Going, readFileContent } from '#server/files/service.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Picture, ParsingWorkers } from '#server/files/parsing/service.ts'
import { deletePictures, findPicture, keepPicture, type PictureKey } from './store.ts'

type PreviewRequest = { userId: string; name: string; theme: Theme }

export type Previews = {
  target(request: PreviewRequest): Promise<Preview>
  compound(request: PreviewRequest): Promise<Preview>
}

export function openPreviews(dependencies: {
  db: Database
  parsingWorkers: Pick<ParsingWorkers, 'drawTarget' | 'drawCompound'>
  now: () => Date
}): Previews {
  const { db, parsingWorkers, now } = dependencies
  /** Pictures being made, so that requests for one picture at the same time draw it once. */
  const underWay = new Map<string, Promise<Picture>>()

  function pictureOf(key: PictureKey, draw: () => Promise<Parsed<Picture>>): Promise<Picture> {
    const id = [key.kind, key.theme, key.contentHash.toString('hex')].join(' ')
    const picture = underWay.get(id) ?? findOrDraw(key, draw).finally(() => underWay.delete(id))
    underWay.set(id, picture)
    return picture
  }

  async function findOrDraw(
    key: PictureKey,
    draw: () => Promise<Parsed<Picture>>,
  ): Promise<Picture> {
    const kept = await findPicture(db, key)
    if (kept !== null) return kept
    const drawn = await draw()
    if (!drawn.ok) throw new AppError('file_unreadable', drawn.reason)
    await keepPicture(db, key, { picture: drawn.value, now: now() })
    return drawn.value
  }

  return {
    async target({ userId, name, theme }) {
      const target = await findTarget(db, userId, name)
      if (target === null) throw new AppError('not_found', `You have no target named “${name}”.`)
      const key = { kind: 'protein' as const, contentHash: target.content_hash, theme }
      const picture = await pictureOf(key, async () =>
        parsingWorkers.drawTarget(userId, await readFileContent(db, target.file_id), theme),
      )
      return toPreview(picture, `${target.name}: ${picture.alt}`)
    },
    async compound({ userId, name, theme }) {
      const compound = await findCompound(db, userId, name)
      if (compound === null) {
        throw new AppError('not_found', `You have no compound named “${name}”.`)
      }
      const key = { kind: 'molecule' as const, contentHash: compound.content_hash, theme }
      const picture = await pictureOf(key, () =>
        parsingWorkers.drawCompound(userId, compound.standard_smiles, theme),
      )
      return toPreview(picture, `${compound.name}: ${picture.alt}`)
    },
  }
}

function toPreview({ mediaType, body }: Picture, alt: string): Preview {
  const base64 = Buffer.from(body).toString('base64')
  return { visualizationUrl: `data:${mediaType};base64,${base64}`, alt }
}

/** In the caller's transaction, before the user goes: pictures of what nobody else has uploaded. */
export async function forgetPictures(trx: Trx, userId: string): Promise<void> {
  for (const table of ['targets', 'compounds'] as const) {
    await deletePictures(trx, { table, isGoing: sql`going.user_id = ${userId}` })
  }
}

/** In the caller's transaction, before these targets or compounds go. */
export async function forgetPicturesOf(trx: Trx, { kind, ids }: Going): Promise<void> {
  await deletePictures(trx, { table: kind, isGoing: sql`going.id = any(${ids}::uuid[])` })
}
