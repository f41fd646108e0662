/** Browsing costs nothing: a pair is requested once its selection has not changed for a moment. */
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { choose, click, named, openResults, pass, result } from '#web/test/results.tsx'

const REQUEST = 'POST /dta/predict'

const direct = (pkd: number) => () => Response.json({ predicted_kd: pkd, result: result(pkd) })

test('six quick clicks predict only the last pair', async () => {
  const { calls } = await openResults({ [REQUEST]: direct(7.84) })
  await choose('abl')
  for (const name of ['aspirin', 'imatinib', 'aspirin', 'imatinib', 'aspirin', 'imatinib']) {
    click(name)
    await pass(500)
    screen.getByText('Predicting')
    expect(named(calls, REQUEST)).toEqual([])
  }
  await pass(200)
  await pass(20)
  expect(named(calls, REQUEST).map(({ body }) => body)).toEqual([
    { protein_id: 'abl', compound_id: 'imatinib' },
  ])
})

test('a selection undone within a moment requests nothing', async () => {
  const { countOf } = await openResults({ [REQUEST]: direct(7.84) })
  await choose('abl')
  click('imatinib')
  await pass(400)
  click('imatinib')
  await pass(2000)
  expect(countOf(REQUEST)).toBe(0)
})
