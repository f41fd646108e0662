/** Everyone who may or may not look at a shared screen, and what a request of theirs gets. */
import { shareScreen } from '@pkdex/contract'
import { openTestAdministrator, openTestSession, type TestSession } from './factories.ts'
import type { TestProduct } from './open-test-product.ts'

type Sharing = { owner: TestSession; stranger: TestSession; screenId: string }
type Viewers = Record<string, { headers: Record<string, string>; expected: number | 'let in' }>

/** A screen that is shared by email. */
export async function openViewers(t: TestProduct, { owner, stranger, screenId }: Sharing) {
  const [viewer, former] = [await open(t), await open(t)]
  const share = (email: string) => shareAs(t, owner, { screenId, email })
  const { deactivated, deactivate, key, administrator } = await openOthers(t, viewer)
  await share(viewer.email.toUpperCase())
  await share(deactivated.email)
  const ended = (await share(former.email)).find(({ email }) => email === former.email)
  await end(t, owner, { screenId, shareId: ended?.id })
  await deactivate()
  return {
    'by email': { headers: viewer.headers, expected: 'let in' },
    'by email with a key': { headers: { 'api-key': key }, expected: 'let in' },
    stranger: { headers: stranger.headers, expected: 404 },
    former: { headers: former.headers, expected: 404 },
    deactivated: { headers: deactivated.headers, expected: 403 },
    administrator: { headers: administrator.headers, expected: 401 },
  } satisfies Viewers
}

/** A screen that is shared with everyone who is signed in and has the link. */
export async function openLinkViewers(t: TestProduct, { owner, stranger, screenId }: Sharing) {
  const viewer = await open(t)
  const { deactivated, deactivate, key, administrator } = await openOthers(t, viewer)
  await shareAs(t, owner, { screenId, email: null })
  await deactivate()
  return {
    'by link': { headers: viewer.headers, expected: 'let in' },
    'by link with a key': { headers: { 'api-key': key }, expected: 'let in' },
    'a stranger with the link': { headers: stranger.headers, expected: 'let in' },
    'not signed in': { headers: {}, expected: 401 },
    deactivated: { headers: deactivated.headers, expected: 403 },
    administrator: { headers: administrator.headers, expected: 401 },
  } satisfies Viewers
}

const open = (t: TestProduct) => openTestSession(t.db, { now: t.clock.now() })

/** A key of the viewer, an account that will be deactivated, and an administrator. */
async function openOthers(t: TestProduct, viewer: TestSession) {
  const deactivated = await open(t)
  const administrator = await openTestAdministrator(t.db, t.clock.now())
  const admin = (method: 'POST' | 'PUT', url: string, payload?: object) =>
    t.app.inject({ method, url, headers: administrator.headers, ...(payload && { payload }) })
  const { key } = (await admin('POST', `/admin/users/${viewer.userId}/api-key`)).json()
  const deactivate = () => admin('PUT', `/admin/users/${deactivated.userId}`, { is_active: false })
  return { deactivated, deactivate, key: String(key), administrator }
}

async function shareAs(
  t: TestProduct,
  { headers }: TestSession,
  { screenId, email }: { screenId: string; email: string | null },
) {
  const url = `/screens/${screenId}/shares`
  const answer = await t.app.inject({ method: 'POST', url, headers, payload: { email } })
  return shareScreen.answer.parse(answer.json()).shares
}

async function end(
  t: TestProduct,
  { headers }: TestSession,
  { screenId, shareId = '' }: { screenId: string; shareId: string | undefined },
) {
  await t.app.inject({ method: 'DELETE', url: `/screens/${screenId}/shares/${shareId}`, headers })
}
