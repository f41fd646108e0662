/** The page of the user's own structural alerts. */
import type { OwnAlert } from '@pkdex/contract'
import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { refuse, serveCalls } from '#web/test/calls.ts'
import { renderRoutes } from '#web/test/screen.tsx'
import { OwnAlerts, OwnAlertsSummary } from './own-alerts.tsx'

const acid: OwnAlert = { name: 'carboxylic acid', smarts: 'C(=O)[OX2H1]' }
const SAVE = 'PUT /alerts'

test('SPEC 32.9: patterns are shown one per line and saved with their names', async () => {
  const calls = open([acid])
  const lines = await screen.findByLabelText('Patterns')
  expect(lines).toHaveProperty('value', 'C(=O)[OX2H1] carboxylic acid')
  await userEvent.type(lines, '{enter}{enter}  N=N   azo, any {enter}[[SH]')
  await userEvent.click(screen.getByRole('button', { name: 'Check and save' }))
  await screen.findByText('3 patterns saved.')
  const azo = { name: 'azo, any', smarts: 'N=N' }
  const nameless = { name: '[SH]', smarts: '[SH]' }
  expect(savedBy(calls)).toEqual({ patterns: [acid, azo, nameless] })
  expect(lines).toHaveProperty('value', 'C(=O)[OX2H1] carboxylic acid\nN=N azo, any\n[SH]')
})

test('SPEC 32.9: a pattern that is not valid SMARTS is reported with its line, and the text stays', async () => {
  const sentence = 'Pattern 2, “ring”: This is not valid SMARTS.'
  open([acid], () => refuse(400, sentence))
  const lines = await screen.findByLabelText('Patterns')
  await userEvent.type(lines, '{enter}{enter}c1ccc ring')
  await userEvent.click(screen.getByRole('button', { name: 'Check and save' }))
  await screen.findByText(sentence)
  expect(lines).toHaveProperty('value', 'C(=O)[OX2H1] carboxylic acid\nc1ccc ring')
  await userEvent.type(lines, '1')
  expect(screen.queryByText(sentence)).toBeNull()
})

test('SPEC 32.9: all patterns are deleted by saving an empty list', async () => {
  const calls = open([acid])
  await userEvent.clear(await screen.findByLabelText('Patterns'))
  await userEvent.click(screen.getByRole('button', { name: 'Check and save' }))
  await screen.findByText('0 patterns saved.')
  expect(savedBy(calls)).toEqual({ patterns: [] })
})

test('more patterns than the server stores are not sent', async () => {
  open(Array.from({ length: 100 }, (_, at) => ({ name: `p${at}`, smarts: 'CC' })))
  await userEvent.type(await screen.findByLabelText('Patterns'), '{enter}CCC one more')
  screen.getByText('At most 100 patterns can be saved.')
  expect(screen.getByRole('button', { name: 'Check and save' })).toHaveProperty('disabled', true)
})

test('the Account page counts them and links to them', async () => {
  serveCalls({ 'GET /alerts': () => Response.json({ patterns: [acid] }) })
  renderRoutes({ '/account': <OwnAlertsSummary /> }, '/account')
  const link = await screen.findByRole('link', { name: 'Your 1 pattern' })
  expect(link.getAttribute('href')).toBe('/account/alerts')
})

function open(patterns: OwnAlert[], save?: () => Response) {
  const calls = serveCalls({
    'GET /alerts': () => Response.json({ patterns }),
    [SAVE]: ({ body }) => save?.() ?? Response.json(body),
  })
  renderRoutes({ '/account/alerts': <OwnAlerts /> }, '/account/alerts')
  return calls
}

function savedBy(calls: ReturnType<typeof serveCalls>) {
  return calls.find(({ name }) => name === SAVE)?.body
}
