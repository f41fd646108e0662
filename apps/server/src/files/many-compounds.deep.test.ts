/** Large lists of compounds in one upload. */
import { listCompounds, UploadAnswer } from '@pkdex/contract'
import { afterAll, expect, test } from 'vitest'
import { openTestFiles, openTestParsing, uploadTo } from '#test/open-test-files.ts'
import { openTestSession } from '#test/factories.ts'

const t = await openTestFiles({ parsingWorkers: openTestParsing() })
afterAll(() => t.close())

test('five thousand compounds are stored within seconds, in file order', async () => {
  const { headers } = await openTestSession(t.db)
  const lines = Array.from({ length: 5000 }, (_, i) => `${'C'.repeat(1 + (i % 50))}O m${i}`)
  const sent = { type: 'drug_smiles', filename: 'drugs.txt', content: lines.join('\n') } as const
  const { names } = UploadAnswer.parse((await uploadTo(t.app, headers, sent)).json())
  expect(names).toHaveLength(5000)
  expect(names.slice(0, 3)).toEqual(['m0', 'm1', 'm2'])
  const listed = await t.app.inject({ url: '/dta/get_compound_names', headers })
  expect(listCompounds.answer.parse(listed.json()).compound_names).toEqual(names)
})
