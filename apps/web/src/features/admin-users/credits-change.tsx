/** Sets or changes the credits of several users, with a note for the ledger. */
import { Box } from '#web/ui/layout.ts'
import { changeCredits, UserText } from '@pkdex/contract'
import { useState } from 'react'
import { z } from 'zod'
import { adminReason, callAdmin } from '#web/lib/admin-api.ts'
import { newOrderKey } from '#web/lib/api.ts'
import { largeCountOf } from '#web/lib/format.ts'
import { CallDialog } from '#web/ui/call-dialog.tsx'
import { Field } from '#web/ui/field.tsx'
import { creditsHint, CreditsInput, readCredits, type TypedCredits } from './credits-input.ts'
import { useRefreshAdmin } from './users-query.ts'

const Change = z.object({ amount: CreditsInput, note: UserText })

const says = { note: 'The note is too long.' }

type DialogProps = { userIds: string[]; onClose: () => void; onDone: (sentence: string) => void }

export function ChangeCreditsDialog({ userIds, onClose, onDone }: DialogProps) {
  const [planned, setPlanned] = useState<TypedCredits | null>(null)
  // The same request, sent again after a failure, does not change credits twice.
  const [orderKey, setOrderKey] = useState(newOrderKey)
  const refresh = useRefreshAdmin()

  async function change({ amount: typed, note }: z.output<typeof Change>): Promise<string> {
    const { kind: _, ...amount } = typed
    const body = { user_ids: userIds, ...amount, note }
    const { users } = await callAdmin(changeCredits, { body, orderKey })
    return sayDone(typed, users.length)
  }

  return (
    <CallDialog
      title={`Change credits for ${largeCountOf(userIds.length, 'user')}`}
      text="All of them are changed, or none."
      confirm="Change credits"
      schema={Change}
      says={says}
      call={change}
      failure="Credits were not changed"
      reasonOf={adminReason}
      onDone={(sentence) => {
        onDone(sentence)
        refresh('users', 'user', 'database', 'audit')
      }}
      onClose={onClose}
    >
      {(field) => (
        <>
          <Field
            label="Credits"
            inputMode="text"
            autoComplete="off"
            hint={creditsHint}
            onChange={({ currentTarget }) => {
              setOrderKey(newOrderKey())
              setPlanned(readCredits(currentTarget.value))
            }}
            {...field('amount')}
          />
          <Field
            label="Note"
            autoComplete="off"
            hint="Shown in the ledger, which users can export."
            onChange={() => setOrderKey(newOrderKey())}
            {...field('note')}
          />
          <Box component="output" mih="1lh" fw={500}>
            {planned !== null && sayPlan(planned, userIds.length)}
          </Box>
        </>
      )}
    </CallDialog>
  )
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
