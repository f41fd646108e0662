import { expect, test } from 'vitest'
import { describeSignUp } from './run-process.ts'
import { readConfig } from './settings.ts'

const google = { GOOGLE_CLIENT_ID: 'client' }
const lab = {
  PUBLIC_URL: 'https://pkdex.example',
  OIDC_PROVIDERS: '[{"name":"Lab","issuer":"https://id.example","client_id":"pkdex"}]',
}

test.each([
  [google, 'Anyone with an account at Google may sign up (SIGN_UP=open).'],
  [lab, 'Anyone with an account at Lab may sign up (SIGN_UP=open).'],
  [{ ...google, ...lab }, 'Anyone with an account at Google or Lab may sign up (SIGN_UP=open).'],
  [
    { ...lab, SIGN_UP: 'invited' },
    'Only people invited by an administrator may sign up (SIGN_UP=invited).',
  ],
  [
    { ...google, SIGN_UP_DOMAINS: 'uni.example' },
    'Anyone with an account at Google and an address of uni.example may sign up (SIGN_UP_DOMAINS); others by invitation.',
  ],
])('SPEC 25.4: the start prints who can sign up: %j', (environment, sentence) => {
  expect(describeSignUp(readConfig(environment))).toBe(sentence)
})
