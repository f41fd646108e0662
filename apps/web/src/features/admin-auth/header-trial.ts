/** Sends the same call with every combination of the admin headers, and tells what each answered. */
import { ADMIN_EMAIL_HEADER, ADMIN_KEY_HEADER, listUsers, readDatabaseStats } from '@pkdex/contract'
import { openAdmin } from '#web/lib/admin-api.ts'
import { type AdminCredentials, readAdminCredentials } from '#web/lib/admin-credentials.ts'
import { ApiError } from '#web/lib/api.ts'

export type Trial = { headers: string; users: string; stats: string }

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

/** One after the other, so that the server's log can be read beside the table. */
export async function tryHeaders(): Promise<Trial[]> {
  const stored = readAdminCredentials()
  const trials: Trial[] = []
  for (const parts of combinations) {
    const headers = parts.map((part) => names[part]).join(' + ') || 'none'
    const missing = parts.filter((part) => stored[part] === null)
    if (missing.length > 0) {
      const text = `not sent: there is no ${missing.map((part) => names[part]).join(' and no ')}`
      trials.push({ headers, users: text, stats: text })
      continue
    }
    const credentials = only(parts, stored)
    const users = await outcomeOf(
      openAdmin(listUsers, { credentials, query: { page: 1, page_size: 1 } }),
    )
    const stats = await outcomeOf(openAdmin(readDatabaseStats, { credentials }))
    trials.push({ headers, users, stats })
  }
  return trials
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
    if (!(error instanceof ApiError) || error.status === 0) return 'no answer'
    return error.serverMessage === null ? error.message : `${error.status} ${error.serverMessage}`
  }
}
