/** The pictures beside the lists: drawn once, kept, and answered as an address that carries the picture. */
import type { Parsed } from '@pkdex/biochem'
import type { Preview, Theme } from '@pkdex/contract'
import type { Database } from '#server/db/schema.ts'
import { findCompound, findTarget, readFileContent } from '#server/files/service.ts'
import { AppError } from '#server/http/app-error.ts'
import type { Picture, Workshop } from '#server/workshop/workshop.ts'
import { findPicture, keepPicture, type PictureKey } from './store.ts'

export { forgetPictures } from './store.ts'

type Wish = { userId: string; name: string; theme: Theme }

export type Previews = {
  target(wish: Wish): Promise<Preview>
  compound(wish: Wish): Promise<Preview>
}

export function openPreviews(parts: {
  db: Database
  workshop: Pick<Workshop, 'drawTarget' | 'drawCompound'>
  now: () => Date
}): Previews {
  const { db, workshop, now } = parts
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
        workshop.drawTarget(userId, await readFileContent(db, target.file_id), theme),
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
        workshop.drawCompound(userId, compound.standard_smiles, theme),
      )
      return toPreview(picture, `${compound.name}: ${picture.alt}`)
    },
  }
}

function toPreview({ mediaType, body }: Picture, alt: string): Preview {
  const base64 = Buffer.from(body).toString('base64')
  return { visualizationUrl: `data:${mediaType};base64,${base64}`, alt }
}
