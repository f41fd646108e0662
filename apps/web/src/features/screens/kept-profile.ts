/** The profile edited last, stored in this browser: another screen offers it. */
import { readProfile } from '@pkdex/contract'

const KEPT_AS = 'screen-profile'

/** Empty if there is none. */
export function readKeptProfile(): string {
  const stored = localStorage.getItem(KEPT_AS) ?? ''
  return readProfile(stored) === null ? '' : stored
}

export function keepProfile(profile: string): void {
  localStorage.setItem(KEPT_AS, profile)
}
