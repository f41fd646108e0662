/** Structures of a list are requested together, and those scrolled past are not requested. */
import { act, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { serveCalls } from '#web/test/calls.ts'
import { renderScreen } from '#web/test/screen.tsx'
import { StructureSwitch, useDrawCompound, useDrawSeries, useDrawSmiles } from './structure.tsx'

const CALL = 'POST /visualization/molecules'

function List({ names, shown }: { names: string[]; shown: string[] }) {
  const draw = useDrawCompound(names)
  return (
    <ul>
      {shown.map((name) => (
        <li key={name}>
          {draw?.(name)} {name}
        </li>
      ))}
      <li>
        <StructureSwitch />
      </li>
    </ul>
  )
}

function open(names: string[], shown: string[]) {
  const calls = serveCalls({
    [CALL]: ({ body }) => {
      const { names: asked } = body as { names: string[] }
      const pictures = asked.map((name) =>
        name === 'gone' ? null : { visualizationUrl: `data:${name}` },
      )
      return Response.json({ pictures })
    },
  })
  const { rerender } = renderScreen(<List names={names} shown={shown} />)
  return { calls, show: (some: string[]) => rerender(<List names={names} shown={some} />) }
}

const addresses = () => [...document.images].map((image) => image.getAttribute('src'))

test('compounds that become visible together are drawn in one request, with a sample of the list', async () => {
  const names = Array.from({ length: 240 }, (_, n) => `c${n}`)
  const { calls } = open(names, ['c0', 'c1', 'c2'])
  await vi.waitFor(() => expect(addresses()).toEqual(['data:c0', 'data:c1', 'data:c2']))
  expect(calls).toHaveLength(1)
  expect(calls[0]?.body).toEqual({
    names: ['c0', 'c1', 'c2'],
    like: Array.from({ length: 12 }, (_, n) => `c${20 * n}`),
    theme: 'light',
  })
})

test('a compound that left the view before the request is not drawn', async () => {
  const { calls, show } = open(['a', 'b'], ['a'])
  act(() => show(['b']))
  await vi.waitFor(() => expect(addresses()).toEqual(['data:b']))
  expect(calls.map(({ body }) => (body as { names: string[] }).names)).toEqual([['b']])
})

test('rows of results are drawn from the molecule that was predicted, not by the name of a compound', async () => {
  function Rows() {
    const draw = useDrawSmiles(SERIES)
    return SERIES.map((smiles) => <p key={smiles}>{draw?.(smiles)}</p>)
  }
  const calls = serveCalls({
    [CALL]: ({ body }) => {
      const { smiles } = body as { smiles: string[] }
      return Response.json({ pictures: smiles.map((one) => ({ visualizationUrl: `data:${one}` })) })
    },
  })
  renderScreen(<Rows />)
  await vi.waitFor(() => expect(addresses()).toEqual(['data:CCO', 'data:CCN']))
  // A row without a molecule requests nothing.
  expect(calls.map(({ body }) => body)).toEqual([
    { smiles: ['CCO', 'CCN'], like: ['CCO', 'CCN'], theme: 'light' },
  ])
})

const SERIES = ['CCO', '', 'CCN']

test('the place of a deleted compound stays empty', async () => {
  open(['gone', 'here'], ['gone', 'here'])
  await vi.waitFor(() => expect(addresses()).toEqual(['data:here']))
})

test('hiding structures is remembered', async () => {
  open(['x', 'y'], ['x', 'y'])
  await vi.waitFor(() => expect(document.images).toHaveLength(2))
  await userEvent.click(screen.getByRole('switch', { name: 'Structures' }))
  expect(document.images).toHaveLength(0)
  expect(localStorage.getItem('structures-in-lists')).toBe('hidden')
  await userEvent.click(screen.getByRole('switch', { name: 'Structures' }))
  await vi.waitFor(() => expect(document.images).toHaveLength(2))
})

const series = ['CCO', 'CCN']

function Series() {
  const draw = useDrawSeries(series)
  return draw('CCN')
}

test('a molecule of a series is drawn like the others and described, also where lists have no structures', async () => {
  localStorage.setItem('structures-in-lists', 'hidden')
  const calls = serveCalls({
    [CALL]: () =>
      Response.json({ pictures: [{ visualizationUrl: 'data:CCN', alt: 'CCN: 3 heavy atoms' }] }),
  })
  renderScreen(<Series />)
  expect((await screen.findByRole('img', { name: '3 heavy atoms' })).getAttribute('src')).toBe(
    'data:CCN',
  )
  expect(calls[0]?.body).toEqual({ smiles: ['CCN'], like: series, theme: 'light' })
})
