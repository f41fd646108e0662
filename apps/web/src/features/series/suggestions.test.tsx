/** Suggestions and the make list keep the focus when a row is removed from them. */
import { screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { serveCalls } from '#web/test/calls.ts'
import { renderRoutes } from '#web/test/screen.tsx'
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
          addressOf={() => '/'}
        />
      </section>
      <MakeList
        list={list}
        isKnown
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
  expect(screen.getByText(/^Empty\. Add gaps/)).toBeDefined()
})
