/** The lists of a target show a change before the server has it. */
import { screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { serveCalls } from '#web/test/calls.ts'
import { renderScreen } from '#web/test/screen.tsx'
import { useLists } from './make-list.ts'

function Page() {
  const { isKnown, make, toggle, clear } = useLists('1hpv')
  if (!isKnown) return null
  return (
    <>
      <p>{make.join(' ')}</p>
      <button onClick={() => toggle('make', 'CCO')}>Add</button>
      <button onClick={() => clear('make')}>Clear</button>
    </>
  )
}

test('the request of one molecule outlives the page; that of several, which may be too long, does not', async () => {
  const lists = { make_name: null, make_tags: [], added_with: [null], excluded: [] }
  const calls = serveCalls({
    'GET /series/lists?target=1hpv': () => Response.json({ ...lists, make: ['CCN'] }),
    'PUT /series/lists': () => new Promise(() => undefined),
  })
  renderScreen(<Page />)
  await userEvent.click(await screen.findByRole('button', { name: 'Add' }))
  screen.getByText('CCN CCO')
  await userEvent.click(screen.getByRole('button', { name: 'Clear' }))
  const sent = () => calls.filter(({ name }) => name === 'PUT /series/lists')
  await waitFor(() => expect(sent()).toHaveLength(2))
  expect(sent().map(({ body, keepalive }) => [Object(body).smiles, keepalive])).toEqual([
    [['CCO'], true],
    [['CCN', 'CCO'], false],
  ])
})
