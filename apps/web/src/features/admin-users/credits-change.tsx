/** More or fewer credits, with a note for the ledger: for one user on a page, or for several in a dialog. */
import { changeCredits, CreditsChange, UserText } from '@pkdex/contract'
import { useMutation } from '@tanstack/react-query'
import { type SubmitEvent, useRef, useState } from 'react'
import { adminReason, callAdmin } from '#web/lib/admin-api.ts'
import { newOrderKey } from '#web/lib/api.ts'
import { countOf } from '#web/lib/format.ts'
import { Button } from '#web/ui/button.ts'
import { ConfirmDialog } from '#web/ui/dialog.tsx'
import { Field, focusFirstError } from '#web/ui/field.tsx'
import { Note } from '#web/ui/note.tsx'
import { Panel } from '#web/ui/panel.tsx'
import classes from './user-forms.module.css'
import { useRefreshAdmin } from './users-query.ts'

const FAILED = 'Nobody’s credits were changed'

type Typed = { amount: string; note: string }

const nothing: Typed = { amount: '', note: '' }

type UserProps = { userId: string; onChanged: (balance: number) => void }

/** The balance of one user changes by what is typed; it is not set. */
export function ChangeUserCredits({ userId, onChanged }: UserProps) {
  const form = useRef<HTMLFormElement>(null)
  const change = useCreditsChange([userId])
  const { mutate, isPending, error, data } = change

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    if (!change.isReady()) focusFirstError(form.current)
    else if (!isPending) {
      mutate(undefined, { onSuccess: ({ users: [user] }) => user && onChanged(user.credits) })
    }
  }

  return (
    <Panel title="Add or take credits">
      <form ref={form} noValidate onSubmit={submit} aria-label="Add or take credits">
        <CreditsFields {...change} />
        {error !== null && !isPending && (
          <div className={classes.failure}>
            <Note tone="failure" title={FAILED}>
              {adminReason(error)}
            </Note>
          </div>
        )}
        <div className={classes.actions}>
          <Button type="submit" loading={isPending}>
            Change credits
          </Button>
        </div>
        <output className={classes.saved}>
          {data !== undefined &&
            !isPending &&
            `The balance is ${(data.users[0]?.credits ?? 0).toLocaleString('en')} now.`}
        </output>
      </form>
    </Panel>
  )
}

type DialogProps = { userIds: string[]; onClose: () => void; onChanged: (count: number) => void }

export function ChangeCreditsDialog({ userIds, onClose, onChanged }: DialogProps) {
  const change = useCreditsChange(userIds)
  const { mutate, isPending, error } = change

  function confirm() {
    if (!change.isReady()) return
    mutate(undefined, {
      onSuccess({ users }) {
        onChanged(users.length)
        onClose()
      },
    })
  }

  return (
    <ConfirmDialog
      title={`Change the credits of ${countOf(userIds.length, 'user')}`}
      text="All of them are changed, or none."
      confirm="Change credits"
      isBusy={isPending}
      onConfirm={confirm}
      onClose={onClose}
    >
      <CreditsFields {...change} />
      {error !== null && !isPending && (
        <Note tone="failure" title={FAILED}>
          {adminReason(error)}
        </Note>
      )}
    </ConfirmDialog>
  )
}

/** What is typed, what is wrong with it once it was sent, and the sending: an order that is sent again credits nobody twice. */
function useCreditsChange(userIds: string[]) {
  const [typed, setTyped] = useState(nothing)
  const [isTold, setIsTold] = useState(false)
  const [orderKey, setOrderKey] = useState(newOrderKey)
  const refresh = useRefreshAdmin()
  const errors = findErrors(typed)
  const { mutate, ...sending } = useMutation({
    mutationFn: () => {
      const body = { user_ids: userIds, delta: readAmount(typed.amount), note: typed.note.trim() }
      return callAdmin(changeCredits, { body, orderKey })
    },
    onSuccess() {
      setTyped(nothing)
      setIsTold(false)
      setOrderKey(newOrderKey())
      refresh('users', 'user', 'database', 'audit')
    },
  })
  return {
    ...sending,
    mutate,
    typed,
    errors: isTold ? errors : {},
    onType(change: Partial<Typed>) {
      // Another amount is another order.
      setOrderKey(newOrderKey())
      setTyped({ ...typed, ...change })
    },
    isReady() {
      setIsTold(true)
      return Object.keys(errors).length === 0
    },
  }
}

type Errors = Partial<Record<keyof Typed, string>>

function findErrors({ amount, note }: Typed): Errors {
  const isAmount = CreditsChange.safeParse(readAmount(amount)).success
  return {
    ...(isAmount ? {} : { amount: 'A number such as 50 or -12.5, with at most three decimals.' }),
    ...(UserText.safeParse(note).success ? {} : { note: 'The note is too long.' }),
  }
}

/** A true minus may have been pasted. */
function readAmount(text: string): number {
  const plain = text.trim().replace('−', '-')
  return /^[+-]?\d+(\.\d+)?$/.test(plain) ? Number(plain) : Number.NaN
}

type FieldsProps = { typed: Typed; errors: Errors; onType: (change: Partial<Typed>) => void }

function CreditsFields({ typed, errors, onType }: FieldsProps) {
  return (
    <>
      <Field
        label="Credits to add"
        inputMode="text"
        autoComplete="off"
        value={typed.amount}
        hint="With a minus they are taken away."
        error={errors.amount}
        onChange={({ currentTarget }) => onType({ amount: currentTarget.value })}
      />
      <Field
        label="Note"
        autoComplete="off"
        value={typed.note}
        hint="Stands in the ledger, which users can take along with their data."
        error={errors.note}
        onChange={({ currentTarget }) => onType({ note: currentTarget.value })}
      />
    </>
  )
}
