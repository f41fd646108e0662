/** A whole enumeration in one POST /predict. */
import { PairsAnswer, PairsQuote } from '@pkdex/contract'
import { afterAll, expect, test } from 'vitest'
import { openTestParsing } from '#test/open-test-files.ts'
import { openTestPredictions } from '#test/open-test-predictions.ts'

const t = await openTestPredictions({ parsingWorkers: openTestParsing() })
afterAll(async () => {
  await t.stopWorkers()
  await t.close()
})

test('SPEC 31.12: more than a thousand SMILES are one order', async () => {
  const user = await t.addUser({ credits: 2000, targets: 1, compounds: 0 })
  t.work()
  const smiles = Array.from({ length: 1200 }, (_, at) => {
    return `${'C'.repeat(1 + (at % 40))}OC(=O)${'C'.repeat(1 + Math.floor(at / 40))}`
  })
  const quote = await user.call('POST', '/predict/quote', { payload: { smiles, target: 'T1' } })
  expect(PairsQuote.parse(quote.json())).toMatchObject({ total: 1200, credits_needed: 1200 })
  const answer = PairsAnswer.parse(
    (await user.call('POST', '/predict', { payload: { smiles, target: 'T1' } })).json(),
  )
  expect(answer).toMatchObject({ status: 'DONE', credits_charged: 1200 })
  expect(answer.predictions.every(({ predicted_kd: pkd }) => pkd !== null)).toBe(true)
})
