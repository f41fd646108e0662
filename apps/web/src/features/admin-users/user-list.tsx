/** The user list: search, sorting and page from the URL, rows from the server. */
import { Flex } from '#web/ui/layout.ts'
import { Button } from '#web/ui/button.ts'
import { type AdminUser, SEARCH_CHARACTERS_MAX, SEVERAL_USERS_MAX } from '@pkdex/contract'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useLocation, useNavigate, useSearchParams } from 'react-router'
import { adminReason } from '#web/lib/admin-api.ts'
import { largeCountOf } from '#web/lib/format.ts'
import { Announcement } from '#web/ui/note.tsx'
import { Select } from '#web/ui/field.tsx'
import { SearchField } from '#web/ui/search-field.tsx'
import table from '#web/ui/table.module.css'
import { ChosenUsers } from './chosen-users.tsx'
import { DeleteUserDialog } from './delete-user-dialog.tsx'
import classes from './user-list.module.css'
import { type Chosen, UserTable } from './user-table.tsx'
import {
  PAGE_SIZES,
  readMatchingIds,
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
  const [toDelete, setToDelete] = useState<AdminUser | null>(null)
  const { deleted } = Object(useLocation().state)
  const [done, setDone] = useState<string | null>(deleted ? sayDeleted(deleted) : null)
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  const chosen = { ids, onChoose: setIds }

  function showDone(sentence: string) {
    setDone(sentence)
    setIds(new Set())
  }

  return (
    <>
      {done !== null && (
        <Announcement key={done} tone="success" takesFocus>
          {done}
        </Announcement>
      )}
      <section className={`sheet ${table.sheet}`} aria-label="Users">
        <UserSearch params={params} total={query.data?.total} />
        {ids.size > 0 && (
          <ChosenUsers userIds={[...ids]} onClear={() => setIds(new Set())} onDone={showDone}>
            <SelectMatching {...{ params, chosen }} page={query.data} />
          </ChosenUsers>
        )}
        <UserTable
          query={query}
          params={params}
          chosen={chosen}
          onDelete={setToDelete}
          empty={<NoUsers params={params} />}
        />
      </section>
      {toDelete !== null && (
        <DeleteUserDialog
          user={toDelete}
          onClose={() => setToDelete(null)}
          onDeleted={(email) => showDone(sayDeleted(email))}
        />
      )}
    </>
  )
}

type MatchingProps = { params: UserListParams; page: UserPage | undefined; chosen: Chosen }

/** Once a whole page is selected, offers all users that match search and status, up to the number that can be changed together. */
function SelectMatching({ params, page, chosen: { ids, onChoose } }: MatchingProps) {
  const readAll = useMutation({
    mutationFn: () => readMatchingIds(params),
    onSuccess: (matching) => onChoose(new Set([...ids, ...matching])),
  })
  if (page === undefined || page.total <= ids.size) return null
  if (!page.users.every(({ _id }) => ids.has(_id))) return null
  if (page.total > SEVERAL_USERS_MAX) {
    const most = largeCountOf(SEVERAL_USERS_MAX, 'user')
    return <span>{`Up to ${most} can be selected; ${page.total.toLocaleString('en')} match.`}</span>
  }
  return (
    <>
      <Button variant="subtle" loading={readAll.isPending} onClick={() => readAll.mutate()}>
        {`Select all ${largeCountOf(page.total, 'user')}`}
      </Button>
      {readAll.isError && <span role="alert">{adminReason(readAll.error)}</span>}
    </>
  )
}

function sayDeleted(email: string): string {
  return `${email} was deleted.`
}

function UserSearch({ params, total }: { params: UserListParams; total: number | undefined }) {
  const navigate = useNavigate()
  return (
    <div className={table.bar}>
      <SearchField
        label="Search by email or name"
        search={params.search}
        charactersMax={SEARCH_CHARACTERS_MAX}
        onSearch={(search) => {
          const to = withChange(params, { search })
          void navigate(to, { replace: true, preventScrollReset: true })
        }}
      />
      <Flex wrap="wrap" gap="xs" mr="auto">
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
          label="Users per page"
          isLabelHidden
          value={`${params.page_size}`}
          options={sizes}
          onChange={(size) =>
            void navigate(withChange(params, { page_size: Number(size) as PageSize }))
          }
        />
      </Flex>
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

const sizes = PAGE_SIZES.map((size) => ({ value: `${size}`, label: `${size} per page` }))

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
          Users appear here after their first sign-in, or when you create them.
        </p>
      </div>
    )
  }
  return (
    <div className={classes.noUsers}>
      <strong>{search === '' ? 'No users with this status' : `No matches for “${search}”`}</strong>
      {search !== '' && <p className="quiet">Search covers emails and names.</p>}
      <Button component={Link} variant="default" to={everybody}>
        {search === '' ? 'All users' : 'Clear search'}
      </Button>
    </div>
  )
}
