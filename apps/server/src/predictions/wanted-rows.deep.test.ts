import type { ScreenRow } from '@pkdex/contract'
import { afterAll, expect, test } from 'vitest'
import { openTestParsing } from '#test/open-test-files.ts'
import { openTestPredictions } from '#test/open-test-predictions.ts'

const parsingWorkers = openTestParsing()
const t = await openTestPredictions({ parsingWorkers })
t.work()
const user = await t.addUser({ credits: 500, targets: 1, compounds: 9 })
const id = (await user.started({ targets: ['T1'], compounds: ['C9', 'C2', '=x', 'C5', 'C2'] })).id
await user.untilEnded(id)
afterAll(() => t.close())

const ask = (query: Record<string, string>, path = 'results') =>
  user.call('GET', `/screens/${id}/${path}?${new URLSearchParams(query).toString()}`)

async function compoundsOf(query: Record<string, string>): Promise<string[]> {
  const { rows } = (await ask(query)).json<{ rows: ScreenRow[] }>()
  return rows.map(({ compound }) => compound)
}

test('rows are filtered by the number of heavy atoms, and a row without a molecule has none', async () => {
  expect(await compoundsOf({})).toEqual(['C9', 'C2', '=x', 'C5', 'C2'])
  expect(await compoundsOf({ heavy_atoms_min: '3' })).toEqual(['C9', 'C5'])
  expect(await compoundsOf({ heavy_atoms_max: '5' })).toEqual(['C2', 'C5', 'C2'])
  expect(await compoundsOf({ heavy_atoms_min: '5', heavy_atoms_max: '5' })).toEqual(['C5'])
  expect(await compoundsOf({ heavy_atoms_min: '6', heavy_atoms_max: '5' })).toEqual([])
})

test('SPEC 20.9: a SMARTS filter finds the compounds that contain it, together with the other filters', async () => {
  expect(await compoundsOf({ smarts: 'CCC' })).toEqual(['C9', 'C5'])
  expect(await compoundsOf({ smarts: '[CH3][CH3]' })).toEqual(['C2', 'C2'])
  expect(await compoundsOf({ smarts: '[#7]' })).toEqual([])
  expect(await compoundsOf({ smarts: 'CCC', heavy_atoms_max: '5' })).toEqual(['C5'])
  expect(await compoundsOf({ smarts: 'CCC', sort: 'affinity', text: 'c9' })).toEqual(['C9'])
})

test('a SMILES in the text filter is searched by structure, however it is written; a name by its letters', async () => {
  // Names begin with C and a number: C5 is pentane.
  expect(await compoundsOf({ text: 'C(CC)CC' })).toEqual(['C9', 'C5'])
  expect(await compoundsOf({ text: ' C(CCC)CCCCC ' })).toEqual(['C9'])
  expect(await compoundsOf({ text: 'CCN' })).toEqual([])
  expect(await compoundsOf({ text: 'c5' })).toEqual(['C5'])
  expect(await compoundsOf({ text: 'C(CC)CC', heavy_atoms_max: '5' })).toEqual(['C5'])
  const { body } = await ask({ text: 'C(CCC)CCCCC' }, 'results.csv')
  expect(body.trimEnd().split('\r\n')).toHaveLength(2)
})

test('SPEC 19.14: the filter for the shortlist finds the compounds that are starred now', async () => {
  const star = (name: string, isStarred: boolean) =>
    t.db
      .updateTable('compounds')
      .set({ is_starred: isStarred })
      .where('user_id', '=', user.userId)
      .where('name', '=', name)
      .execute()
  expect(await compoundsOf({ starred: 'true' })).toEqual([])
  await star('C2', true)
  await star('C9', true)
  expect(await compoundsOf({ starred: 'true' })).toEqual(['C9', 'C2', 'C2'])
  await star('C9', false)
  expect(await compoundsOf({ starred: 'true' })).toEqual(['C2', 'C2'])
  const { body } = await ask({ starred: 'true' }, 'results.csv')
  expect(body.trimEnd().split('\r\n')).toHaveLength(3)
})

test('a download contains the matching rows, in input order', async () => {
  const { body } = await ask({ smarts: 'CCC', heavy_atoms_min: '4' }, 'results.csv')
  expect(
    body
      .trimEnd()
      .split('\r\n')
      .slice(1)
      .map((line) => line.slice(0, 4)),
  ).toEqual(['1,C9', '4,C5'])
})

test('an invalid SMARTS is refused with a message, for downloads as well', async () => {
  for (const path of ['results', 'results.csv', 'results.xlsx']) {
    for (const smarts of ['[#6', 'no pattern', 'C1CC']) {
      const answer = await ask({ smarts }, path)
      expect(answer.statusCode).toBe(400)
      expect(answer.json<{ detail: string }>().detail).toBe('This is not valid SMARTS.')
    }
  }
})

test('a SMARTS search that takes too long is stopped, and the next one works', async () => {
  const cage =
    'c12c3c4c5c1c6c7c8c2c9c1c3c2c3c4c4c%10c5c5c6c6c7c7c%11c8c9c8c9c1c2c1c2c3c4c3c4c%10c5c5c6c6c7c7c%11c8c8c9c1c1c2c3c2c4c5c6c3c7c8c1c23'
  const endless = { smarts: `${'[!Si]~'.repeat(40)}[Si]`, smiles: [cage] }
  const search = await parsingWorkers.matchSubstructure(user.userId, endless)
  expect(search).toMatchObject({
    ok: false,
    reason: 'This SMARTS search takes too long. Use a simpler pattern.',
  })
  expect(await compoundsOf({ smarts: 'CCCCC' })).toEqual(['C9', 'C5'])
})
