/** Both boxes must succeed, and skipped lines are passed to the results page. */
import { fireEvent, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { compoundNamed, targetNamed, uploadAnswer } from '#web/test/files.ts'
import { storeKey } from '#web/features/auth/session-key.ts'
import { refuse, serveCalls } from '#web/test/calls.ts'
import { renderRoutes } from '#web/test/screen.tsx'
import { PromptPage } from './prompt-page.tsx'

beforeEach(() => storeKey('pk-1'))

test('SPEC 2.7: when both boxes have reported a successful upload, the results open', async () => {
  const { pathname } = open()
  choose('Target(s) files', '1iep.pdb')
  await screen.findByText('1 target uploaded')
  expect(pathname()).toBe('/prompt')
  choose('Drug(s) files', 'kinases.txt')
  await waitFor(() => expect(pathname()).toBe('/results'))
})

test('SPEC 2.7: two uploads in one box do not count as both', async () => {
  const { pathname } = open()
  choose('Target(s) files', '1iep.pdb')
  await screen.findByText('1 target uploaded')
  choose('Target(s) files', '1iep.pdb')
  await screen.findByText('2 targets uploaded')
  expect(pathname()).toBe('/prompt')
})

test('SPEC 2.7: a failed box keeps the page', async () => {
  const { pathname } = open({ 'POST /file_manager/upload': () => refuse(500) })
  choose('Target(s) files', '1iep.pdb')
  await screen.findByText('Failed to upload protein files')
  choose('Drug(s) files', 'kinases.txt')
  await screen.findByText('Failed to upload compound files')
  expect(pathname()).toBe('/prompt')
})

test('SPEC 4.15: existing files count as success of their box', async () => {
  const { pathname } = open({
    'GET /dta/get_protein_names': () =>
      Response.json({ protein_names: ['1iep'], residues: [274], file_count: 1 }),
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Use my 1 existing file' }))
  expect(pathname()).toBe('/prompt')
  choose('Drug(s) files', 'kinases.txt')
  await waitFor(() => expect(pathname()).toBe('/results'))
})

test('a user who has targets can continue from the box of compounds', async () => {
  const { pathname } = open({
    'GET /dta/get_protein_names': () =>
      Response.json({ protein_names: ['1iep', 'MET'], residues: [274, 300], file_count: 1 }),
  })
  choose('Drug(s) files', 'kinases.txt')
  await userEvent.click(await screen.findByRole('button', { name: 'Continue with my 2 targets' }))
  await waitFor(() => expect(pathname()).toBe('/results'))
})

test('measured values of an uploaded table are imported next', async () => {
  const { pathname, state } = open({
    'GET /dta/get_protein_names': () =>
      Response.json({ protein_names: ['MET'], residues: [300], file_count: 1 }),
  })
  await userEvent.click(screen.getByRole('button', { name: 'Paste or import compounds' }))
  const table = new File(['ID,SMILES,IC50 (nM)\nJK-1,CCO,5'], 'jak.csv')
  await userEvent.upload(await screen.findByLabelText('Compound table'), table)
  await userEvent.click(await screen.findByRole('checkbox', { name: /^Then import “IC50/ }))
  await userEvent.click(screen.getByRole('button', { name: 'Upload 1 compound' }))
  await waitFor(() => expect(pathname()).toBe('/measurements'))
  expect(state()).toEqual({ table })
})

test('skipped lines are shown again with the results', async () => {
  const { pathname, state } = open()
  choose('Target(s) files', '1iep.pdb')
  await screen.findByText('1 target uploaded')
  choose('Drug(s) files', 'kinases.txt')
  await waitFor(() => expect(pathname()).toBe('/results'))
  expect(state()).toMatchObject({
    notices: [{ filename: 'kinases.txt', rejected: [{ line: 4, text: 'CCX' }] }],
  })
})

test('the page has a title, and its heading comes first', async () => {
  open()
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Upload targets and compounds')
  expect(document.title).toBe('Upload · pKdex')
})

function open(handlers: Parameters<typeof serveCalls>[0] = {}) {
  serveCalls({
    'GET /dta/get_protein_names': () => Response.json({ protein_names: [] }),
    'GET /dta/get_compound_names': () => Response.json({ compound_names: [] }),
    'GET /visualization/protein/1iep?theme=light': () => refuse(404),
    'POST /file_manager/upload': ({ body }) =>
      Response.json(
        (body as FormData).get('file_type') === 'protein_pdb'
          ? uploadAnswer({ targets: [targetNamed('1iep')] })
          : uploadAnswer({
              filename: 'kinases.txt',
              compounds: [compoundNamed('acetate')],
              rejected: [{ line: 4, text: 'CCX', reason: 'X is no element.' }],
            }),
      ),
    ...handlers,
  })
  const router = renderRoutes(
    { '/prompt': <PromptPage />, '/results': <p>Results</p>, '/measurements': <p>Values</p> },
    '/prompt',
  )
  return {
    pathname: () => router.state.location.pathname,
    state: (): unknown => router.state.location.state,
  }
}

function choose(label: string, name: string) {
  const input = screen.getByLabelText(label)
  fireEvent.change(input, { target: { files: [new File(['content'], name)] } })
}
