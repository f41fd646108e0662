import { expect, test } from 'vitest'
import { refuse, serveCalls } from '#web/test/calls.ts'
import { upload } from './upload.ts'

test('SPEC 3.2: an upload sends file and file_type', async () => {
  const calls = serveCalls({ 'POST /file_manager/upload': () => refuse(415, 'Not a PDB file.') })
  const sending = upload({
    file: new File(['ATOM'], '1iep.pdb'),
    fileType: 'protein_pdb',
    onProgress: () => undefined,
    signal: new AbortController().signal,
  })
  await expect(sending).rejects.toThrow('Not a PDB file.')
  const form = calls[0]?.body as FormData
  expect(form.get('file_type')).toBe('protein_pdb')
  expect((form.get('file') as File).name).toBe('1iep.pdb')
})
