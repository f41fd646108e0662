/** What can be done to the users that were chosen in the list: all of them at once. */
import { changeStatus, SEVERAL_USERS_MAX } from '@pkdex/contract'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { adminReason, callAdmin } from '#web/lib/admin-api.ts'
import { countOf } from '#web/lib/format.ts'
import { Button } from '#web/ui/button.ts'
import { ConfirmDialog } from '#web/ui/dialog.tsx'
import { Note } from '#web/ui/note.tsx'
import { ChangeCreditsDialog } from './credits-change.tsx'
import classes from './user-list.module.css'
import { useRefreshAdmin } from './users-query.ts'

type Props = {
  userIds: string[]
  /** Nobody is chosen any more. */
  onClear: () => void
  /** A sentence that says what was done. */
  onDone: (sentence: string) => void
}

type Asked = 'credits' | 'on' | 'off'

export function ChosenUsers({ userIds, onClear, onDone }: Props) {
  const [asked, setAsked] = useState<Asked | null>(null)
  const isTooMany = userIds.length > SEVERAL_USERS_MAX
  const ask = (what: Asked) => () => setAsked(what)
  return (
    <section className={classes.chosen} aria-label="Chosen users">
      <strong>{countOf(userIds.length, 'user')} chosen</strong>
      {isTooMany ? (
        <span>At most {SEVERAL_USERS_MAX.toLocaleString('en')} at a time.</span>
      ) : (
        <div className={classes.choices}>
          <Button variant="default" onClick={ask('credits')}>
            Change credits
          </Button>
          <Button variant="default" onClick={ask('off')}>
            Switch off
          </Button>
          <Button variant="default" onClick={ask('on')}>
            Switch on
          </Button>
        </div>
      )}
      <Button variant="subtle" color="gray" onClick={onClear}>
        Choose nobody
      </Button>
      {asked === 'credits' && (
        <ChangeCreditsDialog
          userIds={userIds}
          onClose={() => setAsked(null)}
          onChanged={(count) => onDone(`The credits of ${countOf(count, 'user')} were changed.`)}
        />
      )}
      {(asked === 'on' || asked === 'off') && (
        <StatusDialog
          userIds={userIds}
          isActive={asked === 'on'}
          onClose={() => setAsked(null)}
          onDone={onDone}
        />
      )}
    </section>
  )
}

type StatusProps = {
  userIds: string[]
  isActive: boolean
  onClose: () => void
  onDone: Props['onDone']
}

function StatusDialog({ userIds, isActive, onClose, onDone }: StatusProps) {
  const refresh = useRefreshAdmin()
  const word = isActive ? 'on' : 'off'
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => callAdmin(changeStatus, { body: { user_ids: userIds, is_active: isActive } }),
    onSuccess({ changed }) {
      const already = userIds.length - changed
      const rest = already > 0 ? ` ${countOf(already, 'user')} had been before.` : ''
      onDone(`${countOf(changed, 'user was', 'users were')} switched ${word}.${rest}`)
      onClose()
      refresh('users', 'user', 'database', 'audit')
    },
  })
  return (
    <ConfirmDialog
      title={`Switch ${countOf(userIds.length, 'user')} ${word}`}
      text={
        isActive
          ? 'They can sign in again. Keys that ended stay ended.'
          : 'Their sessions and API keys end at once. What is theirs stays.'
      }
      confirm={`Switch ${word}`}
      isDangerous={!isActive}
      isBusy={isPending}
      onConfirm={() => mutate()}
      onClose={onClose}
    >
      {error !== null && !isPending && (
        <Note tone="failure" title="Nobody was switched">
          {adminReason(error)}
        </Note>
      )}
    </ConfirmDialog>
  )
}
