/** Administrator credentials in browser storage, until logout or expiry. */
import { type AdminCredentials, noCredentials } from '#web/lib/admin-api.ts'

const TOKEN = 'admin-token'
const API_KEY = 'admin-api-key'
const EMAIL = 'admin-email'

export function readAdminCredentials(): AdminCredentials {
  return {
    token: localStorage.getItem(TOKEN),
    apiKey: localStorage.getItem(API_KEY),
    email: localStorage.getItem(EMAIL),
  }
}

export function storeAdminCredentials({ token, apiKey, email }: AdminCredentials): void {
  store(EMAIL, email)
  store(API_KEY, apiKey)
  // Last, because other tabs watch it.
  store(TOKEN, token)
}

export function dropAdminCredentials(): void {
  storeAdminCredentials(noCredentials)
}

/** An email alone does not authenticate. */
export function hasAdminCredentials({ token, apiKey }: AdminCredentials): boolean {
  return token !== null || apiKey !== null
}

/** Whether another tab has signed in or out, from the browser's storage event. */
export function isAdminCredentialChange(event: StorageEvent): boolean {
  return event.key === TOKEN || event.key === null
}

function store(name: string, value: string | null): void {
  if (value === null) localStorage.removeItem(name)
  else localStorage.setItem(name, value)
}
