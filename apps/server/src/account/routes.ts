/** Endpoints to export all data of a user and to delete the account. */
import { deleteAccount, exportAccount as exportCall } from '@pkdex/contract'
import { route } from '#server/auth/guarded-routes.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Feature } from '#server/platform/http/route.ts'
import { exportAccount, type ExportDependencies } from './export.ts'

type Dependencies = ExportDependencies & {
  /** Deletes a user with all data, and records it in the audit log. */
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
        const message = 'Sign in to delete your account. An API key cannot do this.'
        throw new AppError('forbidden', message)
      }
      if (body.confirm.trim().toLowerCase() !== caller.email.toLowerCase()) {
        const message = 'This does not match your account’s email. Nothing was deleted.'
        throw new AppError('invalid_request', message)
      }
      await removeUser(userId)
      return { message: 'Your account was deleted.' }
    })
  }
}
