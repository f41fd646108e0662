/** Changes an administrator's own password: the current one, and the new one twice. */
import { Box } from '#web/ui/layout.ts'
import { ADMIN_PASSWORD_CHARACTERS_MIN, changeAdminPassword } from '@pkdex/contract'
import { useMutation } from '@tanstack/react-query'
import { z } from 'zod'
import { adminReason, callAdmin } from '#web/lib/admin-api.ts'
import { Button } from '#web/ui/button.ts'
import { Field } from '#web/ui/field.tsx'
import { Note } from '#web/ui/note.tsx'
import { useForm } from '#web/ui/use-form.ts'
import { Panel } from '#web/ui/panel.tsx'

const NewPassword = changeAdminPassword.body.extend({ repeated: z.string() }).refine(
  ({ new_password, repeated }) => new_password === repeated,
  // Also while other fields are refused.
  { path: ['repeated'], when: () => true },
)

const says = {
  current_password: 'Enter your current password.',
  new_password: `Use at least ${ADMIN_PASSWORD_CHARACTERS_MIN} characters.`,
  repeated: 'The passwords do not match.',
}

export function OwnPassword() {
  const { mutate, isSuccess, error, isPending, reset } = useMutation({
    mutationFn: ({ current_password, new_password }: z.output<typeof NewPassword>) =>
      callAdmin(changeAdminPassword, { body: { current_password, new_password } }),
  })
  const form = useForm(NewPassword, {
    says,
    send: (body, element) => mutate(body, { onSuccess: () => element.reset() }),
    isBusy: isPending,
  })
  const current = { type: 'password', autoComplete: 'current-password', onChange: reset }
  const next = { ...current, autoComplete: 'new-password' }
  return (
    <Panel title="Your password">
      <Box component="form" maw={420} aria-label="Your password" {...form.props}>
        <Field label="Current password" {...current} {...form.field('current_password')} />
        <Field
          label="New password"
          hint={`At least ${ADMIN_PASSWORD_CHARACTERS_MIN} characters.`}
          {...next}
          {...form.field('new_password')}
        />
        <Field label="Repeat new password" {...next} {...form.field('repeated')} />
        {error !== null && !isPending && (
          <Note tone="failure" title="Your password was not changed">
            {adminReason(error)}
          </Note>
        )}
        <Button type="submit" loading={isPending}>
          Change password
        </Button>
        <Box component="output" display="block" mt="xs" c="var(--accent-ink)" fw={500}>
          {isSuccess && 'Your password was changed. Your other sessions have ended.'}
        </Box>
      </Box>
    </Panel>
  )
}
