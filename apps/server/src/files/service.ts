/** Finds a user's targets, compounds and files by name; what belongs to somebody else is not there. */
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { Target } from '@pkdex/contract'
import type { Database } from '#server/db/schema.ts'
import { AppError } from '#server/http/app-error.ts'
import { listTargets } from './lists.ts'
import { setChain } from './store.ts'

const fromGzip = promisify(gunzip)

export async function findTarget(db: Database, userId: string, name: string) {
  const target = await db
    .selectFrom('targets')
    .selectAll()
    .where('user_id', '=', userId)
    .where('name', '=', name.normalize('NFC'))
    .executeTakeFirst()
  return target ?? null
}

export async function findCompound(db: Database, userId: string, name: string) {
  const compound = await db
    .selectFrom('compounds')
    .selectAll()
    .where('user_id', '=', userId)
    .where('name', '=', name.normalize('NFC'))
    .executeTakeFirst()
  return compound ?? null
}

/** The bytes of a file as they were uploaded. */
export async function readFileContent(db: Database, fileId: string): Promise<Buffer> {
  const { content } = await db
    .selectFrom('files')
    .select('content')
    .where('id', '=', fileId)
    .executeTakeFirstOrThrow()
  return fromGzip(content)
}

/** Predictions use this chain from now on. */
export async function chooseChain(
  db: Database,
  choice: { userId: string; name: string; chain: string },
): Promise<Target> {
  const name = choice.name.normalize('NFC')
  const isDone = await setChain(db, { ...choice, name })
  const [target] = await listTargets(db, choice.userId, [name])
  if (target === undefined) throw new AppError('not_found', `You have no target named “${name}”.`)
  if (!isDone) throw new AppError('not_found', `${name} has no protein chain ${choice.chain}.`)
  return target
}
