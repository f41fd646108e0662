/** Everybody who may try to read a shared screen besides its owner, and what they are expected to get. */
import { shareScreen } from '@pkdex/contract'
import { openTestAdministrator, openTestSession, type TestSession } from './factories.ts'
import type { TestProduct } from './open-test-product.ts'

type Viewer = { headers: Record<string, string>; expected: number | 'let in' }

export async function openViewers(
  t: TestProduct,
  { owner, stranger, screenId }: { owner: TestSession; stranger: TestSession; screenId: string },
): Promise<Record<string, Viewer>> {
  const now = t.clock.now()
  const url = `/screens/${screenId}/shares`
  const share = async (email: string | null) =>
    shareScreen.answer.parse(
      (
        await t.app.inject({ method: 'POST', url, headers: owner.headers, payload: { email } })
      ).json(),
    ).shares
  const open = () => openTestSession(t.db, { now })
  const [viewer, former, deactivated] = [await open(), await open(), await open()]
  await share(viewer.email.toUpperCase())
  await share(deactivated.email)
  const ended = (await share(former.email)).find(({ email }) => email === former.email)
  const { headers } = owner
  await t.app.inject({ method: 'DELETE', url: `${url}/${ended?.id}`, headers })
  const administrator = await openTestAdministrator(t.db, now)
  const admin = { headers: administrator.headers }
  const ofViewer = `/admin/users/${viewer.userId}/api-key`
  const { key } = (await t.app.inject({ ...admin, method: 'POST', url: ofViewer })).json()
  await t.app.inject({
    ...admin,
    method: 'PUT',
    url: `/admin/users/${deactivated.userId}`,
    payload: { is_active: false },
  })
  return {
    'by email': { headers: viewer.headers, expected: 'let in' },
    'by email with a key': { headers: { 'api-key': key }, expected: 'let in' },
    stranger: { headers: stranger.headers, expected: 404 },
    former: { headers: former.headers, expected: 404 },
    deactivated: { headers: deactivated.headers, expected: 403 },
    administrator: { headers: administrator.headers, expected: 401 },
  }
}
