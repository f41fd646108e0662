/** What the results page says to somebody who may not, or cannot pay: once, and without asking again. */
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { refuse } from '#web/test/calls.ts'
import { choosePair, openResults, pass, press } from '#web/test/results.tsx'

const REQUEST = 'POST /dta/predict'
const CREDITS = 'GET /dta/credits'

test('SPEC 4.12: Try Again without credits clears the error and calls for no prediction', async () => {
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
  expect(screen.getByText('This pair has not been predicted')).toBeDefined()
  expect([countOf(REQUEST), countOf(CREDITS)]).toEqual([1, before + 1])
  await press('Predict')
  expect(countOf(REQUEST)).toBe(2)
})

test('SPEC 16.6: a user who was switched off meanwhile hears it once', async () => {
  let isActive = true
  const sentence = 'This account is switched off. Please ask your administrator.'
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
