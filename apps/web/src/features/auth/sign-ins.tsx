/** The accounts that the user signs in with: listed, added at other providers, removed except for the last one. */
import {
  addSignIn,
  type ConnectionConfig,
  listSignIns,
  readConnectionConfig,
  removeSignIn,
  type SignInAccount,
} from '@pkdex/contract'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { call, reasonOf } from '#web/lib/api.ts'
import { formatDay } from '#web/lib/format.ts'
import { readAgain } from '#web/lib/read-again.ts'
import { ErasableTable } from '#web/ui/action-table.tsx'
import { BreakableName } from '#web/ui/breakable-name.tsx'
import { Button } from '#web/ui/button.ts'
import { Loaded } from '#web/ui/loaded.tsx'
import { Announcement, Note } from '#web/ui/note.tsx'
import { Panel } from '#web/ui/panel.tsx'
import table from '#web/ui/table.module.css'
import { loadScript } from './google-identity.ts'
import { addAccountOf } from './provider-flow.ts'
import classes from './sign-ins.module.css'

const signInsQuery = queryOptions({
  queryKey: ['sign-ins'],
  queryFn: ({ signal }) => call(listSignIns, { signal }),
  retry: false,
  // An account is added in another tab.
  refetchOnWindowFocus: 'always',
})

export function SignIns() {
  const query = useQuery(signInsQuery)
  const client = useQueryClient()
  const refresh = () => void readAgain(client, signInsQuery)
  return (
    <Panel title="Sign-in">
      <Loaded
        query={query}
        what="sign-ins"
        failure="Failed to load your sign-ins"
        reasonOf={reasonOf}
        lines={2}
      >
        {({ sign_ins: accounts, providers, google_nonce: nonce }) => (
          <>
            <ErasableTable
              label="Sign-in"
              rows={accounts}
              keyOf={({ id }) => id}
              nameOf={({ provider }) => provider}
              columns={columns}
              erasing={{
                verb: 'Remove',
                text: 'You can then no longer sign in with this account here. Your other sessions end.',
                failure: 'The sign-in was not removed',
                reasonOf,
                call: ({ id }) => call(removeSignIn, { params: { id } }),
                onDone: refresh,
                canErase: () => accounts.length > 1,
              }}
            />
            <AddAccount {...{ providers, nonce, refresh }} />
          </>
        )}
      </Loaded>
    </Panel>
  )
}

type AddAccountProps = { providers: string[]; nonce: string | null; refresh: () => void }

function AddAccount({ providers, nonce, refresh }: AddAccountProps) {
  const add = useMutation({ mutationFn: addAccountOf })
  if (providers.length === 0 && nonce === null) return null
  return (
    <>
      <div className={classes.add}>
        {providers.map((provider) => (
          <Button
            key={provider}
            variant="default"
            loading={add.isPending && add.variables === provider}
            onClick={() => add.mutate(provider)}
          >
            Add {provider}
          </Button>
        ))}
        {nonce !== null && <AddGoogle nonce={nonce} refresh={refresh} />}
      </div>
      {add.error !== null && <Note tone="failure">{reasonOf(add.error)}</Note>}
    </>
  )
}

/** Google's service returns an ID token to the page, so nobody leaves it. */
function AddGoogle({ nonce, refresh }: { nonce: string; refresh: () => void }) {
  const [isOpen, setIsOpen] = useState(false)
  const add = useMutation({
    mutationFn: (id_token: string) => call(addSignIn, { body: { id_token } }),
    // The nonce works once.
    onSettled: refresh,
  })
  const { data: config } = useQuery({
    queryKey: ['sign-in service'],
    queryFn: ({ signal }) => call(readConnectionConfig, { signal }),
    staleTime: Infinity,
  })
  const name = config?.is_stand_in === true ? 'development sign-in' : 'Google'
  return (
    <>
      {isOpen && config !== undefined ? (
        <GoogleButton {...{ nonce, config }} onCredential={add.mutate} />
      ) : (
        <Button variant="default" loading={add.isPending} onClick={() => setIsOpen(true)}>
          Add {name}
        </Button>
      )}
      {add.error !== null && <Note tone="failure">{reasonOf(add.error)}</Note>}
      {add.isSuccess && <Announcement tone="success">{add.data.message}</Announcement>}
    </>
  )
}

type GoogleButtonProps = {
  config: ConnectionConfig
  nonce: string
  onCredential: (idToken: string) => void
}

/** The service's own button: it works wherever a prompt does not appear. */
function GoogleButton({ config, nonce, onCredential }: GoogleButtonProps) {
  const place = useRef<HTMLDivElement>(null)
  const { isSuccess, error } = useQuery({
    queryKey: ['sign-in script', config.script_url],
    queryFn: async () => {
      await loadScript(config.script_url)
      return true
    },
    retry: false,
  })

  useEffect(() => {
    const accounts = window.google?.accounts?.id
    if (!isSuccess || place.current === null || accounts === undefined) return
    accounts.initialize({
      client_id: config.google_client_id,
      nonce,
      callback: ({ credential }) => onCredential(credential),
      context: 'signin',
      ux_mode: 'popup',
      use_fedcm_for_prompt: true,
    })
    place.current.replaceChildren()
    accounts.renderButton?.(place.current, {
      type: 'standard',
      text: 'continue_with',
      locale: 'en',
    })
  }, [isSuccess, config, nonce, onCredential])

  return error === null ? (
    <div ref={place} className={classes.google} />
  ) : (
    <Note tone="failure">{error.message}</Note>
  )
}

const columns = [
  { title: 'Provider', cell: ({ provider }: SignInAccount) => provider },
  {
    title: 'Email',
    className: table.wide,
    cell: ({ email }: SignInAccount) => <BreakableName name={email} />,
  },
  { title: 'Added', cell: ({ added_at: at }: SignInAccount) => formatDay(at) },
]
