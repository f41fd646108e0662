/** The pictures next to the lists: drawn once, stored, and returned as data URLs. */
import type { CommonCore, Parsed } from '@pkdex/biochem'
import type { Preview, Theme } from '@pkdex/contract'
import { sql } from 'kysely'
import type { Database, Trx } from '#server/platform/db/schema.ts'
import {
  findCompounds,
  expectCompound,
  expectTarget,
  type Going,
  readFileContent,
} from '#server/files/service.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Picture, ParsingWorkers } from '#server/files/parsing/service.ts'
import { deletePictures, findPicture, keepPicture, type PictureKey } from './store.ts'

type PreviewRequest = { userId: string; name: string; theme: Theme }

/** Draws `names` or `smiles`; `like` then contains names or SMILES accordingly. */
type ListRequest = {
  userId: string
  names: string[]
  smiles: string[]
  like: string[]
  theme: Theme
}

export type Previews = {
  target(request: PreviewRequest): Promise<Preview>
  compound(request: PreviewRequest): Promise<Preview>
  /** For the rows of a list, in order; null for one that does not exist or cannot be drawn. */
  compounds(request: ListRequest): Promise<(Preview | null)[]>
}

export function openPreviews(dependencies: {
  db: Database
  parsingWorkers: Pick<ParsingWorkers, 'drawTarget' | 'drawCompound'> & RowWorkers
  now: () => Date
}): Previews {
  const { db, parsingWorkers, now } = dependencies
  /** Pictures in progress, so that simultaneous requests for one picture draw it once. */
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
    const stored = await findPicture(db, key)
    if (stored !== null) return stored
    const drawn = await draw()
    if (!drawn.ok) throw new AppError('file_unreadable', drawn.reason)
    await keepPicture(db, key, { picture: drawn.value, now: now() })
    return drawn.value
  }

  return {
    async target({ userId, name, theme }) {
      const target = await expectTarget(db, userId, name)
      const key = { kind: 'protein' as const, contentHash: target.content_hash, theme }
      const picture = await pictureOf(key, async () =>
        parsingWorkers.drawTarget(userId, await readFileContent(db, target.file_id), theme),
      )
      return toPreview(picture, `${target.name}: ${picture.alt}`)
    },
    async compound({ userId, name, theme }) {
      const compound = await expectCompound(db, userId, name)
      const key = { kind: 'molecule' as const, contentHash: compound.content_hash, theme }
      const picture = await pictureOf(key, () =>
        parsingWorkers.drawCompound(userId, compound.standard_smiles, theme),
      )
      return toPreview(picture, `${compound.name}: ${picture.alt}`)
    },
    compounds: openRows(db, parsingWorkers),
  }
}

type RowWorkers = Pick<ParsingWorkers, 'drawCompounds' | 'findCore' | 'readMolecules'>

function openRows(db: Database, workers: RowWorkers): Previews['compounds'] {
  const cores = openCores(workers)
  return async ({ userId, names, smiles, like, theme }) => {
    const wanted = names.length > 0 ? names : smiles
    const all = [...new Set([...wanted, ...like])]
    const standardOf =
      names.length > 0
        ? await standardOfNames(db, userId, all)
        : await standardOfSmiles(workers, userId, all)
    const read = (some: string[]) => some.flatMap((one) => standardOf.get(one) ?? [])
    const drawable = [...new Set(read(wanted))]
    const core = await cores(userId, read(like))
    const drawn = await workers.drawCompounds(userId, { smiles: drawable, core, theme })
    const pictures = new Map(drawable.map((one, place) => [one, drawn[place] ?? null]))
    return wanted.map((one) => {
      const picture = pictures.get(standardOf.get(one) ?? '') ?? null
      return picture && toPreview(picture, `${one}: ${picture.alt}`)
    })
  }
}

/** Standard SMILES by name, for the compounds that the user has. */
async function standardOfNames(db: Database, userId: string, names: string[]) {
  const found = await findCompounds(db, userId, names)
  const byName = new Map(found.map((one) => [one.name, one.standard_smiles]))
  return new Map(
    names.flatMap((name): [string, string][] => {
      const standard = byName.get(name.normalize('NFC'))
      return standard === undefined ? [] : [[name, standard]]
    }),
  )
}

/** Standard SMILES by SMILES, for those that are valid. */
async function standardOfSmiles(
  { readMolecules }: RowWorkers,
  userId: string,
  smiles: string[],
): Promise<Map<string, string>> {
  const lines = smiles.map((one, at) => ({ line: at + 1, name: '', smiles: one }))
  const { compounds } = await readMolecules(userId, lines)
  return new Map(
    compounds.map(({ line, report }) => [smiles[line - 1] ?? '', report.standard_smiles]),
  )
}

const CACHED_CORES = 200

/** All rows of a list request the same core, so each core is searched for only once. */
function openCores({ findCore }: Pick<ParsingWorkers, 'findCore'>) {
  const cache = new Map<string, Promise<CommonCore | null>>()
  return (userId: string, smiles: string[]): Promise<CommonCore | null> => {
    if (smiles.length < 2) return Promise.resolve(null)
    const key = smiles.join(' ')
    const known = cache.get(key)
    if (known !== undefined) return known
    const [oldest] = cache.keys()
    if (cache.size >= CACHED_CORES && oldest !== undefined) cache.delete(oldest)
    const core = findCore(userId, smiles)
    cache.set(key, core)
    core.catch(() => cache.delete(key))
    return core
  }
}

function toPreview({ mediaType, body }: Picture, alt: string): Preview {
  const base64 = Buffer.from(body).toString('base64')
  return { visualizationUrl: `data:${mediaType};base64,${base64}`, alt }
}

/** Runs in the caller's transaction, before the user is deleted: deletes pictures of inputs that no other user has uploaded. */
export async function forgetPictures(trx: Trx, userId: string): Promise<void> {
  for (const table of ['targets', 'compounds'] as const) {
    await deletePictures(trx, { table, isGoing: sql`going.user_id = ${userId}` })
  }
}

/** Runs in the caller's transaction, before these targets or compounds are deleted. */
export async function forgetPicturesOf(trx: Trx, { kind, ids }: Going): Promise<void> {
  await deletePictures(trx, { table: kind, isGoing: sql`going.id = any(${ids}::uuid[])` })
}
