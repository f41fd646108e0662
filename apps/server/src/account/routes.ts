/** The calls by which a user takes everything along, and leaves. */
import { deleteAccount, exportAccount as exportCall } from '@pkdex/contract'
import { route } from '#server/auth/guarded-routes.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Feature } from '#server/platform/http/route.ts'
import { exportAccount, type ExportDependencies } from './export.ts'

type Dependencies = ExportDependencies & {
  /** Removes a user with all that is theirs, and notes it in the audit log. */
  removeUser: (userId: string) => Promise<void>
}

export function accountRoutes({ removeUser, ...dependencies }: Dependencies): Feature {
  return (app) => {
    route(app, exportCall, async ({ userId, reply }) => {
      const stream = await exportAccount(dependencies, userId)
      void reply.type('application/zip')
      void reply.header('Content-Disposition', 'attachment; filename="pkdex_my_data.zip"')
      return stream
    })
    route(app, deleteAccount, async ({ userId, caller, body }) => {
      if (caller.key.kind !== 'session') {
        const message = 'An account is deleted by a signed-in person, not with an API key.'
        throw new AppError('forbidden', message)
      }
      if (body.confirm.trim().toLowerCase() !== caller.email.toLowerCase()) {
        const message = 'This is not the e-mail of your account. Nothing was deleted.'
        throw new AppError('invalid_request', message)
      }
      await removeUser(userId)
      return { message: 'Your account was deleted.' }
    })
  }
}
