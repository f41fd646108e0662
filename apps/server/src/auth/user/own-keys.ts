/** A user's own programmatic keys. Only a session manages them, so that a key that leaks cannot outlive its revocation. */
import { createOwnKey, listOwnKeys, OWN_KEYS_MAX, revokeOwnKey } from '@pkdex/contract'
import type { Caller } from '#server/auth/caller.ts'
import { route } from '#server/auth/guarded-routes.ts'
import { listKeys, mintKey, revokeKey, shownPrefix } from '#server/auth/keys.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { isUuid } from '#server/platform/db/values.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Feature } from '#server/platform/http/route.ts'

export function ownKeyRoutes({ db, now }: { db: Database; now: () => Date }): Feature {
  return (app) => {
    route(app, listOwnKeys, async ({ userId }) => ({ keys: await listKeys(db, userId, now()) }))
    route(app, createOwnKey, async ({ userId, caller, body }) => {
      expectSession(caller)
      const wanted = { userId, name: body.name, callsPerDay: body.calls_per_day, now: now() }
      const key = await mintWithinBound(db, wanted)
      return { key, prefix: shownPrefix(key) }
    })
    route(app, revokeOwnKey, async ({ userId, caller, param }) => {
      expectSession(caller)
      const keyId = param('keyId')
      const revoked = isUuid(keyId)
        ? await inTransaction(db, (trx) => revokeKey(trx, { userId, keyId, now: now() }))
        : undefined
      if (revoked === undefined) throw new AppError('not_found', 'You have no such API key.')
      return { message: 'The API key was revoked.' }
    })
  }
}

function expectSession({ key }: Caller): void {
  if (key.kind === 'session') return
  throw new AppError('forbidden', 'Keys are managed by a signed-in person, not with an API key.')
}

type Wanted = { userId: string; name: string; callsPerDay: number | null; now: Date }

/** Two at once wait for each other, so that together they stay within the bound. */
function mintWithinBound(db: Database, wanted: Wanted): Promise<string> {
  return inTransaction(db, async (trx) => {
    const { userId, now } = wanted
    await trx.selectFrom('users').select('id').where('id', '=', userId).forUpdate().execute()
    if ((await listKeys(trx, userId, now)).length >= OWN_KEYS_MAX) {
      throw new AppError(
        'conflict',
        `You have ${OWN_KEYS_MAX} keys, which is the most. Revoke one that is not used any more.`,
      )
    }
    return mintKey(trx, { ...wanted, kind: 'programmatic' })
  })
}
