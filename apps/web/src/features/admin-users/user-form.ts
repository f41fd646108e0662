/** The fields of a user, checked by the contract, and the request that an edited user needs. */
import {
  type AdminUser,
  CreateUser,
  type UpdateUser,
  USER_TEXT_CHARACTERS_MAX,
  UserText,
} from '@pkdex/contract'
import { z } from 'zod'
import { ticked } from '#web/ui/use-form.ts'
import { CreditsInput, readCredits, setProblem } from './credits-input.ts'

const text = z
  .string()
  .trim()
  .max(USER_TEXT_CHARACTERS_MAX, `Use at most ${USER_TEXT_CHARACTERS_MAX} characters.`)
  .refine((typed) => UserText.safeParse(typed).success, 'Remove the control character.')

const User = z.object({
  email: z
    .string()
    .trim()
    .min(1, 'Email is required.')
    .refine(
      (typed) => CreateUser.shape.email.safeParse(typed).success,
      'Enter a valid email address.',
    ),
  name: text,
  googleId: text,
  isActive: ticked,
})

/** A new user has no balance to change; an empty field means the server's default. */
export const NewUser = User.extend({
  credits: z
    .string()
    .trim()
    .refine((typed) => typed === '' || readCredits(typed)?.kind === 'set', setProblem),
}).transform(({ googleId, credits, isActive, ...rest }) => ({
  ...rest,
  password: '',
  is_active: isActive,
  ...(credits === '' ? {} : { credits: Number(credits) }),
  ...(googleId === '' ? {} : { googleId }),
}))

/** `note`: stored in the ledger if credits are added or removed. */
export const EditedUser = User.extend({ credits: CreditsInput, note: text.default('') })

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
export function readUserChange(user: AdminUser, form: z.output<typeof EditedUser>): UserChange {
  const { credits: typed, note, email, name, googleId, isActive } = form
  const fields = {
    email,
    name,
    googleId: googleId === '' ? null : googleId,
    is_active: isActive,
  }
  const body = changedFields(user, fields)
  const hasFields = Object.keys(body).length > 0
  if (typed.kind === 'change') {
    return { ...typed, kind: 'delta', note, body: hasFields ? body : null }
  }
  const { credits } = typed
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
