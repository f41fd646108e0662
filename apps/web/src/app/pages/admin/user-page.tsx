/** `/admin/users/{userId}`: one user with keys, files and ledger. */
import { Button } from '@mantine/core'
import { type AdminUser, messages } from '@pkdex/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useLocation, useNavigate, useParams } from 'react-router'
import { DeleteUserDialog } from '#web/features/admin-users/delete-user-dialog.tsx'
import { EditUserForm } from '#web/features/admin-users/edit-user-form.tsx'
import { UserFiles } from '#web/features/admin-users/user-files.tsx'
import { UserKeys } from '#web/features/admin-users/user-keys.tsx'
import { UserLedger } from '#web/features/admin-users/user-ledger.tsx'
import { userQuery } from '#web/features/admin-users/users-query.ts'
import { adminReason } from '#web/lib/admin-api.ts'
import { ApiError } from '#web/lib/api.ts'
import { Announcement } from '#web/ui/announcement.tsx'
import { Note } from '#web/ui/note.tsx'
import { PageHead } from '#web/ui/page-head.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { SkeletonLines } from '#web/ui/skeleton.tsx'
import classes from './user-page.module.css'

export function UserPage() {
  const { userId = '' } = useParams()
  const { data: user, error, refetch } = useQuery(userQuery(userId))
  if (!user && error !== null) return <NoUser error={error} onRetry={() => void refetch()} />
  return (
    <>
      <UserHead user={user} />
      <div className={classes.columns}>
        <Panel title="User">
          {user === undefined ? (
            <SkeletonLines lines={6} what="the user" />
          ) : (
            <EditUserForm key={user._id} user={user} />
          )}
        </Panel>
        {user && (
          <div className={classes.stack}>
            <UserKeys key={userId} userId={userId} />
            <UserLedger userId={userId} />
            <UserFiles userId={userId} />
          </div>
        )}
      </div>
    </>
  )
}

function UserHead({ user }: { user: AdminUser | undefined }) {
  const [isDeleting, setIsDeleting] = useState(false)
  const created: unknown = useLocation().state?.created
  const navigate = useNavigate()
  const above = <Link to="/admin/users">Users</Link>
  if (user === undefined) return <PageHead title="User" above={above} />
  return (
    <>
      <title>{`${user.name || user.email} · pKdex`}</title>
      <PageHead title={user.name || user.email} above={above}>
        <Button variant="outline" color="ember" onClick={() => setIsDeleting(true)}>
          Delete
        </Button>
      </PageHead>
      {created === user.email && (
        <Announcement tone="success">{user.email} was created.</Announcement>
      )}
      {isDeleting && (
        <DeleteUserDialog
          user={user}
          onClose={() => setIsDeleting(false)}
          onDeleted={(deleted) => void navigate('/admin/users', { state: { deleted } })}
        />
      )}
    </>
  )
}

function NoUser({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const isMissing = error instanceof ApiError && error.status === 404
  return (
    <>
      <title>User · pKdex</title>
      <PageHead title="User" above={<Link to="/admin/users">Users</Link>} />
      <Note
        tone="failure"
        title={isMissing ? messages.admin.userNotFound : messages.admin.loadFailed}
        action={
          isMissing ? (
            <Button component={Link} variant="default" to="/admin/users">
              All users
            </Button>
          ) : (
            <Button variant="default" onClick={onRetry}>
              Retry
            </Button>
          )
        }
      >
        {isMissing ? 'The user may have been deleted meanwhile.' : adminReason(error)}
      </Note>
    </>
  )
}
