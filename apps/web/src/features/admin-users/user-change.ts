/**
 * What has to be sent so that a user becomes what the form says: only what was changed in it. The rest may
 * have changed on the server since the form was opened, and must not be put back.
 */
import type { AdminUser, UpdateUser } from '@pkdex/contract'
import type { z } from 'zod'
import type { UserForm } from './user-form.ts'

export type UserChange =
  | { kind: 'credits'; credits: number }
  | { kind: 'fields'; body: z.input<typeof UpdateUser> }

export function readUserChange(user: AdminUser, form: UserForm): UserChange {
  const credits = Number(form.credits)
  const hasNewCredits = credits !== user.credits
  const fields = {
    email: form.email,
    name: form.name,
    googleId: form.googleId === '' ? null : form.googleId,
    is_active: form.isActive,
  }
  const body = changedFields(user, fields)
  if (hasNewCredits && Object.keys(body).length === 0) return { kind: 'credits', credits }
  return { kind: 'fields', body: hasNewCredits ? { ...body, credits } : body }
}

type Fields = Pick<AdminUser, 'email' | 'name' | 'googleId' | 'is_active'>

function changedFields(user: AdminUser, fields: Fields): Partial<Fields> {
  const changed = (Object.keys(fields) as (keyof Fields)[]).filter(
    (field) => fields[field] !== user[field],
  )
  return Object.fromEntries(changed.map((field) => [field, fields[field]]))
}
