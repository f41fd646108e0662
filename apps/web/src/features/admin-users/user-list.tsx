/** The user list: search, sorting and page from the URL, rows from the server. */
import { Button } from '@mantine/core'
import { type AdminUser, SearchText, USERS_PAGE_SIZE } from '@pkdex/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, Navigate, useLocation, useNavigate, useSearchParams } from 'react-router'
import { adminReason } from '#web/lib/admin-api.ts'
import { Announcement } from '#web/ui/announcement.tsx'
import { Loaded } from '#web/ui/loaded.tsx'
import { Pager } from '#web/ui/pager.tsx'
import { SearchField } from '#web/ui/search-field.tsx'
import { DeleteUserDialog } from './delete-user-dialog.tsx'
import { readUserListParams, type UserListParams, withChange } from './user-list-params.ts'
import { UserTable } from './user-table.tsx'
import { type UserPage, usersQuery } from './users-query.ts'
import table from '#web/ui/table.module.css'
import classes from './user-list.module.css'

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
      <output className="quiet small">
        {total !== undefined && countOf(total, params.search)}
      </output>
    </div>
  )
}

type PageProps = {
  page: UserPage
  params: UserListParams
  isStale: boolean
  onDelete: (user: AdminUser) => void
}

function Page({ page: { users, total }, params, isStale, onDelete }: PageProps) {
  const lastPage = Math.max(1, Math.ceil(total / USERS_PAGE_SIZE))
  // The last row of the last page was deleted, or somebody typed a number.
  if (!isStale && params.page > lastPage) {
    return <Navigate to={withChange(params, { page: lastPage })} replace />
  }
  if (total === 0) return <NoUsers params={params} />
  return (
    <>
      <UserTable users={users} params={params} isStale={isStale} onDelete={onDelete} />
      <Pager
        label="Pages of users"
        page={params.page}
        pageSize={USERS_PAGE_SIZE}
        total={total}
        hrefOf={(page) => withChange(params, { page })}
      />
    </>
  )
}

function countOf(total: number, search: string): string {
  const users = `${total.toLocaleString('en')} ${total === 1 ? 'user' : 'users'}`
  return search === '' ? users : `${users} found`
}

function NoUsers({ params }: { params: UserListParams }) {
  const isSearch = params.search !== ''
  return (
    <div className={classes.none}>
      <strong>{isSearch ? `No user matches “${params.search}”` : 'No users yet'}</strong>
      <p className="quiet">
        {isSearch
          ? 'The search looks in e-mails and names.'
          : 'People appear here when they first sign in, or when you create them.'}
      </p>
      {isSearch && (
        <Button component={Link} variant="default" to={withChange(params, { search: '' })}>
          Clear search
        </Button>
      )}
    </div>
  )
}
