import { chooseChain, listTargets, readCredits, readTargetPreview } from '@pkdex/contract'
import { expect, test } from 'vitest'
import { ZodError } from 'zod'
import { refuse, serveCalls } from '#web/test/calls.ts'
import { ApiError, call, isRefused, messageOf } from './api.ts'
import { readPageId, storeKey } from '#web/features/auth/session-key.ts'

test('SPEC 7.11: a request carries the stored key as API-Key, and the page id', async () => {
  storeKey('pk-1')
  const calls = serveCalls({ 'GET /dta/credits': () => Response.json({ credits: 97 }) })
  await expect(call(readCredits)).resolves.toEqual({ credits: 97 })
  expect(calls[0]?.headers.get('API-Key')).toBe('pk-1')
  expect(calls[0]?.headers.get('X-Page-Id')).toBe(readPageId())
})

test('names with slashes, spaces and percent signs stay one path segment', async () => {
  const calls = serveCalls({})
  const params = { name: 'a/b 50% (2)' }
  await call(readTargetPreview, { params, query: { theme: 'dark' } }).catch(() => undefined)
  await call(chooseChain, { params, body: { chain: 'B' } }).catch(() => undefined)
  expect(calls.map(({ name }) => name)).toEqual([
    'GET /visualization/protein/a%2Fb%2050%25%20(2)?theme=dark',
    'PUT /file_manager/targets/a%2Fb%2050%25%20(2)/chain',
  ])
})

test('a refusal has the server’s message, its status and its code', async () => {
  serveCalls({ 'GET /dta/credits': () => refuse(402, 'You have no credits left.') })
  const error = await call(readCredits).catch((reason: unknown) => reason)
  expect(error).toMatchObject({ status: 402, code: 'test', message: 'You have no credits left.' })
  expect(messageOf(error, 'otherwise')).toBe('You have no credits left.')
})

test('a refusal without a message leaves it to the screen', async () => {
  serveCalls({ 'GET /dta/credits': () => refuse(500) })
  const error = await call(readCredits).catch((reason: unknown) => reason)
  expect(messageOf(error, 'Failed to fetch credits')).toBe('Failed to fetch credits')
})

test('a server that does not respond is distinguished from one that refuses', async () => {
  serveCalls({})
  const error = await call(readCredits).catch((reason: unknown) => reason)
  expect(error).toMatchObject({ status: 0, code: 'unreachable' })
  expect(isRefused(error)).toBe(false)
  expect(isRefused(new ApiError(403, 'forbidden', 'no'))).toBe(true)
})

test('a response that does not fit the contract is rejected', async () => {
  serveCalls({ 'GET /dta/get_protein_names': () => Response.json({ names: [] }) })
  await expect(call(listTargets)).rejects.toThrow(ZodError)
})
