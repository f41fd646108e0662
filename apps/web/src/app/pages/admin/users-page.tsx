/** `/admin/users`: who may work here. */
import { Button } from '@mantine/core'
import { Link } from 'react-router'
import { UserList } from '#web/features/admin-users/user-list.tsx'
import { PageHead } from '#web/ui/page-head.tsx'
import { ToolIcon } from '#web/ui/tool-icon.tsx'

export function UsersPage() {
  return (
    <>
      <title>Users · pKdex</title>
      <PageHead title="Users">
        <Button component={Link} to="/admin/users/create" leftSection={<ToolIcon name="plus" />}>
          Create New User
        </Button>
      </PageHead>
      <UserList />
    </>
  )
}
