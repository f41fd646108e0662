/** The rows of the user list: selecting, sorting, editing, deleting. */
import { type AdminUser, messages, type UserUsage } from '@pkdex/contract'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import { adminReason } from '#web/lib/admin-api.ts'
import { Day } from '#web/lib/day.tsx'
import { Button } from '#web/ui/button.ts'
import { type Column, PagedTable } from '#web/ui/data-table.tsx'
import { RowChoice, StatusDot } from '#web/ui/table.tsx'
import table from '#web/ui/table.module.css'
import { userUsageQuery } from './usage-query.ts'
import classes from './user-list.module.css'
import { type UserListParams, type UserPage, withChange } from './users-query.ts'

/** Ids of the selected users, on any page. */
export type Chosen = { ids: ReadonlySet<string>; onChoose: (ids: Set<string>) => void }

type UserTableProps = {
  query: UseQueryResult<UserPage>
  chosen: Chosen
  params: UserListParams
  onDelete: (user: AdminUser) => void
  empty: ReactNode
}

/** The rows of the user list. In a narrow panel a row becomes a card with everything visible. */
export function UserTable({ query, chosen, params, onDelete, empty }: UserTableProps) {
  const users = query.data?.users ?? []
  const navigate = useNavigate()
  // Loaded separately, so that the list does not wait for it.
  const usage = useQuery(userUsageQuery(users.map(({ _id }) => _id))).data
  const sortBy = (sort: UserListParams['sort']) => ({
    order: params.sort === sort ? params.order : null,
    onSort: () => void navigate(withChange(params, { sort, order: nextOrder(params, sort) })),
  })
  const { search } = useLocation()
  const columns = [
    choiceColumn(users, chosen),
    ...dataColumns(sortBy, usage),
    actionsColumn(search, onDelete),
  ]
  return (
    <PagedTable
      query={query}
      what="users"
      failure="Failed to load users"
      reasonOf={adminReason}
      lines={11}
      isFlush
      label="Users"
      columns={columns}
      keyOf={({ _id }) => _id}
      className={classes.users}
      pageOf={(page) => ({ rows: page.users, total: page.total })}
      paging={{
        page: params.page,
        pageSize: params.page_size,
        hrefOf: (page) => withChange(params, { page }),
      }}
      empty={empty}
    />
  )
}

function choiceColumn(users: AdminUser[], chosen: Chosen): Column<AdminUser> {
  return {
    title: 'Selected',
    heading: (
      <RowChoice
        label="Select all users on this page"
        isChosen={users.every(({ _id }) => chosen.ids.has(_id))}
        onChoose={(isChosen) => choose(chosen, users, isChosen)}
      />
    ),
    className: table.choices,
    cell: (user) => (
      <RowChoice
        label={`Select ${user.email}`}
        isChosen={chosen.ids.has(user._id)}
        onChoose={(isChosen) => choose(chosen, [user], isChosen)}
      />
    ),
  }
}

type SortBy = (sort: UserListParams['sort']) => NonNullable<Column<AdminUser>['sort']>

function dataColumns(
  sortBy: SortBy,
  usage: Map<string, UserUsage> | undefined,
): Column<AdminUser>[] {
  return [
    {
      title: 'Name',
      sort: sortBy('name'),
      cellClass: classes.name,
      cell: ({ name }) => <UserName name={name} />,
    },
    {
      title: 'Email',
      sort: sortBy('email'),
      cellClass: classes.email,
      cell: ({ email }) => email,
    },
    {
      title: 'Credits',
      sort: sortBy('credits'),
      label: true,
      isNumber: true,
      cellClass: classes.credits,
      cell: ({ credits }) => credits.toLocaleString('en'),
    },
    {
      title: 'Status',
      cellClass: classes.status,
      cell: ({ is_active: isActive }) => (
        <StatusDot isOn={isActive}>{isActive ? 'Active' : 'Inactive'}</StatusDot>
      ),
    },
    {
      title: 'Last seen',
      sort: sortBy('last_seen'),
      label: 'Seen',
      className: classes.seen,
      cellClass: table.once,
      cell: ({ _id }) => {
        const seen = usage?.get(_id)
        return seen && <Day at={seen.last_seen_at} />
      },
    },
    {
      title: 'Predictions',
      heading: (
        <span className={classes.twoLines}>
          Predictions <small>30 days</small>
        </span>
      ),
      label: true,
      isNumber: true,
      className: classes.used,
      cell: ({ _id }) => usage?.get(_id)?.predictions.toLocaleString('en'),
    },
  ]
}

function actionsColumn(search: string, onDelete: (user: AdminUser) => void): Column<AdminUser> {
  return {
    title: 'Actions',
    heading: null,
    cell: (user) => (
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
    ),
  }
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

/** A user's name, or a note that there is none. */
function UserName({ name }: { name: string }) {
  return name === '' ? <span className={classes.noName}>{messages.admin.noName}</span> : name
}
