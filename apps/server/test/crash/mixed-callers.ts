/** Requests under mixed load. One that is cut off throws a TypeError, one that is refused throws `Refused`. */
import {
  AdminUser,
  ImportedMeasurements,
  listMeasurements,
  listUsers,
  Screen,
  ScreenQuote,
  ScreenRow,
} from '@pkdex/contract'
import { z } from 'zod'
import { answerOf, download, post } from './spawned-server.ts'

export const administrator = { email: 'admin@example.org', password: 'correct horse battery' }

const PAGE = 200
const Token = z.object({ access_token: z.string() })
const Keys = z.object({ keys: z.array(z.object({ id: z.string(), name: z.string() })) })

export type ScreenOrder = { targets: string[]; compounds: string[]; structure?: true }

export function asOwner(url: string, session: string) {
  const headers = { 'API-Key': session }
  const get = async (path: string) => fetch(`${url}${path}`, { headers })
  return {
    get,
    download: (path: string) => download(`${url}${path}`, headers),
    async erase(path: string): Promise<void> {
      await answerOf(await fetch(`${url}${path}`, { method: 'DELETE', headers }))
    },
    /** Repeating it with the same key places no second order. */
    async startScreen(idempotencyKey: string, order: ScreenOrder): Promise<Screen> {
      const { targets, compounds, structure } = order
      const named = { ...headers, 'Idempotency-Key': idempotencyKey }
      return Screen.parse(await post(`${url}/screens`, { targets, compounds, structure }, named))
    },
    async quote({ targets, compounds }: ScreenOrder): Promise<ScreenQuote> {
      return ScreenQuote.parse(await post(`${url}/screens/quote`, { targets, compounds }, headers))
    },
    async screens(): Promise<Screen[]> {
      const answer = await answerOf(await get('/screens?page_size=200'))
      return z.object({ screens: z.array(Screen) }).parse(answer).screens
    },
    async screen(id: string): Promise<Screen> {
      return Screen.parse(await answerOf(await get(`/screens/${id}`)))
    },
    async screenRows(id: string): Promise<ScreenRow[]> {
      const answer = await fetch(`${url}/screens/${id}/results`, {
        headers: { ...headers, Accept: 'application/x-ndjson' },
      })
      if (!answer.ok) await answerOf(answer)
      const lines = (await answer.text()).split('\n').filter((line) => line !== '')
      return lines.map((line) => ScreenRow.parse(JSON.parse(line)))
    },
    async makeKey(name: string): Promise<string> {
      const made = await post(`${url}/account/keys`, { name }, headers)
      return z.object({ key: z.string() }).parse(made).key
    },
    async keys() {
      return Keys.parse(await answerOf(await get('/account/keys'))).keys
    },
    /** pK. */
    async measure(target: string, compound: string, value: number): Promise<void> {
      const order = { target, values: [{ compound, value, unit: 'p' }], replace: true }
      const { rejected } = ImportedMeasurements.parse(
        await post(`${url}/measurements`, order, headers),
      )
      if (rejected.length > 0) throw new Error(`${compound}: ${JSON.stringify(rejected)}`)
    },
    /** pK, keyed by compound. */
    async measured(): Promise<Map<string, number>> {
      const found = new Map<string, number>()
      for (let page = 1; ; page += 1) {
        const answer = await answerOf(await get(`/measurements?page=${page}&page_size=${PAGE}`))
        const { measurements } = listMeasurements.answer.parse(answer)
        for (const { compound, pk } of measurements) found.set(compound, pk)
        if (measurements.length < PAGE) return found
      }
    },
  }
}

export type Owner = ReturnType<typeof asOwner>

/** Returns the token, which outlives the process that issued it. */
export async function signInAdministrator(url: string): Promise<string> {
  const body = { username: administrator.email, password: administrator.password }
  return Token.parse(await post(`${url}/admin/auth/token`, body)).access_token
}

export function asAdministrator(url: string, token: string) {
  const call = async (method: string, path: string, body?: object) => {
    const type: Record<string, string> =
      body === undefined ? {} : { 'content-type': 'application/json' }
    const headers = { Authorization: `Bearer ${token}`, ...type }
    return answerOf(
      await fetch(`${url}${path}`, { method, headers, body: JSON.stringify(body) ?? null }),
    )
  }
  return {
    download: (path: string) => download(`${url}${path}`, { Authorization: `Bearer ${token}` }),
    async setCredits(userId: string, credits: number): Promise<void> {
      await call('PUT', `/admin/users/${userId}/credits?credits=${credits}`)
    },
    async setActive(userId: string, isActive: boolean): Promise<void> {
      await call('PUT', `/admin/users/${userId}`, { is_active: isActive })
    },
    async user(userId: string): Promise<AdminUser> {
      return AdminUser.parse(await call('GET', `/admin/users/${userId}`))
    },
    async idOf(email: string): Promise<string> {
      const found = await call('GET', `/admin/users?search=${encodeURIComponent(email)}`)
      return listUsers.answer.parse(found)[0]?._id ?? ''
    },
  }
}
