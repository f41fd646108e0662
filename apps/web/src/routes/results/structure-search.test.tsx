/** The list of compounds is filtered by a structure. */
import { fireEvent, screen, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { openResults, pass } from '#web/test/results.tsx'
import { refuse } from '#web/test/calls.ts'

// The editor draws on a canvas, which the test's browser does not have.
vi.mock('#web/features/files/structure-editor.tsx', () => ({ StructureEditor: () => null }))

const similar = 'GET /file_manager/compound_search?kind=similarity&smiles=CCO'
const substructure = 'GET /file_manager/compound_search?kind=substructure&smiles=c1ccccc1'

const compounds = () => within(screen.getByRole('region', { name: 'Compound' }))
const names = () =>
  within(screen.getByRole('listbox', { name: 'Compounds' }))
    .getAllByRole('option')
    .map((option) => option.textContent)

async function search(smiles: string, kind = 'similarity', button = 'Search by structure') {
  fireEvent.click(compounds().getByRole('button', { name: button }))
  await vi.waitFor(() => screen.getByLabelText('SMILES'), 50_000)
  const dialog = within(screen.getByRole('dialog', { name: 'Search by structure' }))
  fireEvent.change(dialog.getByLabelText('SMILES'), { target: { value: smiles } })
  fireEvent.change(dialog.getByLabelText('Find'), { target: { value: kind } })
  fireEvent.click(dialog.getByRole('button', { name: 'Search' }))
  await pass(40)
}

test('SPEC 19.18: the list shows what a structure finds, most similar first, until it is cleared', async () => {
  await openResults({
    [similar]: () =>
      Response.json({
        total: 2,
        compounds: [
          { name: 'imatinib', similarity: 0.8571 },
          { name: 'aspirin', similarity: 0.4 },
        ],
      }),
    [substructure]: () => Response.json({ total: 0, compounds: [] }),
  })
  await search(' CCO ')
  expect(names()).toEqual(['imatinibsimilarity 0.86', 'aspirinsimilarity 0.40'])
  compounds().getByText('2 matches')
  await search('c1ccccc1', 'substructure', 'Edit')
  compounds().getByText('No compounds match this structure.')
  fireEvent.click(compounds().getByRole('button', { name: 'Clear' }))
  await pass(20)
  expect(names().map((name) => name?.slice(0, 7))).toEqual(['aspirin', 'imatini'])
})

test('SPEC 19.18: a structure that cannot be read is refused in the dialog with the reason, and the list stays', async () => {
  await openResults({ [similar]: () => refuse(400, 'Ring 1 is opened here but never closed.') })
  await search('CCO')
  const dialog = within(screen.getByRole('dialog', { name: 'Search by structure' }))
  dialog.getByText('Ring 1 is opened here but never closed.')
  expect(dialog.getByLabelText<HTMLInputElement>('SMILES').value).toBe('CCO')
  expect(names()).toHaveLength(2)
})
