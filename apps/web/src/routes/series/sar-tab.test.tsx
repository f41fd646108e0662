/** The SAR table of a screen with too few compounds. */
import type { Screen, ScreenRow } from '@pkdex/contract'
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { serveCalls } from '#web/test/calls.ts'
import { renderRoutes } from '#web/test/screen.tsx'
import { SarTab } from './sar-tab.tsx'

const target = { name: 'src', chain: 'A' }
const rows = ['CCO', 'CCN'].map((smiles) => ({ smiles, compound: smiles }) as ScreenRow)
const asked = { target, chosen: {}, gaps: null, change: () => undefined }

test('SPEC 31.5: two compounds are not enough for a SAR table, and the page says what to add', async () => {
  const calls = serveCalls({})
  const tab = <SarTab {...asked} screen={{ id: 's1' } as Screen} rows={rows} />
  renderRoutes({ '/': tab, '/screens/new': <p>New</p> }, '/')
  const sentence = 'Add at least three compounds with a common core.'
  await screen.findByText(sentence)
  screen.getByRole('link', { name: 'New screen' })
  expect(calls.filter(({ name }) => name === 'POST /series/table')).toEqual([])
})
