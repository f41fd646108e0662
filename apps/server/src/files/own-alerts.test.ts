/** The user's own structural alerts: checked, stored, and found in compounds with their atoms. */
import type { LocatedAlert, OwnAlert } from '@pkdex/contract'
import { afterAll, expect, test } from 'vitest'
import { openOwnAlerts } from './own-alerts.ts'
import { openTestSession } from '#test/factories.ts'
import { openTestProduct } from '#test/open-test-product.ts'

const t = await openTestProduct()
const user = await openTestSession(t.db)
afterAll(() => t.close())

const acid = { name: 'Acid', smarts: 'C(=O)[OX2H1]' }
const call = (method: 'GET' | 'PUT' | 'POST', url: string, payload?: object) =>
  t.app.inject({ method, url, headers: user.headers, ...(payload && { payload }) })
const list = async () => (await call('GET', '/alerts')).json<{ patterns: OwnAlert[] }>().patterns

test('SPEC 32.4: a list of patterns replaces the previous one', async () => {
  expect(await list()).toEqual([])
  const saved = await call('PUT', '/alerts', { patterns: [acid] })
  expect(saved.statusCode).toBe(200)
  expect(await list()).toEqual([acid])
})

test.each([
  ['c1ccccc1[', 'Pattern 2, “mine”: This is not valid SMARTS.'],
  [
    '[#8]-[#1]',
    'Pattern 2, “mine”: Write hydrogens as a count, for example [OX2H1] instead of [O][H] or [#1].',
  ],
])('SPEC 32.4: the pattern %s is refused by name, and nothing changes', async (smarts, message) => {
  const refused = await call('PUT', '/alerts', { patterns: [acid, { name: 'mine', smarts }] })
  expect(refused.statusCode).toBe(400)
  expect(refused.json()).toMatchObject({ code: 'invalid_request', message })
  expect(await list()).toEqual([acid])
})

test('SPEC 32.4: every pattern that cannot be used is named, up to five', async () => {
  const bad = (name: string) => ({ name, smarts: 'C(' })
  const two = await call('PUT', '/alerts', { patterns: [bad('first'), acid, bad('second')] })
  expect(two.json()).toMatchObject({
    message:
      'Pattern 1, “first”: This is not valid SMARTS. Pattern 3, “second”: This is not valid SMARTS.',
  })
  const seven = await call('PUT', '/alerts', { patterns: Array(7).fill(bad('one')) })
  expect(seven.json<{ message: string }>().message).toMatch(
    /Pattern 5, .* 2 more cannot be used\.$/,
  )
  expect(await list()).toEqual([acid])
})

test('SPEC 32.4: a compound that a stored pattern is too slow for is missing, never free of alerts', async () => {
  const answers: (number[] | null)[] = [null, [0], null]
  let goOn = 0
  const match = openOwnAlerts({
    db: t.db,
    parsingWorkers: {
      checkPatterns: async () => [],
      matchPatterns: async (_user, { smiles }, goesOn = () => true) =>
        smiles.map((_, at) => (goesOn() && (goOn += 1) > 0 ? (answers[at] ?? null) : null)),
    },
  })
  const { userId } = user
  expect([...(await match(userId, ['CCO', 'CCN', 'CCC']))]).toEqual([['CCN', ['Acid']]])
  const late = await match(userId, ['CC'], { until: performance.now() - 1 })
  expect([late.size, goOn]).toEqual([0, 3])
  const gone = AbortSignal.abort(new Error('hung up'))
  await expect(match(userId, ['CC'], { gone })).rejects.toThrow('hung up')
})

test('SPEC 32.10: an upload counts the compounds that match the user’s own patterns', async () => {
  const lines = 'CCC(=O)O propionic\nCCO ethanol\nCC(=O)Oc1ccccc1C(=O)O aspirin\n'
  const answer = await t.upload(user.headers, 'drug_smiles', 'acids.txt', lines)
  expect(answer.json()).toMatchObject({
    flagged_count: 2,
    flagged: [
      { name: 'propionic', alerts: ['Acid'] },
      { name: 'aspirin', alerts: ['Brenk phenol ester', 'Acid'] },
    ],
    own_alerts_checked: true,
  })
})

test('SPEC 32.4: a user’s pattern is an alert of the compounds that match it', async () => {
  const compound = await call('GET', '/file_manager/compounds/propionic')
  expect(compound.json()).toMatchObject({ alerts: ['Acid'] })
})

test('SPEC 32.5: the atoms of an alert are numbered as in the standard SMILES', async () => {
  const { alerts, picture } = (
    await call('POST', '/alerts/locate', { smiles: 'OC(=O)c1ccccc1[N+](=O)[O-]' })
  ).json<{ alerts: LocatedAlert[]; picture: { atoms: unknown[] } }>()
  expect(picture.atoms).toHaveLength(12)
  const nitro = alerts.find(({ name }) => name === 'nitro group')
  expect(nitro).toMatchObject({ list: 'Brenk' })
  expect(nitro?.atoms).toHaveLength(3)
  expect(alerts.find(({ list: one }) => one === 'own')).toMatchObject({ name: 'Acid' })
})

test('an invalid SMILES has no alerts', async () => {
  const answer = await call('POST', '/alerts/locate', { smiles: 'C1CC' })
  expect(answer.json()).toMatchObject({ code: 'file_unreadable' })
})
