/** Buttons of the other providers, below the one of Google; loaded only if the server has any. */
import { findOidcSignOut } from '@pkdex/contract'
import { useMutation, useQuery } from '@tanstack/react-query'
import { call, reasonOf } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.ts'
import { Note } from '#web/ui/note.tsx'
import { otherProviders } from './google-identity.ts'
import { goToProvider } from './provider-flow.ts'
import { readSignedOutOf, readWanted } from './session.ts'

export function OtherProviders() {
  const providers = otherProviders.useValue()
  const start = useMutation({
    // Without the router, whose state it is: the sign-in screen does not wait for it.
    mutationFn: (provider: string) =>
      goToProvider(provider, readWanted(Object(window.history.state).usr)),
  })
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
  const last = readLast()
  const { data: url } = useQuery({
    queryKey: ['sign-out', last],
    queryFn: async () =>
      (await call(findOidcSignOut, { body: last ?? { provider: '' } })).url ?? '',
    enabled: last !== null,
    retry: false,
  })
  if (last === null || url === undefined || url === '') return null
  return <a href={url}>Sign out of {last.provider}, too</a>
}

/** Earlier versions stored the name only. */
function readLast(): { provider: string; id_token?: string } | null {
  const stored = readSignedOutOf()
  if (stored === null) return null
  return stored.startsWith('{') ? JSON.parse(stored) : { provider: stored }
}
