/** The rows of the user list. In a narrow sheet a row becomes a card with everything in sight. */
import { Button } from '@mantine/core'
import type { AdminUser } from '@pkdex/contract'
import { Link, useNavigate } from 'react-router'
import { SortHeader } from '#web/ui/sort-header.tsx'
import { StatusDot } from '#web/ui/status-dot.tsx'
import table from '#web/ui/table.module.css'
import { type UserListParams, withChange } from './user-list-params.ts'
import { UserName } from './user-name.tsx'
import classes from './user-table.module.css'

type Props = {
  users: AdminUser[]
  params: UserListParams
  /** These rows are the ones before; the asked-for ones are on their way. */
  isStale: boolean
  onDelete: (user: AdminUser) => void
}

const columns = [
  { sort: 'name', label: 'Name', className: undefined },
  { sort: 'email', label: 'Email', className: undefined },
  { sort: 'credits', label: 'Credits', className: table.number },
] as const

export function UserTable({ users, params, isStale, onDelete }: Props) {
  const navigate = useNavigate()
  return (
    <table
      className={`${table.table} ${table.stacks} ${classes.users}`}
      aria-label="Users"
      aria-busy={isStale}
    >
      <thead>
        <tr>
          {columns.map(({ sort, label, className }) => (
            <SortHeader
              key={sort}
              label={label}
              className={className}
              order={params.sort === sort ? params.order : null}
              onSort={() =>
                void navigate(withChange(params, { sort, order: nextOrder(params, sort) }))
              }
            />
          ))}
          <th scope="col">Status</th>
          <th scope="col">
            <span className="visually-hidden">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody className={isStale ? table.stale : undefined}>
        {users.map((user) => (
          <UserRow key={user._id} user={user} onDelete={onDelete} />
        ))}
      </tbody>
    </table>
  )
}

function nextOrder(params: UserListParams, sort: UserListParams['sort']) {
  return params.sort === sort && params.order === 'asc' ? 'desc' : 'asc'
}

function UserRow({ user, onDelete }: { user: AdminUser; onDelete: Props['onDelete'] }) {
  return (
    <tr>
      <td className={classes.name}>
        <UserName name={user.name} />
      </td>
      <td className={classes.email}>{user.email}</td>
      <td className={`${table.number} ${classes.credits}`} data-label="Credits">
        {user.credits.toLocaleString('en')}
      </td>
      <td className={classes.status}>
        <StatusDot isOn={user.is_active}>{user.is_active ? 'Active' : 'Inactive'}</StatusDot>
      </td>
      <td>
        <div className={table.actions}>
          <Button
            component={Link}
            variant="subtle"
            to={`/admin/users/${user._id}`}
            aria-label={`Edit ${user.email}`}
          >
            Edit
          </Button>
          <Button
            variant="subtle"
            color="gray"
            aria-label={`Delete ${user.email}`}
            onClick={() => onDelete(user)}
          >
            Delete
          </Button>
        </div>
      </td>
    </tr>
  )
}
