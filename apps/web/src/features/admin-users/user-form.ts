/** What is typed into a user form, what the contract says to it before anything is sent, and what then is sent. */
import {
  type AdminUser,
  CreateUser,
  type UpdateUser,
  USER_TEXT_CHARACTERS_MAX,
} from '@pkdex/contract'
import type { z } from 'zod'

/** As typed. */
export type UserForm = {
  email: string
  name: string
  googleId: string
  credits: string
  isActive: boolean
}
export type UserFormErrors = Partial<Record<'email' | 'name' | 'googleId' | 'credits', string>>

export function readUserForm(form: HTMLFormElement): UserForm {
  const fields = new FormData(form)
  const text = (name: string) => {
    const value = fields.get(name)
    return typeof value === 'string' ? value.trim() : ''
  }
  return {
    email: text('email'),
    name: text('name'),
    googleId: text('googleId'),
    credits: text('credits'),
    isActive: fields.has('isActive'),
  }
}

/** Credits may stay empty where the server has a default for them. */
export function findUserFormErrors(
  form: UserForm,
  { needsCredits }: { needsCredits: boolean },
): UserFormErrors {
  const { email, name, googleId, credits } = CreateUser.shape
  return {
    ...(email.safeParse(form.email).success
      ? {}
      : { email: form.email === '' ? 'Email is required.' : 'This is not an e-mail address.' }),
    ...(name.safeParse(form.name).success ? {} : { name: whyNotText(form.name) }),
    ...(googleId.safeParse(form.googleId).success ? {} : { googleId: whyNotText(form.googleId) }),
    ...((form.credits === '' && !needsCredits) ||
    (form.credits !== '' && credits.safeParse(Number(form.credits)).success)
      ? {}
      : { credits: 'Credits must be a number from 0, with at most three decimals.' }),
  }
}

function whyNotText(text: string): string {
  return text.trim().length > USER_TEXT_CHARACTERS_MAX
    ? `This is longer than ${USER_TEXT_CHARACTERS_MAX} characters.`
    : 'This holds a character that cannot be shown.'
}

export type UserChange =
  | { kind: 'credits'; credits: number }
  | { kind: 'fields'; body: z.input<typeof UpdateUser> }

/**
 * What has to be sent so that a user becomes what the form says: only what was changed in it. The rest may
 * have changed on the server since the form was opened, and must not be put back.
 */
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
