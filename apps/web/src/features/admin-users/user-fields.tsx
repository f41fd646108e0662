/** The fields of a user, alike for creating and editing. */
import type { AdminUser } from '@pkdex/contract'
import { Field } from '#web/ui/field.tsx'
import { Switch } from '#web/ui/switch.tsx'
import type { UserFormErrors } from './user-form.ts'

type Props = { user: AdminUser | null; errors: UserFormErrors; creditsHint: string }

export function UserFields({ user, errors, creditsHint }: Props) {
  return (
    <>
      <Field
        label="Name"
        name="name"
        autoComplete="off"
        defaultValue={user?.name}
        error={errors.name}
      />
      <Field
        label="Email (required)"
        name="email"
        type="email"
        autoComplete="off"
        required
        defaultValue={user?.email}
        error={errors.email}
      />
      <Field
        label="Google ID"
        name="googleId"
        autoComplete="off"
        defaultValue={user?.googleId ?? ''}
        hint="Leave empty: the first Google sign-in with this e-mail is linked."
        error={errors.googleId}
      />
      <Field
        label="Credits"
        name="credits"
        type="number"
        min={0}
        step="any"
        defaultValue={user?.credits}
        hint={creditsHint}
        error={errors.credits}
      />
      <Switch label="Active" name="isActive" defaultChecked={user?.is_active ?? true} />
      {user !== null && (
        <p className="small quiet">Switching off ends the user’s sessions and keys at once.</p>
      )}
    </>
  )
}
