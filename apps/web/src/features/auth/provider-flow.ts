/** Goes to an OpenID Connect provider and comes back: to sign in, or to add its account to those of the user. */
import {
  addSignIn,
  beginOidc,
  beginSignInAccount,
  finishOidc,
  type OidcFlow,
} from '@pkdex/contract'
import { call } from '#web/lib/api.ts'
import { readInvitation, readWanted, startWithKey } from './session.ts'

/** `wanted`: the page that was asked for before. */
type Started = { provider: string; flow: OidcFlow; invitation?: string; wanted?: string }

/** Kept by the tab that signs in, until it returns. */
const STARTED = 'sign-in'
/** Kept for the tab in which an account is added: the page that asked stays open, or its session would end. */
const ADDING = 'sign-in.adding'

export const SIGN_INS_PAGE = '/account?view=account'

export async function goToProvider(provider: string, wanted: string | null): Promise<void> {
  const { url, flow } = await call(beginOidc, { body: { provider } })
  const invitation = readInvitation()
  const started: Started = {
    provider,
    flow,
    ...(invitation !== null && { invitation }),
    ...(wanted !== null && { wanted }),
  }
  sessionStorage.setItem(STARTED, JSON.stringify(started))
  location.assign(url)
}

/** Opens the provider in a new tab, which the browser allows only before the first request. */
export async function addAccountOf(provider: string): Promise<void> {
  const tab = window.open('', '_blank')
  try {
    const { url, flow } = await call(beginSignInAccount, { body: { provider } })
    localStorage.setItem(ADDING, JSON.stringify({ provider, flow }))
    if (tab === null) location.assign(url)
    else tab.location.href = url
  } catch (error) {
    tab?.close()
    throw error
  }
}

/** Ends what this browser started, and returns the page to go on with. What it kept works once. */
export async function finishReturn(parameters: string): Promise<string> {
  const adding = take(localStorage, ADDING, parameters)
  if (adding !== null) {
    const { provider, flow } = adding
    await call(addSignIn, { body: { provider, flow, parameters } })
    return SIGN_INS_PAGE
  }
  const started = take(sessionStorage, STARTED, parameters)
  if (started === null) throw new Error('This sign-in was not started in this tab.')
  const { wanted, ...returned } = started
  const { api_key, id_token } = await call(finishOidc, { body: { ...returned, parameters } })
  await startWithKey(api_key, JSON.stringify({ provider: started.provider, id_token }))
  return readWanted({ wanted }) ?? '/prompt'
}

/** Null if this return belongs to something else. */
function take(storage: Storage, name: string, parameters: string): Started | null {
  const kept = storage.getItem(name)
  if (kept === null) return null
  const started: Started = JSON.parse(kept)
  if (new URLSearchParams(parameters).get('state') !== started.flow.state) return null
  storage.removeItem(name)
  return started
}
