/** `/admin/users/create`: a new user; afterwards the page of that user, where a key can be made. */
import { Link, useNavigate } from 'react-router'
import { CreateUserForm } from '#web/features/admin-users/create-user-form.tsx'
import { PageHead } from '#web/ui/page-head.tsx'
import { Panel } from '#web/ui/panel.tsx'
import classes from './user-page.module.css'

export function CreateUserPage() {
  const navigate = useNavigate()
  return (
    <>
      <title>Create user · pKdex</title>
      <PageHead title="Create New User" above={<Link to="/admin/users">Users</Link>} />
      <div className={classes.single}>
        <Panel title="User">
          <CreateUserForm
            onCreated={({ _id, email }) =>
              void navigate(`/admin/users/${_id}`, { state: { created: email } })
            }
          />
        </Panel>
      </div>
    </>
  )
}
