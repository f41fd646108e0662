/** The Debug Auth Test: which combinations of admin headers the server accepts, with each response. */
import { Button } from '#web/ui/button.ts'
import { ADMIN_EMAIL_HEADER, ADMIN_KEY_HEADER, listUsers, readDatabaseStats } from '@pkdex/contract'
import { useMutation } from '@tanstack/react-query'
import { type AdminCredentials, openAdmin } from '#web/lib/admin-api.ts'
import { ApiError } from '#web/lib/api.ts'
import { type Column, DataTable } from '#web/ui/data-table.tsx'
import { Panel } from '#web/ui/panel.tsx'
import table from '#web/ui/table.module.css'
import { readAdminCredentials } from './admin-credentials.ts'

export function DebugAuthTest() {
  const { mutate, data, isPending } = useMutation({ mutationFn: tryHeaderCombinations })
  return (
    <Panel
      title="Debug test"
      isFlush={data !== undefined}
      action={
        <Button variant="default" loading={isPending} onClick={() => mutate()}>
          Run Debug Test
        </Button>
      }
    >
      {data === undefined ? (
        <p className="quiet">
          Sends two requests with each combination of headers and shows the responses.
        </p>
      ) : (
        <DataTable
          label="Responses"
          rows={data}
          keyOf={({ headers }) => headers}
          columns={columns}
        />
      )}
    </Panel>
  )
}

const columns: Column<Outcome>[] = [
  { title: 'Headers', cellClass: `mono ${table.wide}`, cell: ({ headers }) => headers },
  {
    title: 'GET /admin/users',
    label: 'Users:',
    cellClass: table.wide,
    cell: ({ users }) => users,
  },
  {
    title: 'GET /admin/database/stats',
    label: 'Stats:',
    cellClass: table.wide,
    cell: ({ stats }) => stats,
  },
]

type Outcome = { headers: string; users: string; stats: string }

type Part = keyof AdminCredentials

const names: Record<Part, string> = {
  token: 'Authorization: Bearer',
  apiKey: ADMIN_KEY_HEADER,
  email: ADMIN_EMAIL_HEADER,
}
const combinations: Part[][] = [
  ['token', 'email'],
  ['token'],
  ['apiKey', 'email'],
  ['apiKey'],
  ['token', 'apiKey', 'email'],
  ['email'],
  [],
]

/** One after the other, so that the server log matches the table. */
async function tryHeaderCombinations(): Promise<Outcome[]> {
  const stored = readAdminCredentials()
  const outcomes: Outcome[] = []
  for (const parts of combinations) {
    const headers = parts.map((part) => names[part]).join(' + ') || 'none'
    const missing = parts.filter((part) => stored[part] === null)
    if (missing.length > 0) {
      const text = `not sent: missing ${missing.map((part) => names[part]).join(' or ')}`
      outcomes.push({ headers, users: text, stats: text })
      continue
    }
    const credentials = only(parts, stored)
    const users = await outcomeOf(
      openAdmin(listUsers, { credentials, query: { page: 1, page_size: 1 } }),
    )
    const stats = await outcomeOf(openAdmin(readDatabaseStats, { credentials }))
    outcomes.push({ headers, users, stats })
  }
  return outcomes
}

function only(parts: Part[], stored: AdminCredentials): AdminCredentials {
  const pick = (part: Part) => (parts.includes(part) ? stored[part] : null)
  return { token: pick('token'), apiKey: pick('apiKey'), email: pick('email') }
}

async function outcomeOf(sending: Promise<Response>): Promise<string> {
  try {
    const response = await sending
    await response.body?.cancel()
    return `${response.status} ${response.statusText}`.trim()
  } catch (error) {
    if (!(error instanceof ApiError) || error.status === 0) return 'no response'
    return error.serverMessage === null ? error.message : `${error.status} ${error.serverMessage}`
  }
}
