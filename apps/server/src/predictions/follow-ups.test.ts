import { PairsAnswer, Screen } from '@pkdex/contract'
import { afterAll, expect, test } from 'vitest'
import { openTestParsing } from '#test/open-test-files.ts'
import { openTestPredictions } from '#test/open-test-predictions.ts'
import { openTestSession } from '#test/factories.ts'
import type { TestScreenUser } from '#test/open-test-user.ts'

const t = await openTestPredictions({ parsingWorkers: openTestParsing() })
t.work()
afterAll(() => t.close())

/** A finished screen of two targets and three compounds. */
async function openScreen() {
  const user = await t.addUser({ credits: 100, targets: 2, compounds: 3 })
  const { id } = await user.started()
  await user.untilEnded(id)
  return { user, id }
}

const follow = (user: TestScreenUser, screen: string, smiles: string[], target = 'T2') =>
  user.call('POST', '/predict', { payload: { smiles, target, chain: 'A', screen } })

async function followed(...asked: Parameters<typeof follow>): Promise<string> {
  const answer = await follow(...asked)
  expect(answer.statusCode).toBe(200)
  return PairsAnswer.parse(answer.json()).id ?? ''
}

async function listed(user: TestScreenUser, query: string): Promise<Screen[]> {
  const { screens } = (await user.call('GET', `/screens${query}`)).json<{ screens: unknown[] }>()
  return screens.map((screen) => Screen.parse(screen))
}

test('SPEC 31.14: molecules predicted for a series are listed as follow-ups of its screen', async () => {
  const { user, id } = await openScreen()
  const gaps = await followed(user, id, ['CCO', 'CCN'])
  const made = await followed(user, id, ['CCS'], 'T1')
  const all = await listed(user, '')
  expect(all.map((one) => [one.id, one.follow_up_of])).toEqual([
    [made, id],
    [gaps, id],
    [id, null],
  ])
  const ofScreen = await listed(user, `?follow_up_of=${id}`)
  expect(ofScreen.map((one) => one.id)).toEqual([made, gaps])
  expect(ofScreen[1]).toMatchObject({ targets: [{ name: 'T2', chain: 'A' }], compounds: 2 })
  expect(await listed(user, '?kind=call')).toEqual([])
  expect((await user.read(gaps)).follow_up_of).toBe(id)
})

test('a follow-up of a follow-up belongs to the screen', async () => {
  const { user, id } = await openScreen()
  const first = await followed(user, id, ['CCO'])
  const second = await followed(user, first, ['CCN'])
  expect((await user.read(second)).follow_up_of).toBe(id)
})

test('the charge of a follow-up leads to it in the ledger, until it is deleted', async () => {
  const { user, id } = await openScreen()
  const gaps = await followed(user, id, ['CCO', 'CCN'])
  const entries = async () => {
    const answer = await user.call('GET', '/dta/credits/ledger')
    return answer.json<{ entries: { delta: number; screen_id: string | null }[] }>().entries
  }
  expect((await entries()).slice(0, 2)).toMatchObject([
    { delta: -2, screen_id: gaps },
    { delta: -6, screen_id: id },
  ])
  await user.call('DELETE', `/screens/${gaps}?forever=true`)
  expect((await entries())[0]).toMatchObject({ delta: -2, screen_id: null })
})

test('SPEC 31.14: exports of a screen end with its follow-ups, on their target only', async () => {
  const { user, id } = await openScreen()
  await followed(user, id, ['CCO', 'CCN'])
  await followed(user, id, ['CCS'], 'T1')
  const csv = async (query = '') => {
    const { body } = await user.call('GET', `/screens/${id}/results.csv${query}`)
    const [heading = '', ...lines] = body.trim().split('\r\n')
    const names = heading.replace(/^\uFEFF/, '').split(',')
    return lines.map((line) => {
      const cells = line.split(',')
      return Object.fromEntries(names.map((name, at) => [name, cells[at]]))
    })
  }
  const rows = await csv()
  expect(rows).toHaveLength(6 + 3)
  const added = rows
    .slice(6)
    .map((row) => [row['smiles'], row['target'], Math.floor(Number(row['pKd']))])
  expect(added).toEqual([
    ['CCO', 'T2', 8],
    ['CCN', 'T2', 8],
    ['CCS', 'T1', 7],
  ])
  expect((await csv('?smarts=S')).map((row) => row['smiles'])).toEqual(['CCS'])
  await followed(user, id, ['CS'], 'T1')
  expect((await csv('?smarts=S')).map((row) => row['smiles'])).toEqual(['CCS', 'CS'])
  for (const format of ['xlsx', 'sdf']) {
    const answer = await user.call('GET', `/screens/${id}/results.${format}`)
    expect(answer.statusCode).toBe(200)
  }
  const sdf = await user.call('GET', `/screens/${id}/results.sdf`)
  expect(sdf.body.split('$$$$').length - 1).toBe(6 + 4)
})

test('a screen is deleted with its follow-ups, but not while one of them runs', async () => {
  const { user, id } = await openScreen()
  const gaps = await followed(user, id, ['CCO'])
  const state = (status: 'RUNNING' | 'DONE') =>
    t.db.updateTable('orders').set({ status }).where('id', '=', gaps).execute()
  await state('RUNNING')
  expect((await user.call('DELETE', `/screens/${id}?forever=true`)).statusCode).toBe(409)
  expect((await user.read(gaps)).follow_up_of).toBe(id)
  await state('DONE')
  expect((await user.call('DELETE', `/screens/${id}?forever=true`)).statusCode).toBe(200)
  expect((await user.call('GET', `/screens/${gaps}`)).statusCode).toBe(404)
})

test('a follow-up of another user’s screen, of a call, or on another target is refused and costs nothing', async () => {
  const { user, id } = await openScreen()
  const other = await openScreen()
  const call = await user.call('POST', '/predict', { payload: { smiles: ['CCO'], target: 'T1' } })
  const before = await user.balance()
  expect((await follow(user, other.id, ['CCS'])).statusCode).toBe(404)
  expect((await follow(user, call.json<{ id: string }>().id, ['CCS'])).statusCode).toBe(404)
  const narrow = await user.started({ targets: ['T1'], compounds: 'all' })
  expect((await follow(user, narrow.id, ['CCS'])).statusCode).toBe(400)
  expect(await user.balance()).toBe(before)
  const { headers } = await openTestSession(t.db)
  const url = `/screens?follow_up_of=${id}`
  expect((await t.app.inject({ method: 'GET', url, headers })).json()).toEqual({ screens: [] })
})
