/** The results page for users without permission or credits: one message, and no repeated requests. */
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { refuse } from '#web/test/calls.ts'
import { choosePair, openResults, pass, press } from '#web/test/results.tsx'

const REQUEST = 'POST /dta/predict'
const CREDITS = 'GET /dta/credits'

test('SPEC 4.12: Try Again without credits clears the error and requests no prediction', async () => {
  let balance = 98
  const { countOf } = await openResults({
    [CREDITS]: () => Response.json({ credits: balance, credits_per_prediction: 1 }),
    [REQUEST]: () => {
      balance = 0
      return refuse(402, 'You have no credits left.')
    },
  })
  await choosePair()
  const before = countOf(CREDITS)
  await press('Try Again')
  expect(screen.queryByRole('alert')).toBeNull()
  screen.getByText('Not predicted yet')
  expect([countOf(REQUEST), countOf(CREDITS)]).toEqual([1, before + 1])
  await press('Predict')
  expect(countOf(REQUEST)).toBe(2)
})

test('SPEC 16.6: a user deactivated meanwhile sees one message', async () => {
  let isActive = true
  const sentence = 'This account is deactivated. Contact your administrator.'
  await openResults({
    [CREDITS]: () =>
      isActive ? Response.json({ credits: 98, credits_per_prediction: 1 }) : refuse(403, sentence),
    [REQUEST]: () => {
      isActive = false
      return refuse(403, sentence)
    },
  })
  await choosePair()
  await pass(2000)
  expect(screen.getAllByText(sentence)).toHaveLength(1)
  expect(screen.getAllByRole('button', { name: 'Return to Login' })).toHaveLength(1)
})
