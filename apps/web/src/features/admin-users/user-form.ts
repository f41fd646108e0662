/** What is typed into a user form, and what the contract says to it before anything is sent. */
import { CreateUser, USER_TEXT_CHARACTERS_MAX } from '@pkdex/contract'

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
