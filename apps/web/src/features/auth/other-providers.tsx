/** Buttons of the other providers, below the one of Google; loaded only if the server has any. */
import { beginOidc, findOidcSignOut, finishOidc, type OidcFlow } from '@pkdex/contract'
import { useMutation, useQuery } from '@tanstack/react-query'
import { call, reasonOf } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.ts'
import { Note } from '#web/ui/note.tsx'
import { otherProviders } from './google-identity.ts'
import { LAST_PROVIDER, readInvitation, startWithKey } from './session.ts'

/** What this tab keeps while the person is at the provider. */
const STARTED = 'sign-in'

type Started = { provider: string; flow: OidcFlow; invitation?: string }

export function OtherProviders() {
  const providers = otherProviders.useValue()
  const start = useMutation({ mutationFn: goToProvider })
  return (
    <>
      {providers.map((provider) => (
        <Button
          key={provider}
          variant="default"
          size="md"
          fullWidth
          loading={start.isPending && start.variables === provider}
          onClick={() => start.mutate(provider)}
        >
          Sign in with {provider}
        </Button>
      ))}
      <SignOutThere />
      {start.error !== null && <Note tone="failure">{reasonOf(start.error)}</Note>}
    </>
  )
}

/** After Logout the session at the provider goes on; on a shared computer somebody may want to end it. */
function SignOutThere() {
  const provider = localStorage.getItem(LAST_PROVIDER)
  const { data: url } = useQuery({
    queryKey: ['sign-out', provider],
    queryFn: async () =>
      (await call(findOidcSignOut, { body: { provider: provider ?? '' } })).url ?? '',
    enabled: provider !== null,
    retry: false,
  })
  if (url === undefined || url === '') return null
  return (
    <a href={url} onClick={() => localStorage.removeItem(LAST_PROVIDER)}>
      Sign out of {provider}, too
    </a>
  )
}

async function goToProvider(provider: string): Promise<void> {
  const { url, flow } = await call(beginOidc, { body: { provider } })
  const invitation = readInvitation()
  const started: Started = { provider, flow, ...(invitation !== null && { invitation }) }
  sessionStorage.setItem(STARTED, JSON.stringify(started))
  location.assign(url)
}

/** Ends a sign-in that this tab started. What it kept works once. */
export async function finishSignIn(parameters: string): Promise<void> {
  const kept = sessionStorage.getItem(STARTED)
  sessionStorage.removeItem(STARTED)
  if (kept === null) throw new Error('This sign-in was not started in this tab.')
  const started: Started = JSON.parse(kept)
  const { api_key } = await call(finishOidc, { body: { ...started, parameters } })
  await startWithKey(api_key, started.provider)
}
