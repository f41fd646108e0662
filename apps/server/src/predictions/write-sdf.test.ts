import { openRdkit } from '@pkdex/biochem'
import { screenRowColumns } from '@pkdex/contract'
import { afterAll, expect, test } from 'vitest'
import { openTestParsing } from '#test/open-test-files.ts'
import { openTestPredictions } from '#test/open-test-predictions.ts'
import { withStandard } from './standard-smiles.ts'
import { writeSdf } from './write-sdf.ts'

const parsingWorkers = openTestParsing()
const rdkit = await openRdkit()
const t = await openTestPredictions({ parsingWorkers })
t.work()
afterAll(() => t.close())

/** Records as RDKit and a reader of data fields see them. */
function readSdf(sdf: string) {
  return sdf
    .split(/^\$\$\$\$\n/m)
    .slice(0, -1)
    .map((record) => {
      using molecule = rdkit.get_mol(record)
      const fields = [...record.matchAll(/^> {2}<([^>]+)>\n(.*)\n\n/gm)]
      return {
        name: record.split('\n')[0],
        smiles: molecule?.get_smiles(),
        coordinates: molecule === null ? 0 : molecule.has_coords(),
        data: Object.fromEntries(fields.map(([, name, value]) => [name, value])),
      }
    })
}

test('SPEC 20.11: the SDF of a screen has a record for each pair with a compound, with the columns as data', async () => {
  const user = await t.addUser({ credits: 50, targets: 2, compounds: 5 })
  const { id } = await user.started({ targets: user.targets, compounds: ['C5', '=x', 'C2'] })
  await user.untilEnded(id)
  const answer = await user.call('GET', `/screens/${id}/results.sdf`)
  expect(answer.headers['content-disposition']).toMatch(`attachment; filename="screen_${id}.sdf"`)
  const records = readSdf(answer.body)
  expect(records.map(({ name, smiles }) => [name, smiles])).toEqual([
    ['C5', 'CCCCC'],
    ['C5', 'CCCCC'],
    ['C2', 'CC'],
    ['C2', 'CC'],
  ])
  expect(records.every(({ coordinates }) => coordinates === 2)).toBe(true)
  const lines = (await user.call('GET', `/screens/${id}/results.csv`)).body.split('\r\n')
  const [columns = [], first = []] = lines.map((line) => line.split(','))
  const inCsv = columns.map((name, at) => [name, first[at]]).filter(([, value]) => value !== '')
  expect(records[0]?.data).toEqual(Object.fromEntries(inCsv))
  const filtered = await user.call('GET', `/screens/${id}/results.sdf?smarts=CCC&target=T2`)
  expect(readSdf(filtered.body).map(({ data }) => [data['row'], data['target']])).toEqual([
    ['1', 'T2'],
  ])
})

test('stereochemistry is kept, and a name cannot end a record or begin a field', async () => {
  const standard = 'C[C@H](N)C(=O)O'
  const names = ['$$$$', '> <row>', 'two\nlines', 'L-alanine']
  const pieces: string[] = []
  const wide = {
    columns: [...screenRowColumns],
    async *pages() {
      yield names.map((compound, at) => {
        const row = { row: at + 1, compound, target: 'T', reason: 'Not predicted yet.' }
        return withStandard(row, standard)
      })
    },
  }
  const asked = { userId: 'somebody', wide, count: names.length }
  for await (const piece of writeSdf(parsingWorkers, asked)) pieces.push(piece)
  const records = readSdf(pieces.join(''))
  expect(records.map(({ name }) => name)).toEqual([' $$$$', ' > <row>', 'two lines', 'L-alanine'])
  expect(records.map(({ smiles }) => smiles)).toEqual(names.map(() => standard))
  expect(records[0]?.data).toMatchObject({ row: '1', reason: 'Not predicted yet.' })
})
