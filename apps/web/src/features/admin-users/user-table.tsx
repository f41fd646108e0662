/** The rows of the user list: selecting, sorting, editing, deleting. */
import { type AdminUser, messages, type UserUsage } from '@pkdex/contract'
import { useQuery } from '@tanstack/react-query'
import { Link, useLocation, useNavigate } from 'react-router'
import { Day } from '#web/lib/day.tsx'
import { Button } from '#web/ui/button.ts'
import { RowChoice, SortHeader, StatusDot } from '#web/ui/table.tsx'
import table from '#web/ui/table.module.css'
import { userUsageQuery } from './usage-query.ts'
import classes from './user-list.module.css'
import { type UserListParams, withChange } from './users-query.ts'

/** Ids of the selected users, on any page. */
export type Chosen = { ids: ReadonlySet<string>; onChoose: (ids: Set<string>) => void }

type UserTableProps = {
  users: AdminUser[]
  chosen: Chosen
  params: UserListParams
  /** The rows are the previous ones; the requested ones are loading. */
  isStale: boolean
  onDelete: (user: AdminUser) => void
}

const columns = [
  { sort: 'name', label: 'Name', className: undefined },
  { sort: 'email', label: 'Email', className: undefined },
  { sort: 'credits', label: 'Credits', className: table.number },
] as const

/** The rows of the user list. In a narrow panel a row becomes a card with everything visible. */
export function UserTable({ users, chosen, params, isStale, onDelete }: UserTableProps) {
  const navigate = useNavigate()
  // Loaded separately, so that the list does not wait for it.
  const usage = useQuery(userUsageQuery(users.map(({ _id }) => _id))).data
  const sortBy = (sort: UserListParams['sort']) => ({
    order: params.sort === sort ? params.order : null,
    onSort: () => void navigate(withChange(params, { sort, order: nextOrder(params, sort) })),
  })
  return (
    <table
      className={`${table.table} ${table.stacks} ${classes.users}`}
      aria-label="Users"
      aria-busy={isStale}
    >
      <thead>
        <tr>
          <th scope="col" className={table.choices}>
            <RowChoice
              label="Select all users on this page"
              isChosen={users.every(({ _id }) => chosen.ids.has(_id))}
              onChoose={(isChosen) => choose(chosen, users, isChosen)}
            />
          </th>
          {columns.map(({ sort, label, className }) => (
            <SortHeader key={sort} {...sortBy(sort)} label={label} className={className} />
          ))}
          <th scope="col">Status</th>
          <SortHeader {...sortBy('last_seen')} label="Last seen" className={classes.seen} />
          <th scope="col" className={`${table.number} ${classes.used}`}>
            <span className={classes.twoLines}>
              Predictions <small>30 days</small>
            </span>
          </th>
          <th scope="col">
            <span className="visually-hidden">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody data-stale={isStale}>
        {users.map((user) => (
          <UserRow
            key={user._id}
            user={user}
            usage={usage?.get(user._id)}
            chosen={chosen}
            onDelete={onDelete}
          />
        ))}
      </tbody>
    </table>
  )
}

function choose({ ids, onChoose }: Chosen, users: AdminUser[], isChosen: boolean): void {
  const next = new Set(ids)
  for (const { _id } of users) {
    if (isChosen) next.add(_id)
    else next.delete(_id)
  }
  onChoose(next)
}

/** The first click on "last seen" sorts latest first; on any other column, ascending. */
function nextOrder(params: UserListParams, sort: UserListParams['sort']) {
  if (params.sort !== sort) return sort === 'last_seen' ? 'desc' : 'asc'
  return params.order === 'asc' ? 'desc' : 'asc'
}

type RowProps = Pick<UserTableProps, 'chosen' | 'onDelete'> & {
  user: AdminUser
  /** Not loaded yet. */
  usage: UserUsage | undefined
}

function UserRow({ user, usage, chosen, onDelete }: RowProps) {
  const { search } = useLocation()
  return (
    <tr>
      <td className={table.choices}>
        <RowChoice
          label={`Select ${user.email}`}
          isChosen={chosen.ids.has(user._id)}
          onChoose={(isChosen) => choose(chosen, [user], isChosen)}
        />
      </td>
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
      <td className={`${table.once} ${classes.seen}`} data-label="Seen">
        {usage && <Day at={usage.last_seen_at} />}
      </td>
      <td className={`${table.number} ${classes.used}`} data-label="Predictions">
        {usage?.predictions.toLocaleString('en')}
      </td>
      <td>
        <div className={table.actions}>
          <Button
            component={Link}
            variant="subtle"
            to={`/admin/users/${user._id}`}
            // The link back leads to the list in its current state.
            state={{ list: search }}
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

/** A user's name, or a note that there is none. */
function UserName({ name }: { name: string }) {
  return name === '' ? <span className={classes.noName}>{messages.admin.noName}</span> : name
}
