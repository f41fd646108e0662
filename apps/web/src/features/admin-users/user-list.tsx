/** The user list: search, sorting and page from the URL, rows from the server. */
import { Button } from '#web/ui/button.ts'
import { type AdminUser, messages, SearchText } from '@pkdex/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, Navigate, useLocation, useNavigate, useSearchParams } from 'react-router'
import { adminReason } from '#web/lib/admin-api.ts'
import { largeCountOf } from '#web/lib/format.ts'
import { Announcement } from '#web/ui/note.tsx'
import { Loaded } from '#web/ui/loaded.tsx'
import { Pager } from '#web/ui/pager.tsx'
import { Select } from '#web/ui/field.tsx'
import { SearchField } from '#web/ui/search-field.tsx'
import { SortHeader, StatusDot } from '#web/ui/table.tsx'
import table from '#web/ui/table.module.css'
import { DeleteUserDialog } from './delete-user-dialog.tsx'
import classes from './user-list.module.css'
import {
  PAGE_SIZES,
  readUserListParams,
  type UserListParams,
  type UserPage,
  usersQuery,
  withChange,
} from './users-query.ts'

export function UserList() {
  const [searchParams] = useSearchParams()
  const params = readUserListParams(searchParams)
  const query = useQuery(usersQuery(params))
  const [doomed, setDoomed] = useState<AdminUser | null>(null)
  const [deleted, setDeleted] = useState<string | null>(useLocation().state?.deleted ?? null)

  return (
    <>
      {deleted !== null && (
        <Announcement key={deleted} tone="success" takesFocus>
          {deleted} was deleted.
        </Announcement>
      )}
      <section className={`sheet ${table.sheet}`} aria-label="Users">
        <UserSearch params={params} total={query.data?.total} />
        <Loaded
          query={query}
          what="users"
          failure="Failed to load users"
          reasonOf={adminReason}
          lines={11}
          isFlush
        >
          {(page) => (
            <Page
              page={page}
              params={params}
              isStale={query.isPlaceholderData}
              onDelete={setDoomed}
            />
          )}
        </Loaded>
      </section>
      {doomed !== null && (
        <DeleteUserDialog user={doomed} onClose={() => setDoomed(null)} onDeleted={setDeleted} />
      )}
    </>
  )
}

function UserSearch({ params, total }: { params: UserListParams; total: number | undefined }) {
  const navigate = useNavigate()
  return (
    <div className={table.bar}>
      <SearchField
        label="Search by email or name"
        search={params.search}
        charactersMax={SearchText.unwrap().maxLength}
        onSearch={(search) => {
          const to = withChange(params, { search })
          void navigate(to, { replace: true, preventScrollReset: true })
        }}
      />
      <div className={classes.choices}>
        <Select
          label="Status"
          isLabelHidden
          value={params.status ?? 'all'}
          options={statuses}
          onChange={(status) =>
            void navigate(withChange(params, { status: status === 'all' ? undefined : status }))
          }
        />
        <Select
          label="Users on a page"
          isLabelHidden
          value={`${params.page_size}`}
          options={sizes}
          onChange={(size) =>
            void navigate(withChange(params, { page_size: Number(size) as PageSize }))
          }
        />
      </div>
      <output className="quiet small">{total !== undefined && countOf(total, params)}</output>
    </div>
  )
}

const statuses = [
  { value: 'all', label: 'All users' },
  { value: 'active', label: 'Active' },
  { value: 'inactive', label: 'Inactive' },
] as const

type PageSize = UserListParams['page_size']

const sizes = PAGE_SIZES.map((size) => ({ value: `${size}`, label: `${size} on a page` }))

type PageProps = {
  page: UserPage
  params: UserListParams
  isStale: boolean
  onDelete: (user: AdminUser) => void
}

function Page({ page: { users, total }, params, isStale, onDelete }: PageProps) {
  const lastPage = Math.max(1, Math.ceil(total / params.page_size))
  // The last row of the last page was deleted, or somebody typed a number.
  if (!isStale && params.page > lastPage) {
    return <Navigate to={withChange(params, { page: lastPage })} replace />
  }
  if (total === 0) return <NoUsers params={params} />
  return (
    <>
      <UserTable users={users} params={params} isStale={isStale} onDelete={onDelete} />
      <Pager
        link={Link}
        label="Pages of users"
        page={params.page}
        pageSize={params.page_size}
        total={total}
        hrefOf={(page) => withChange(params, { page })}
      />
    </>
  )
}

function countOf(total: number, params: UserListParams): string {
  const users = largeCountOf(total, 'user')
  return isNarrowed(params) ? `${users} found` : users
}

function isNarrowed({ search, status }: UserListParams): boolean {
  return search !== '' || status !== undefined
}

function NoUsers({ params }: { params: UserListParams }) {
  const { search } = params
  const everybody = withChange(params, { search: '', status: undefined })
  if (!isNarrowed(params)) {
    return (
      <div className={classes.noUsers}>
        <strong>No users yet</strong>
        <p className="quiet">
          People appear here when they first sign in, or when you create them.
        </p>
      </div>
    )
  }
  return (
    <div className={classes.noUsers}>
      <strong>{search === '' ? 'No user has this status' : `No user matches “${search}”`}</strong>
      {search !== '' && <p className="quiet">The search looks in e-mails and names.</p>}
      <Button component={Link} variant="default" to={everybody}>
        {search === '' ? 'All users' : 'Clear search'}
      </Button>
    </div>
  )
}

type UserTableProps = {
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

/** The rows of the user list. In a narrow sheet a row becomes a card with everything in sight. */
function UserTable({ users, params, isStale, onDelete }: UserTableProps) {
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
      <tbody data-stale={isStale}>
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

function UserRow({ user, onDelete }: { user: AdminUser; onDelete: UserTableProps['onDelete'] }) {
  const { search } = useLocation()
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
            // The way back leads to the list as it is now.
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

/** A user's name, or that there is none. */
function UserName({ name }: { name: string }) {
  return name === '' ? <span className={classes.noName}>{messages.admin.noName}</span> : name
}
