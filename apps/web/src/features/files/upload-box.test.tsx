/** One box of the upload page, with the server's answers in the shape of the contract. */
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { storeKey } from '#web/features/auth/session-key.ts'
import { refuse } from '#web/test/calls.ts'
import { compoundNamed, targetNamed, uploadAnswer } from '#web/test/files.ts'
import {
  choose,
  drop,
  isUpload,
  nameOf,
  openBox,
  theInput,
  UPLOAD,
  uploads,
} from '#web/test/upload-box.tsx'
import { compoundUploads, targetUploads } from './upload-kinds.ts'

beforeEach(() => storeKey('pk-1'))

test.each([
  [targetUploads, 'Target(s)', '.pdb'],
  [compoundUploads, 'Drug(s)', '.txt'],
])('SPEC 2.4, SPEC 9.4: box %# is called %s and accepts its extension', (kind, title, accepted) => {
  openBox(kind)
  const box = screen.getByRole('region', { name: title })
  within(box).getByText(`Drop ${accepted} files here`)
  expect(theInput().accept).toBe(accepted)
  expect(theInput().multiple).toBe(true)
})

test.each([
  [targetUploads, 'ligand.sdf', 'Only .pdb files are accepted'],
  [targetUploads, 'pdb', 'Only .pdb files are accepted'],
  [compoundUploads, 'kinase_set.sdf', 'Only .txt files are accepted'],
])('SPEC 5.1: dropped into box %#, %s shows %s and is not uploaded', async (kind, name, text) => {
  const { calls, onSuccess } = openBox(kind)
  await drop(name)
  const alert = screen.getByRole('alert')
  within(alert).getByText(text)
  within(alert).getByText(`${name} was not uploaded`)
  expect(uploads(calls)).toEqual([])
  expect(onSuccess).not.toHaveBeenCalled()
})

test.each([
  [targetUploads, ['ligand.sdf', 'set.txt'], 'Drop compounds on Drug(s).'],
  [compoundUploads, ['1iep.PDB'], 'Drop structures on Target(s).'],
])('box %#: the message says where %o belongs', async (kind, names, hint) => {
  openBox(kind)
  await drop(...names)
  within(screen.getByRole('alert')).getByText(hint)
})

test('SPEC 5.1: a dropped table is not uploaded, but can be imported as a table', async () => {
  openBox(compoundUploads)
  await drop('set.csv')
  const alert = within(screen.getByRole('alert'))
  alert.getByText('Only .txt files are accepted')
  await userEvent.click(alert.getByRole('button', { name: 'Import it as a table' }))
  await screen.findByText('set.csv')
})

test.each([
  [targetUploads, ['set.csv']],
  [compoundUploads, ['notes.md']],
  [compoundUploads, ['a.csv', 'b.csv']],
])('box %# offers no import of %o', async (kind, names) => {
  openBox(kind)
  await drop(...names)
  expect(screen.queryByRole('button', { name: 'Import it as a table' })).toBeNull()
})

test('SPEC 5.1: one wrong file in a drop stops all uploads, and each wrong file is named', async () => {
  const { calls } = openBox(targetUploads)
  await drop('1iep.pdb', 'notes.md')
  screen.getByText('2 files were not uploaded')
  screen.getByText('1iep.pdb')
  screen.getByText('Only .pdb files are accepted')
  expect(uploads(calls)).toEqual([])
})

test('SPEC 5.2: a dropped file may have its extension in capitals', async () => {
  const { calls } = openBox(targetUploads)
  await drop('1IEP.PDB')
  await waitFor(() => expect(uploads(calls)).toEqual(['1IEP.PDB']))
})

test('SPEC 5.3: a selected file is limited only by the accept attribute', async () => {
  const { calls } = openBox(targetUploads)
  choose('model.ent')
  await waitFor(() => expect(uploads(calls)).toEqual(['model.ent']))
})

test('SPEC 5.4: without a key the message is Authentication required, and nothing is uploaded', async () => {
  const { calls } = openBox(targetUploads)
  localStorage.removeItem('API-key')
  await drop('1iep.pdb')
  within(screen.getByRole('alert')).getByText('Authentication required')
  screen.getByRole('button', { name: 'Return to Login' })
  expect(uploads(calls)).toEqual([])
})

test('SPEC 2.5, SPEC 7.4: several files are sent one by one, each with its type', async () => {
  const { calls, onSuccess } = openBox(compoundUploads)
  await drop('a.txt', 'b.txt')
  await waitFor(() => expect(onSuccess).toHaveBeenCalledOnce())
  expect(uploads(calls)).toEqual(['a.txt', 'b.txt'])
  const types = calls.filter(isUpload).map(({ body }) => (body as FormData).get('file_type'))
  expect(types).toEqual(['drug_smiles', 'drug_smiles'])
})

test('SPEC 4.14: Uploading... is shown until the server has responded', async () => {
  const answer = Promise.withResolvers<Response>()
  const { onSuccess } = openBox(targetUploads, { [UPLOAD]: () => answer.promise })
  choose('1iep.pdb')
  await screen.findByText('Uploading...')
  screen.getByRole('progressbar', { name: 'Upload' })
  expect(onSuccess).not.toHaveBeenCalled()
  await act(async () =>
    answer.resolve(Response.json(uploadAnswer({ targets: [targetNamed('1iep')] }))),
  )
  await screen.findByText('1 target uploaded')
  expect(screen.queryByText('Uploading...')).toBeNull()
})

test('SPEC 4.15: a box reports its success to the page', async () => {
  const { onSuccess } = openBox(targetUploads)
  choose('1iep.pdb')
  await waitFor(() => expect(onSuccess).toHaveBeenCalledOnce())
})

test.each([
  [
    targetUploads,
    refuse(422, 'There is no protein in this file.'),
    'There is no protein in this file.',
  ],
  [targetUploads, refuse(500), 'Failed to upload protein files'],
  [compoundUploads, refuse(500), 'Failed to upload compound files'],
  [compoundUploads, null, 'Failed to upload compound files'],
])('SPEC 8.6: in box %#, %o on upload shows %s', async (kind, answer, text) => {
  const { onSuccess } = openBox(kind, {
    [UPLOAD]: () => answer ?? Promise.reject(new TypeError('offline')),
  })
  choose(`x${kind.accepted}`)
  const alert = await screen.findByRole('alert')
  within(alert).getByText(text)
  expect(onSuccess).not.toHaveBeenCalled()
})

test('a failure among several files is shown before the page moves on', async () => {
  const { onSuccess } = openBox(targetUploads, {
    [UPLOAD]: (call) =>
      nameOf(call) === 'dna.pdb'
        ? refuse(422, 'There is no protein in this file.')
        : Response.json(uploadAnswer({ targets: [targetNamed('1iep')] })),
  })
  choose('1iep.pdb', 'dna.pdb')
  await screen.findByText('dna.pdb was not uploaded')
  screen.getByText('1 target uploaded')
  expect(onSuccess).not.toHaveBeenCalled()
  await userEvent.click(screen.getByRole('button', { name: 'Continue' }))
  expect(onSuccess).toHaveBeenCalledOnce()
})

test('an expired key stops the remaining files, with one message', async () => {
  const { calls } = openBox(targetUploads, { [UPLOAD]: () => refuse(401, 'Sign in again.') })
  choose('a.pdb', 'b.pdb', 'c.pdb')
  await screen.findByText('3 files were not uploaded')
  screen.getByText('Sign in again.')
  expect(uploads(calls)).toEqual(['a.pdb'])
})

test('a target’s report lists chains, the used one, gaps, mapped and ignored parts, and warnings', async () => {
  openBox(targetUploads)
  choose('1iep.pdb')
  await screen.findByText('1 target uploaded')
  expect(facts()).toEqual({
    Chains: 'A (274 residues), B (270), C (12 nucleotides)',
    'Chain used': 'Chain A, longest chain',
    Gaps: 'None in chain A',
    'Renamed residues': '5 MSE → MET',
    Ignored: '2 ligands (STI), 168 waters',
  })
  screen.getByText('Only the first of 20 models is used.')
  screen.getByText('349.07 KB')
})

test('existing files are counted as files: two with one name are two', async () => {
  openBox(targetUploads, {
    'GET /dta/get_protein_names': () =>
      Response.json({ protein_names: ['model', 'model (2)'], residues: [9, 9], file_count: 2 }),
  })
  await screen.findByRole('button', { name: 'Use my 2 existing files' })
})

test('another chain can be selected, and the report follows', async () => {
  const { calls } = openBox(targetUploads)
  choose('1iep.pdb')
  await userEvent.click(await screen.findByRole('button', { name: 'Use another chain' }))
  await userEvent.selectOptions(screen.getByLabelText('Chain'), 'B')
  expect(facts()['Chain used']).toBe('Chain A, longest chain')
  await userEvent.click(screen.getByRole('button', { name: 'Use this chain' }))
  await waitFor(() => expect(facts()['Chain used']).toBe('Chain B, selected by you'))
  expect(facts()['Gaps']).toBe('1 in chain B: 386 to 391 (4 missing)')
  expect(calls.find(({ name }) => name.startsWith('PUT'))).toMatchObject({
    name: 'PUT /file_manager/targets/1iep/chain',
    body: { chain: 'B' },
  })
})

test('a compound file’s report lists every molecule and the skipped lines', async () => {
  const { onSuccess } = openBox(compoundUploads, {
    [UPLOAD]: () =>
      Response.json(
        uploadAnswer({
          filename: 'kinases.txt',
          compounds: [compoundNamed('acetate'), compoundNamed('acetate (2)')],
          renamed: [{ from: 'acetate', to: 'acetate (2)' }],
          rejected: [{ line: 4, text: 'CCX', reason: 'X is no element.' }],
        }),
      ),
  })
  choose('kinases.txt')
  await screen.findByText('2 compounds uploaded')
  const [acetate] = within(screen.getByRole('list', { name: 'Compounds' })).getAllByRole('listitem')
  expect(acetate?.textContent).toContain('Removed: [Na+]Neutralised: 1 charge')
  screen.getByText('1 line of kinases.txt skipped')
  screen.getByText('X is no element.')
  screen.getByText(/saved as acetate \(2\)\./)
  expect(onSuccess).toHaveBeenCalledOnce()
})

test('a returning user can continue with existing files', async () => {
  const { calls, onSuccess } = openBox(compoundUploads, {
    'GET /dta/get_compound_names': () =>
      Response.json({ compound_names: ['a', 'b'], masses: [46, 46], file_count: 1 }),
  })
  // Two molecules, but one file.
  await userEvent.click(await screen.findByRole('button', { name: 'Use my 1 existing file' }))
  expect(onSuccess).toHaveBeenCalledOnce()
  expect(uploads(calls)).toEqual([])
  screen.getByText('Using your existing files')
})

test('a chain selected during an upload stays selected in the report', async () => {
  const chosen = Promise.withResolvers<Response>()
  const more = Promise.withResolvers<Response>()
  openBox(targetUploads, {
    'PUT /file_manager/targets/1iep/chain': () => chosen.promise,
    [UPLOAD]: (call) =>
      nameOf(call) === '1iep.pdb'
        ? Response.json(uploadAnswer({ targets: [targetNamed('1iep')] }))
        : more.promise,
  })
  choose('1iep.pdb')
  await userEvent.click(await screen.findByRole('button', { name: 'Use another chain' }))
  await userEvent.selectOptions(screen.getByLabelText('Chain'), 'B')
  await userEvent.click(screen.getByRole('button', { name: 'Use this chain' }))
  choose('2src.pdb')
  await screen.findByText('Uploading...')
  await act(async () => chosen.resolve(Response.json(targetNamed('1iep', 'B'))))
  await act(async () =>
    more.resolve(Response.json(uploadAnswer({ targets: [targetNamed('2src')] }))),
  )
  await screen.findByText('2 targets uploaded')
  screen.getByText('Chain B, selected by you')
})

function facts(): Record<string, string | null> {
  return Object.fromEntries(
    screen
      .getAllByRole('term')
      .map((term) => [term.textContent, term.nextElementSibling?.textContent ?? null]),
  )
}

test('mmCIF and compressed structures have their own picker; dropped files are checked as before', async () => {
  const { calls } = openBox(targetUploads)
  const further = screen.getByLabelText<HTMLInputElement>('Target(s), other formats')
  expect(further.accept.split(',')).toContain('.cif')
  fireEvent.change(further, { target: { files: [new File(['data_x'], '1a8o.cif.gz')] } })
  await waitFor(() => expect(uploads(calls)).toEqual(['1a8o.cif.gz']))
  openBox(compoundUploads)
  expect(screen.queryByLabelText('Drug(s), other formats')).toBeNull()
})
