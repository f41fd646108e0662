/**
 * Loads the sign-in service named by the server: Google's, or the development identity provider with the same
 * interface. The specification has a message for each way this can fail.
 */
import { type ConnectionConfig, messages, readConnectionConfig } from '@pkdex/contract'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#web/lib/api.ts'
import { createStore } from '#web/lib/store.ts'

/** Names of the other providers, once the server has said which there are. */
export const otherProviders = createStore<string[]>([])

/** The part of Google Identity Services that is used here. */
export type GoogleAccountsId = {
  initialize: (settings: {
    client_id: string
    nonce: string
    callback: (response: { credential: string }) => void
    context: 'signin'
    ux_mode: 'popup'
    use_fedcm_for_prompt: boolean
  }) => void
  prompt: (onMoment?: (moment: PromptMoment) => void) => void
  renderButton?: (parent: HTMLElement, look: Record<string, string | number>) => void
}

/** Under FedCM the browser withholds some of these, so each may be missing. */
export type PromptMoment = {
  isNotDisplayed?: () => boolean
  isSkippedMoment?: () => boolean
}

declare global {
  interface Window {
    google?: { accounts?: { id?: GoogleAccountsId } }
  }
}

export type GoogleIdentity = { config: ConnectionConfig; accounts: GoogleAccountsId }

/** The service could not be loaded; `message` is the specification's. */
class GoogleError extends Error {}

/** Loaded once per visit, and again after a failed login, because a nonce works for one sign-in only. */
export function googleIdentityQuery(onCredential: (idToken: string) => void) {
  return queryOptions({
    queryKey: ['google-identity'],
    queryFn: () => openGoogleIdentity(onCredential),
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
  })
}

let early: Promise<ConnectionConfig> | null = null

/** Requests the service before the screen that needs it is rendered, which saves a second on a slow connection. */
export function fetchGoogleIdentityEarly(): void {
  early = loadService()
  // Errors are reported by the screen that awaits it.
  early.catch(() => undefined)
}

async function openGoogleIdentity(
  onCredential: (idToken: string) => void,
): Promise<GoogleIdentity> {
  const loading = early ?? loadService()
  early = null
  const config = await loading
  const accounts = hasGoogle(config) ? window.google?.accounts?.id : noAccounts
  if (accounts === undefined) throw new GoogleError(messages.login.googleNoAccess)
  try {
    accounts.initialize({
      client_id: config.google_client_id,
      nonce: config.nonce,
      callback: ({ credential }) => onCredential(credential),
      context: 'signin',
      ux_mode: 'popup',
      use_fedcm_for_prompt: true,
    })
  } catch {
    throw new GoogleError(messages.login.googleNoStart)
  }
  return { config, accounts }
}

/** False if the server has other providers only. */
export function hasGoogle({ google_client_id }: ConnectionConfig): boolean {
  return google_client_id !== ''
}

const noAccounts: GoogleAccountsId = { initialize: () => undefined, prompt: () => undefined }

async function loadService(): Promise<ConnectionConfig> {
  const config = await readConfig()
  otherProviders.set(config.providers ?? [])
  if (hasGoogle(config)) await loadScript(config.script_url)
  return config
}

async function readConfig(): Promise<ConnectionConfig> {
  try {
    return await call(readConnectionConfig)
  } catch {
    throw new GoogleError(messages.login.googleNoScript)
  }
}

/** Adds the script to the page once; after a failure the next attempt adds it again. */
export function loadScript(url: string): Promise<void> {
  const address = new URL(url, location.href).href
  const known = [...document.scripts].find((script) => script.src === address)
  if (known?.dataset['state'] === 'loaded') return Promise.resolve()
  known?.remove()
  return new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.src = address
    script.async = true
    script.addEventListener('load', () => {
      script.dataset['state'] = 'loaded'
      resolve()
    })
    script.addEventListener('error', () => {
      reject(new GoogleError(messages.login.googleNoScript))
    })
    document.head.append(script)
  })
}
