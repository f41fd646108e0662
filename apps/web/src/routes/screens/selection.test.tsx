/** Rows of a screen are ticked for actions; an open pair has the rows before and after it, and Back closes it. */
import { screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { serveCalls } from '#web/test/calls.ts'
import { renderRoutes } from '#web/test/screen.tsx'
import { firstPage, library, pageOf, row, started } from '#web/test/screens.tsx'
import { ScreenPage } from './screen-page.tsx'

function open() {
  const calls = serveCalls({
    ...library,
    'GET /screens/s1': () => Response.json(started),
    'GET /screens/s1/matrix': () =>
      Response.json({ targets: started.targets, compounds: [], best_kd: '', flags: '' }),
    [firstPage]: pageOf([{ ...row(2, 8.1), measured_pk: 8.5 }, row(1, 7), row(3, null)]),
    'PUT /file_manager/compounds/C2/star': () => Response.json({ starred: true }),
    'PUT /series/lists': ({ body }) => {
      const { smiles, added_with } = body as { smiles: string[]; added_with: object[] }
      return Response.json({ make_name: null, make: smiles, added_with, excluded: [] })
    },
  })
  const router = renderRoutes(
    { '/screens/:id': <ScreenPage />, '/screens/new': <p>New screen</p> },
    '/screens/s1',
  )
  return { calls, router }
}

const tick = async (name: string) =>
  userEvent.click(await screen.findByRole('checkbox', { name: `Select ${name}` }))
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }))

test('ticked rows are copied as a table, in the order in which they were ticked', async () => {
  const writeText = vi.fn<(text: string) => Promise<void>>().mockResolvedValue()
  open()
  await tick('C1')
  await tick('C2')
  vi.stubGlobal('navigator', { clipboard: { writeText } })
  screen.getByText('2 compounds selected')
  await press('Copy')
  await screen.findByText('Copied')
  expect(writeText.mock.calls[0]?.[0].split('\n')).toEqual([
    'Compound\tSMILES\tpKd\tLower 95%\tUpper 95%\tMeasured pK',
    'C1\tCCO\t7.00\t6.00\t8.00\t',
    'C2\tCCO\t8.10\t7.10\t9.10\t8.50',
  ])
  vi.unstubAllGlobals()
  await press('Clear')
  expect(screen.queryByRole('region', { name: 'Selection' })).toBeNull()
})

test('ticked compounds are starred, listed to make with their numbers, or put into a new screen', async () => {
  const { calls, router } = open()
  await tick('C2')
  expect(screen.queryByRole('dialog')).toBeNull()
  await press('Star')
  await waitFor(() =>
    expect(calls.map(({ name }) => name)).toContain('PUT /file_manager/compounds/C2/star'),
  )
  await press('Make list')
  await screen.findByText('On the make list of src')
  expect(calls.find(({ name }) => name === 'PUT /series/lists')?.body).toEqual({
    target: 'src',
    list: 'make',
    smiles: ['CCO'],
    listed: true,
    added_with: [{ predicted_kd: 8.1, lower: 7.1, upper: 9.1 }],
  })
  await press('New screen')
  await screen.findByText('New screen')
  expect(router.state.location.state).toEqual({ targets: ['src'], compounds: ['C2'] })
})

test('an open pair has the rows before and after it, and Back closes it', async () => {
  const { router } = open()
  await userEvent.click(await screen.findByRole('button', { name: 'Open C2 on src' }))
  await screen.findByRole('dialog', { name: 'C2 on src' })
  screen.getByText('1 of 3')
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Previous' }).disabled).toBe(true)
  await press('Next')
  await screen.findByRole('dialog', { name: 'C1 on src' })
  await press('Next')
  await screen.findByRole('dialog', { name: 'C3 on src' })
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Next' }).disabled).toBe(true)
  await router.navigate(-1)
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(router.state.location).toMatchObject({ pathname: '/screens/s1', search: '' })
})
