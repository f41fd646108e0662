/** An endpoint that viewers of a shared screen can read: `userId` is then the owner's, `caller` stays the viewer. */
import { type Endpoint, SHARED_SCREEN_HEADER } from '@pkdex/contract'
import type { z } from 'zod'
import { route } from '#server/auth/guarded-routes.ts'
import { AppError } from '#server/platform/errors.ts'
import type { App } from '#server/platform/http/route.ts'
import { readHeader } from '#server/platform/limits/caller.ts'
import { expectExports, ownerOfShared } from './access.ts'

type Handle<B extends z.ZodType, A extends z.ZodType, Q extends z.ZodType> = Parameters<
  typeof route<B, A, Q>
>[2]
type Call<B extends z.ZodType, A extends z.ZodType, Q extends z.ZodType> = Parameters<
  Handle<B, A, Q>
>[0]

/** What a request names: all of it must be in the shared screen. */
type Named = {
  target?: string | undefined
  compound?: string | undefined
  screens?: string[]
  /** Whether the answer is a download. */
  isExport?: boolean
}

export function sharedRoute<B extends z.ZodType, A extends z.ZodType, Q extends z.ZodType>(
  app: App,
  endpoint: Endpoint<B, A, Q>,
  nameIn: (call: Call<B, A, Q>) => Named,
  handle: Handle<B, A, Q>,
): void {
  route(app, endpoint, async (call) => {
    const screenId = readHeader(call.request, SHARED_SCREEN_HEADER)
    if (screenId === undefined) return handle(call)
    const { target, compound, screens = [], isExport = false } = nameIn(call)
    const access = await ownerOfShared(app.db, {
      viewerId: call.userId,
      screenId,
      targets: target === undefined ? [] : [target.normalize('NFC')],
      compounds: compound === undefined ? [] : [compound.normalize('NFC')],
    })
    if (access === null || screens.some((id) => id !== screenId)) {
      throw new AppError('not_found', 'Not in a screen that is shared with you.')
    }
    if (isExport) expectExports(access)
    return handle({ ...call, userId: access.userId })
  })
}
