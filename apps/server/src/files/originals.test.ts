/** A table that compounds were imported from is kept as it is, under its own name. */
import { UploadAnswer } from '@pkdex/contract'
import { afterAll, expect, test } from 'vitest'
import { uploadTo } from '#test/open-test-files.ts'
import { openTestProduct } from '#test/open-test-product.ts'
import { openTestSession } from '#test/factories.ts'
import { readTestZip } from '#test/read-test-zip.ts'

const t = await openTestProduct()
afterAll(() => t.close())

const original = { filename: 'jak_eln.csv', content: 'ID;SMILES;IC50\r\nJK-1;CCO;1,2' }

async function importTable(sent: Partial<Parameters<typeof uploadTo>[2]> = {}) {
  const user = await openTestSession(t.db)
  const file = { type: 'drug_smiles', filename: 'jak_eln.txt', content: 'CCO JK-1' }
  const answer = await uploadTo(t.app, user.headers, { ...file, original, ...sent })
  const get = (url: string) => t.app.inject({ method: 'GET', url, headers: user.headers })
  return { answer, get, user }
}

test('SPEC 23.9: the original table and its name are stored, listed and returned', async () => {
  const { answer, get } = await importTable()
  const read = UploadAnswer.parse(answer.json())
  expect(read).toMatchObject({ filename: 'jak_eln.csv', names: ['JK-1'] })
  const { files } = (await get('/file_manager/files')).json()
  expect(files).toMatchObject([{ filename: 'jak_eln.csv', size_bytes: original.content.length }])
  const names = (await get('/dta/get_compound_names')).json()
  expect(names).toMatchObject({ compound_names: ['JK-1'], file_names: ['jak_eln.csv'] })
  const zip = await readTestZip((await get('/account/export')).rawPayload)
  expect(zip.get('files/1 jak_eln.csv')).toBe(original.content)
})

test('a kept table is renamed with its own extension', async () => {
  const { get, user } = await importTable()
  const { files } = (await get('/file_manager/files')).json<{ files: { file_id: string }[] }>()
  const rename = (filename: string) =>
    t.app.inject({
      method: 'PATCH',
      url: `/file_manager/files/${files[0]?.file_id}`,
      headers: user.headers,
      payload: { filename },
    })
  expect((await rename('May.txt')).statusCode).toBe(415)
  expect((await rename('May.csv')).json()).toEqual({ filename: 'May.csv' })
})

test('a second file, an original of a structure and an original without a name change nothing else', async () => {
  const nameless = await importTable({ original: { ...original, filename: '\u200b' } })
  expect(nameless.answer.statusCode).toBe(400)
  const structure = await importTable({ type: 'protein_pdb', filename: 'x.pdb', content: 'no' })
  expect(structure.answer.statusCode).toBe(422)
})
