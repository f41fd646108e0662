/** The form for a new key: its name and daily limit. */
import { createOwnKey } from '@pkdex/contract'
import { z } from 'zod'
import { Button } from '#web/ui/button.ts'
import { Field } from '#web/ui/field.tsx'
import { useForm } from '#web/ui/use-form.ts'
import classes from './key-form.module.css'

const { name, calls_per_day } = createOwnKey.body.shape

/** Without a limit, the field is empty. */
const NewKey = z.object({
  name,
  calls_per_day: z
    .string()
    .transform((text) => (text.trim() === '' ? null : Number(text)))
    .pipe(calls_per_day.unwrap()),
})

const says = {
  name: 'Enter a name.',
  calls_per_day: 'Enter a whole number of 1 or more, or leave empty.',
}

type Props = { isBusy: boolean; onMake: (wanted: z.output<typeof NewKey>) => void }

export function KeyForm({ isBusy, onMake }: Props) {
  const form = useForm(NewKey, { says, send: onMake, isBusy })
  return (
    <form className={classes.form} {...form.props}>
      <Field
        label="Name"
        maxLength={80}
        hint="For example, the script that uses it."
        {...form.field('name')}
      />
      <Field
        label="Daily call limit"
        inputMode="numeric"
        hint="Leave empty for no limit."
        {...form.field('calls_per_day')}
      />
      <Button type="submit" loading={isBusy}>
        Create API key
      </Button>
    </form>
  )
}
