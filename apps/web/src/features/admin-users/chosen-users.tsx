/** Bulk actions for the users selected in the list. */
import { Flex } from '#web/ui/layout.ts'
import { changeStatus, SEVERAL_USERS_MAX } from '@pkdex/contract'
import { type ReactNode, useState } from 'react'
import { adminReason, callAdmin } from '#web/lib/admin-api.ts'
import { countOf } from '#web/lib/format.ts'
import { Button } from '#web/ui/button.ts'
import { CallDialog } from '#web/ui/call-dialog.tsx'
import { ChangeCreditsDialog } from './credits-change.tsx'
import classes from './user-list.module.css'
import { useRefreshAdmin } from './users-query.ts'

type Props = {
  userIds: string[]
  /** A button that selects all other matching users, if there are any. */
  children: ReactNode
  /** Clears the selection. */
  onClear: () => void
  /** `sentence` says what was done. */
  onDone: (sentence: string) => void
}

type Action = 'credits' | 'on' | 'off'

export function ChosenUsers({ userIds, children, onClear, onDone }: Props) {
  const [action, setAction] = useState<Action | null>(null)
  const isTooMany = userIds.length > SEVERAL_USERS_MAX
  const ask = (what: Action) => () => setAction(what)
  return (
    <section className={classes.chosen} aria-label="Selected users">
      <strong>{countOf(userIds.length, 'user')} selected</strong>
      {children}
      {isTooMany ? (
        <span>Select at most {SEVERAL_USERS_MAX.toLocaleString('en')} users.</span>
      ) : (
        <Flex wrap="wrap" gap="xs" mr="auto">
          <Button variant="default" onClick={ask('credits')}>
            Change credits
          </Button>
          <Button variant="default" onClick={ask('off')}>
            Deactivate
          </Button>
          <Button variant="default" onClick={ask('on')}>
            Activate
          </Button>
        </Flex>
      )}
      <Button variant="subtle" color="gray" onClick={onClear}>
        Clear selection
      </Button>
      {action === 'credits' && (
        <ChangeCreditsDialog userIds={userIds} onClose={() => setAction(null)} onDone={onDone} />
      )}
      {(action === 'on' || action === 'off') && (
        <StatusDialog
          userIds={userIds}
          isActive={action === 'on'}
          onClose={() => setAction(null)}
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
  const verb = isActive ? 'Activate' : 'Deactivate'
  return (
    <CallDialog
      title={`${verb} ${countOf(userIds.length, 'user')}`}
      text={
        isActive
          ? 'They can sign in again. Their revoked keys stay revoked.'
          : 'Their sessions and API keys end immediately. Their data is kept.'
      }
      confirm={verb}
      isDangerous={!isActive}
      call={() => callAdmin(changeStatus, { body: { user_ids: userIds, is_active: isActive } })}
      failure="No user was changed"
      reasonOf={adminReason}
      onDone={({ changed }) => {
        const already = userIds.length - changed
        const rest =
          already > 0
            ? ` ${countOf(already, 'user')} already ${isActive ? 'active' : 'inactive'}.`
            : ''
        onDone(`${countOf(changed, 'user')} ${isActive ? 'activated' : 'deactivated'}.${rest}`)
        refresh('users', 'user', 'database', 'audit')
      }}
      onClose={onClose}
    />
  )
}
