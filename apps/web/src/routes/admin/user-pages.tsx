/** The pages about users: `/admin/users`, `/admin/users/create`, `/admin/users/import` and `/admin/users/{userId}`. */
import { Box, ColumnGrid, Flex } from '#web/ui/layout.ts'
import { Button } from '#web/ui/button.ts'
import { type AdminUser, messages } from '@pkdex/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useLocation, useNavigate, useParams } from 'react-router'
import { DeleteUserDialog } from '#web/features/admin-users/delete-user-dialog.tsx'
import { InvitationLink } from '#web/features/admin-users/invitation-link.tsx'
import { ImportUsers } from '#web/features/admin-users/import-users.tsx'
import { UserFiles } from '#web/features/admin-users/user-files.tsx'
import { CreateUserForm, EditUserForm } from '#web/features/admin-users/user-forms.tsx'
import { UserShares } from '#web/features/admin-users/user-shares.tsx'
import { UserKeys } from '#web/features/admin-users/user-keys.tsx'
import { UsageByDay } from '#web/features/admin-users/usage-by-day.tsx'
import { UserLedger } from '#web/features/credits/ledger.tsx'
import { UserList } from '#web/features/admin-users/user-list.tsx'
import { UserUsage } from '#web/features/admin-users/user-usage.tsx'
import { userQuery } from '#web/features/admin-users/users-query.ts'
import { adminReason } from '#web/lib/admin-api.ts'
import { ApiError } from '#web/lib/api.ts'
import { Announcement, Note } from '#web/ui/note.tsx'
import { PageHead, Panel } from '#web/ui/panel.tsx'
import { SkeletonLines } from '#web/ui/loaded.tsx'
import { ToolIcon } from '#web/ui/tool-icon.tsx'

/** `/admin/users/{userId}`: one user with keys, files and ledger. */
export function UserPage() {
  const { userId = '' } = useParams()
  const { data: user, error, refetch } = useQuery(userQuery(userId))
  const list = useListAddress()
  if (!user && error !== null) return <NoUser error={error} onRetry={() => void refetch()} />
  return (
    <>
      <UserHead user={user} list={list} />
      <ColumnGrid template="minmax(0, 380px) minmax(0, 1fr)" below={1080}>
        <Panel title="User">
          {user === undefined ? (
            <SkeletonLines lines={6} what="the user" />
          ) : (
            <EditUserForm key={user._id} user={user} list={list} />
          )}
        </Panel>
        {user && (
          <div className="stack">
            {user.googleId === null && <InvitationLink key={`invite ${userId}`} userId={userId} />}
            <UserUsage userId={userId} />
            <UserKeys key={userId} userId={userId} />
            <UserShares userId={userId} />
            <UserLedger userId={userId} />
            <UsageByDay userId={userId} />
            <UserFiles userId={userId} />
          </div>
        )}
      </ColumnGrid>
    </>
  )
}

function UserHead({ user, list }: { user: AdminUser | undefined; list: string }) {
  const [isDeleting, setIsDeleting] = useState(false)
  const created: unknown = useLocation().state?.created
  const navigate = useNavigate()
  const above = <Link to={list}>Users</Link>
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
          onDeleted={(deleted) => void navigate(list, { state: { deleted } })}
        />
      )}
    </>
  )
}

/** The URL of the list in its last state. */
function useListAddress(): string {
  const { list }: { list?: unknown } = Object(useLocation().state)
  return typeof list === 'string' ? `/admin/users${list}` : '/admin/users'
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
        {isMissing ? 'The user may have been deleted.' : adminReason(error)}
      </Note>
    </>
  )
}

/** `/admin/users`: the list of users. */
export function UsersPage() {
  return (
    <>
      <title>Users · pKdex</title>
      <PageHead title="Users">
        <Flex wrap="wrap" gap="xs">
          <Button component={Link} variant="default" to="/admin/users/import">
            Import users
          </Button>
          <Button component={Link} to="/admin/users/create" leftSection={<ToolIcon name="plus" />}>
            Create New User
          </Button>
        </Flex>
      </PageHead>
      <UserList />
    </>
  )
}

/** `/admin/users/create`: creates a user, then opens its page, on which a key can be created. */
export function CreateUserPage() {
  const navigate = useNavigate()
  return (
    <>
      <title>Create user · pKdex</title>
      <PageHead title="Create New User" above={<Link to="/admin/users">Users</Link>} />
      <Box maw={520}>
        <Panel title="User">
          <CreateUserForm
            onCreated={({ _id, email }) =>
              void navigate(`/admin/users/${_id}`, { state: { created: email } })
            }
          />
        </Panel>
      </Box>
    </>
  )
}

/** `/admin/users/import`: creates many users from one list. */
export function ImportUsersPage() {
  return (
    <>
      <title>Import users · pKdex</title>
      <PageHead
        title="Import Users"
        above={<Link to="/admin/users">Users</Link>}
        below="Create users and add credits from a CSV. All lines are imported, or none."
      />
      <ImportUsers />
    </>
  )
}
