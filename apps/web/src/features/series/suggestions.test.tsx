/** Suggestions and the make list keep the focus when a row is removed from them. */
import { screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { serveCalls } from '#web/test/calls.ts'
import { catchSaved } from '#web/test/saved.ts'
import { renderRoutes } from '#web/test/screen.tsx'
import type { Number95 } from './cells.ts'
import type { Lists } from './make-list.ts'
import { MakeList } from './series-side.tsx'
import { Suggestions } from './suggestions.tsx'

const suggestion = (compound: string, smiles: string) => ({
  compound,
  smiles,
  predicted_kd: 8,
  lower: 7,
  upper: 9,
  predicted_kd_without_own: 7.5,
  rests_on: [],
  chance: 0.1,
  reason: 'Your values raise the prediction.',
})

const two = [suggestion('C1', 'CCO'), suggestion('C2', 'CCN')]

function Page() {
  const [shown, setShown] = useState(two)
  const [list, setList] = useState(['CCO', 'CCN'])
  const without = (smiles: string) => setShown(shown.filter((one) => one.smiles !== smiles))
  return (
    <>
      <section>
        <h2>Next</h2>
        <Suggestions
          suggestions={shown}
          goal={8}
          listed={new Set()}
          onList={() => undefined}
          onExclude={without}
          nameOf={() => 'N01'}
          ticked={new Map()}
          onTick={() => undefined}
          addressOf={() => '/'}
        />
      </section>
      <MakeList
        list={list}
        addedWith={[]}
        isKnown
        name="Make list MET"
        tags={[]}
        rename={async () => undefined}
        cellOf={() => undefined}
        onRemove={(smiles) => setList(list.filter((one) => one !== smiles))}
      />
    </>
  )
}

test('the focus moves to the next row, and to the heading after the last', async () => {
  serveCalls({})
  renderRoutes({ '/': <Page /> }, '/')
  await userEvent.click(screen.getByRole('button', { name: 'Exclude C1' }))
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Exclude C2' }))
  await userEvent.keyboard('x')
  expect(document.activeElement?.textContent).toBe('Next')
  await userEvent.click(screen.getByRole('button', { name: 'Remove CCN' }))
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Remove CCO' }))
  await userEvent.keyboard('{Enter}')
  expect(document.activeElement?.textContent).toContain('Make list')
  screen.getByText(/^Empty\. Add gaps/)
})

test('SPEC 31.13: a listed molecule shows the number it was added with, and the current one if it reads differently', async () => {
  serveCalls({})
  const added = { predicted_kd: 8.01, lower: 6.1, upper: 9.9 }
  const now: Record<string, Number95> = {
    CCO: { value: 8.32, interval: { lower: 6.4, upper: 10.2 } },
    CCN: { value: 8.013, interval: { lower: 6.1, upper: 9.9 } },
    CCS: { value: 7.2, interval: { lower: 6, upper: 8.4 } },
  }
  const list = (
    <MakeList
      list={['CCO', 'CCN', 'CCC', 'CCS']}
      addedWith={[added, added, added, null]}
      isKnown
      name="Make list MET"
      tags={[]}
      rename={async () => undefined}
      cellOf={(smiles) => now[smiles]}
      onRemove={() => undefined}
    />
  )
  renderRoutes({ '/': list }, '/')
  const rows = screen.getAllByRole('listitem').map((row) => row.textContent)
  expect(rows).toEqual(['8.06.1–9.9now 8.3 (6.4–10.2)', '8.06.1–9.9', '8.06.1–9.9', '7.26.0–8.4'])
})

test('a make list gets a name and tags, and its file carries the name', async () => {
  serveCalls({})
  const rename = vi.fn<Lists['rename']>(async () => undefined)
  const saved = catchSaved()
  const list = (
    <MakeList
      list={['CCO']}
      addedWith={[null]}
      isKnown
      name="Make list MET/1"
      tags={['May']}
      rename={rename}
      cellOf={() => undefined}
      onRemove={noop}
    />
  )
  renderRoutes({ '/': list }, '/')
  await userEvent.click(screen.getByRole('button', { name: 'Export list' }))
  expect(saved.map(({ filename }) => filename)).toEqual(['Make list MET_1.csv'])
  await userEvent.click(screen.getByRole('button', { name: 'Rename' }))
  const name = await screen.findByRole('textbox', { name: 'New name' })
  await userEvent.clear(name)
  await userEvent.type(name, 'First round')
  await userEvent.type(screen.getByRole('textbox', { name: 'Tags' }), ', hot{Enter}')
  await waitFor(() =>
    expect(rename).toHaveBeenCalledWith({ make_name: 'First round', make_tags: ['May', 'hot'] }),
  )
})

const noop = () => undefined
