/** The make list and the excluded molecules of a target, stored in the user's account. */
import {
  LISTED_MAX,
  type ListedMolecules,
  type ListedNumber,
  type MoleculeList,
  toTags,
} from '@pkdex/contract'
import { expectBytes, findTargets, holdTarget, notFound } from '#server/files/service.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { holdLock, inTransaction } from '#server/platform/db/transaction.ts'
import { AppError } from '#server/platform/errors.ts'

type OfTarget = { userId: string; target: string }

export async function readListed(db: Database, of: OfTarget): Promise<ListedMolecules> {
  return readLists(db, await findTargetId(db, of))
}

export async function readLists(db: Database, targetId: string): Promise<ListedMolecules> {
  const target = await db
    .selectFrom('targets')
    .select(['make_list_name', 'make_list_tags'])
    .where('id', '=', targetId)
    .executeTakeFirst()
  const rows = await db
    .selectFrom('listed_molecules')
    .select(['list', 'smiles', 'predicted', 'lower', 'upper'])
    .where('target_id', '=', targetId)
    .orderBy('id')
    .execute()
  const of = (wanted: MoleculeList) =>
    rows.flatMap(({ list, smiles }) => (list === wanted ? [smiles] : []))
  const added_with = rows.flatMap(({ list, ...number }) =>
    list === 'make' ? [toNumber(number)] : [],
  )
  const make_name = target?.make_list_name ?? null
  const make_tags = target?.make_list_tags ?? []
  return { make_name, make_tags, make: of('make'), added_with, excluded: of('excluded') }
}

type Stored = { predicted: number | null; lower: number | null; upper: number | null }

function toNumber({ predicted, lower, upper }: Stored): ListedNumber | null {
  if (predicted === null || lower === null || upper === null) return null
  return { predicted_kd: predicted, lower, upper }
}

/** An empty name removes it; what is left out stays as it is. */
export async function renameMakeList(
  db: Database,
  {
    make_name: name,
    make_tags: tags,
    ...of
  }: OfTarget & { make_name?: string | undefined; make_tags?: string[] | undefined },
): Promise<ListedMolecules> {
  const id = await findTargetId(db, of)
  await db
    .updateTable('targets')
    .set({
      ...(name !== undefined && { make_list_name: name.normalize('NFC').trim() || null }),
      ...(tags !== undefined && { make_list_tags: toTags(tags) }),
    })
    .where('id', '=', id)
    .execute()
  return readLists(db, id)
}

type Change = OfTarget & {
  list: MoleculeList
  smiles: string[]
  /** What the molecules were predicted at, in the same order. */
  added_with?: (ListedNumber | null)[] | undefined
  listed: boolean
  storedBytesPerUser: number
  now: Date
}

/** Adds all of the molecules or none. */
export async function changeListed(
  db: Database,
  { list, smiles, added_with = [], listed, storedBytesPerUser, now, ...of }: Change,
): Promise<ListedMolecules> {
  const targetId = await findTargetId(db, of)
  return inTransaction(db, async (trx) => {
    if (listed) {
      await holdLock(trx, 'fileNames', of.userId)
      if (!(await holdTarget(trx, of.userId, targetId))) throw notFound('targets', of.target)
      const more = smiles.reduce((sum, one) => sum + one.length, 0)
      const refused = 'Nothing was added to the list.'
      await expectBytes(trx, { userId: of.userId, more, most: storedBytesPerUser, refused })
      const numbers = new Map(smiles.map((one, at) => [one, added_with[at] ?? null]))
      const rows = [...numbers].map(([one, number]) => {
        return {
          user_id: of.userId,
          target_id: targetId,
          list,
          smiles: one,
          predicted: number?.predicted_kd ?? null,
          lower: number?.lower ?? null,
          upper: number?.upper ?? null,
          created_at: now,
        }
      })
      await trx
        .insertInto('listed_molecules')
        .values(rows)
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    } else {
      const own = trx.deleteFrom('listed_molecules').where('target_id', '=', targetId)
      await own.where('list', '=', list).where('smiles', 'in', smiles).execute()
    }
    const lists = await readLists(trx, targetId)
    if (lists[list].length > LISTED_MAX) {
      const message = `A list has at most ${LISTED_MAX.toLocaleString('en')} molecules.`
      throw new AppError('invalid_request', message)
    }
    return lists
  })
}

async function findTargetId(db: Database, { userId, target }: OfTarget): Promise<string> {
  const [found] = await findTargets(db, userId, [target.normalize('NFC')])
  if (found !== undefined) return found.id
  throw notFound('targets', target)
}
