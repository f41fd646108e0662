/** Sets or changes the credits of several users, with a note for the ledger. */
import { Box } from '#web/ui/layout.ts'
import { changeCredits, UserText } from '@pkdex/contract'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { adminReason, callAdmin } from '#web/lib/admin-api.ts'
import { newOrderKey } from '#web/lib/api.ts'
import { largeCountOf } from '#web/lib/format.ts'
import { ConfirmDialog } from '#web/ui/dialog.tsx'
import { Field } from '#web/ui/field.tsx'
import { Note } from '#web/ui/note.tsx'
import { creditsHint, creditsProblem, readCredits, type TypedCredits } from './credits-input.ts'
import { useRefreshAdmin } from './users-query.ts'

const FAILED = 'Credits were not changed'

type Typed = { amount: string; note: string }

const nothing: Typed = { amount: '', note: '' }

type DialogProps = { userIds: string[]; onClose: () => void; onDone: (sentence: string) => void }

export function ChangeCreditsDialog({ userIds, onClose, onDone }: DialogProps) {
  const change = useCreditsChange(userIds)
  const { mutate, credits, isPending, error } = change

  function confirm() {
    if (!change.isReady() || credits === null) return
    mutate(credits, {
      onSuccess({ users }) {
        onDone(sayDone(credits, users.length))
        onClose()
      },
    })
  }

  return (
    <ConfirmDialog
      title={`Change credits for ${largeCountOf(userIds.length, 'user')}`}
      text="All of them are changed, or none."
      confirm="Change credits"
      isBusy={isPending}
      onConfirm={confirm}
      onClose={onClose}
    >
      <CreditsFields {...change} />
      <Box component="output" mih="1lh" fw={500}>
        {credits !== null && sayPlan(credits, userIds.length)}
      </Box>
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
  const credits = readCredits(typed.amount)
  const errors = findErrors(typed)
  const { mutate, ...sending } = useMutation({
    mutationFn: (wanted: TypedCredits) => {
      const { kind: _, ...amount } = wanted
      const body = { user_ids: userIds, ...amount, note: typed.note.trim() }
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
    credits,
    errors: isTold ? errors : {},
    onType(change: Partial<Typed>) {
      // A different amount is a new request.
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
  return {
    ...(readCredits(amount) === null ? { amount: creditsProblem } : {}),
    ...(UserText.safeParse(note).success ? {} : { note: 'The note is too long.' }),
  }
}

/** Says what confirming will do. */
function sayPlan(credits: TypedCredits, count: number): string {
  if (credits.kind === 'set') {
    return `Set ${largeCountOf(count, 'user')} to ${amountOf(credits.credits)}.`
  }
  const { delta } = credits
  return delta < 0
    ? `Remove ${amountOf(-delta)} from ${eachOf(count)}.`
    : `Add ${amountOf(delta)} to ${eachOf(count)}.`
}

function sayDone(credits: TypedCredits, count: number): string {
  if (credits.kind === 'set') {
    const have = count === 1 ? 'has' : 'have'
    return `${largeCountOf(count, 'user')} now ${have} ${amountOf(credits.credits)}.`
  }
  const { delta } = credits
  return delta < 0
    ? `${amountOf(-delta)} removed from ${eachOf(count)}.`
    : `${amountOf(delta)} added to ${eachOf(count)}.`
}

function amountOf(credits: number): string {
  return largeCountOf(credits, 'credit')
}

function eachOf(count: number): string {
  return `${count === 1 ? '' : 'each of '}${largeCountOf(count, 'user')}`
}

type FieldsProps = { typed: Typed; errors: Errors; onType: (change: Partial<Typed>) => void }

function CreditsFields({ typed, errors, onType }: FieldsProps) {
  return (
    <>
      <Field
        label="Credits"
        inputMode="text"
        autoComplete="off"
        value={typed.amount}
        hint={creditsHint}
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
