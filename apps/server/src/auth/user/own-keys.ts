/** A user's own API keys. Only a session can manage them, so a leaked key cannot create others before it is revoked. */
import { createOwnKey, listOwnKeys, OWN_KEYS_MAX, revokeOwnKey } from '@pkdex/contract'
import type { Caller } from '#server/auth/caller.ts'
import { route } from '#server/auth/guarded-routes.ts'
import { forgetRevokedKeys, listKeys, mintKey, revokeKey, shownPrefix } from '#server/auth/keys.ts'
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
      if (revoked === undefined) throw new AppError('not_found', 'API key not found.')
      return { message: 'The API key was revoked.' }
    })
  }
}

function expectSession({ key }: Caller): void {
  if (key.kind === 'session') return
  throw new AppError('forbidden', 'Sign in to manage API keys. An API key cannot do this.')
}

type Wanted = { userId: string; name: string; callsPerDay: number | null; now: Date }

/** Serialised per user, so simultaneous requests cannot exceed the limit. */
function mintWithinBound(db: Database, wanted: Wanted): Promise<string> {
  return inTransaction(db, async (trx) => {
    const { userId, now } = wanted
    await trx.selectFrom('users').select('id').where('id', '=', userId).forUpdate().execute()
    if ((await listKeys(trx, userId, now)).length >= OWN_KEYS_MAX) {
      throw new AppError(
        'conflict',
        `You have ${OWN_KEYS_MAX} API keys, the maximum. Revoke one you no longer use.`,
      )
    }
    await forgetRevokedKeys(trx, userId)
    return mintKey(trx, { ...wanted, kind: 'programmatic' })
  })
}
