/** Adds or removes credits of several users, with a note for the ledger. */
import { changeCredits, CreditsChange, UserText } from '@pkdex/contract'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { adminReason, callAdmin } from '#web/lib/admin-api.ts'
import { newOrderKey } from '#web/lib/api.ts'
import { countOf } from '#web/lib/format.ts'
import { ConfirmDialog } from '#web/ui/dialog.tsx'
import { Field } from '#web/ui/field.tsx'
import { Note } from '#web/ui/note.tsx'
import { creditsProblem, readCredits } from './credits-input.ts'
import { useRefreshAdmin } from './users-query.ts'

const FAILED = 'Credits were not changed'

type Typed = { amount: string; note: string }

const nothing: Typed = { amount: '', note: '' }

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
      title={`Change credits for ${countOf(userIds.length, 'user')}`}
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

/** Input, validation after sending, and the request: a repeated request does not change credits twice. */
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
      // Another amount is another request.
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
    ...(isAmount ? {} : { amount: creditsProblem }),
    ...(UserText.safeParse(note).success ? {} : { note: 'The note is too long.' }),
  }
}

/** Without a sign it is added, as the label says. */
function readAmount(text: string): number {
  const typed = readCredits(text)
  if (typed === null) return Number.NaN
  return typed.kind === 'set' ? typed.credits : typed.delta
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
        hint="Use a negative number to remove credits."
        error={errors.amount}
        onChange={({ currentTarget }) => onType({ amount: currentTarget.value })}
      />
      <Field
        label="Note"
        autoComplete="off"
        value={typed.note}
        hint="Shown in the ledger, which users can export."
        error={errors.note}
        onChange={({ currentTarget }) => onType({ note: currentTarget.value })}
      />
    </>
  )
}
