/** The user form: input, validation by the contract, and the request. */
import {
  type AdminUser,
  CreateUser,
  type UpdateUser,
  USER_TEXT_CHARACTERS_MAX,
} from '@pkdex/contract'
import type { z } from 'zod'
import { creditsProblem, readCredits, setProblem } from './credits-input.ts'

/** Raw input. */
export type UserForm = {
  email: string
  name: string
  googleId: string
  credits: string
  /** Stored in the ledger if credits are added or removed. */
  note: string
  isActive: boolean
}
export type UserFormErrors = Partial<
  Record<'email' | 'name' | 'googleId' | 'credits' | 'note', string>
>

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
    note: text('note'),
    isActive: fields.has('isActive'),
  }
}

/** A new user has no balance to change; an empty field means the server's default. */
export function findUserFormErrors(form: UserForm, { isNew }: { isNew: boolean }): UserFormErrors {
  const { email, name, googleId } = CreateUser.shape
  return {
    ...(email.safeParse(form.email).success
      ? {}
      : { email: form.email === '' ? 'Email is required.' : 'Enter a valid email address.' }),
    ...(name.safeParse(form.name).success ? {} : { name: whyNotText(form.name) }),
    ...(googleId.safeParse(form.googleId).success ? {} : { googleId: whyNotText(form.googleId) }),
    ...(areCredits(form, isNew) ? {} : { credits: isNew ? setProblem : creditsProblem }),
    ...(name.safeParse(form.note).success ? {} : { note: whyNotText(form.note) }),
  }
}

function areCredits({ credits }: UserForm, isNew: boolean): boolean {
  const typed = readCredits(credits)
  return isNew ? credits === '' || typed?.kind === 'set' : typed !== null
}

function whyNotText(text: string): string {
  return text.trim().length > USER_TEXT_CHARACTERS_MAX
    ? `Use at most ${USER_TEXT_CHARACTERS_MAX} characters.`
    : 'Remove the control character.'
}

type Body = z.input<typeof UpdateUser>

/** `delta`: added to the balance that the user has by then, after the other fields have been saved. */
export type UserChange =
  | { kind: 'credits'; credits: number }
  | { kind: 'fields'; body: Body }
  | { kind: 'delta'; delta: number; note: string; body: Body | null }

/**
 * Only the fields that were changed in the form. Others may have changed on the server since the form was opened, and
 * must not be reset.
 */
export function readUserChange(user: AdminUser, form: UserForm): UserChange {
  const typed = readCredits(form.credits)
  const fields = {
    email: form.email,
    name: form.name,
    googleId: form.googleId === '' ? null : form.googleId,
    is_active: form.isActive,
  }
  const body = changedFields(user, fields)
  const hasFields = Object.keys(body).length > 0
  if (typed?.kind === 'change') {
    return { ...typed, kind: 'delta', note: form.note, body: hasFields ? body : null }
  }
  const credits = typed?.credits ?? user.credits
  if (credits === user.credits) return { kind: 'fields', body }
  return hasFields ? { kind: 'fields', body: { ...body, credits } } : { kind: 'credits', credits }
}

type Fields = Pick<AdminUser, 'email' | 'name' | 'googleId' | 'is_active'>

function changedFields(user: AdminUser, fields: Fields): Partial<Fields> {
  const changed = (Object.keys(fields) as (keyof Fields)[]).filter(
    (field) => fields[field] !== user[field],
  )
  return Object.fromEntries(changed.map((field) => [field, fields[field]]))
}
