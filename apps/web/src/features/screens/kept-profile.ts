/** The profile edited last, stored in this browser for the next screen and the next session. */
import { readProfile } from '@pkdex/contract'

const KEPT_AS = 'screen-profile'

/** Empty if there is none. */
export function readKeptProfile(): string {
  const stored = localStorage.getItem(KEPT_AS) ?? ''
  return readProfile(stored) === null ? '' : stored
}

export function keepProfile(profile: string): void {
  if (profile === '') localStorage.removeItem(KEPT_AS)
  else localStorage.setItem(KEPT_AS, profile)
}
