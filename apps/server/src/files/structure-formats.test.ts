/** Structures in other formats, as programs and archives write them. */
import { readFile } from 'node:fs/promises'
import { UploadAnswer } from '@pkdex/contract'
import { afterAll, expect, test } from 'vitest'
import { openTestSession } from '#test/factories.ts'
import { openTestFiles, openTestParsing, uploadTo } from '#test/open-test-files.ts'

const entries = new URL(
  '../../../../packages/biochem/src/pdb/fixtures/structures/',
  import.meta.url,
)
const parsingWorkers = openTestParsing()
const t = await openTestFiles({
  parsingWorkers,
})
afterAll(() => t.close())

test.each(['1A8O.cif.gz', '1A8O.pdb.gz'])(
  'SPEC 19.8: %s is read as its structure',
  async (filename) => {
    const user = await openTestSession(t.db)
    const targets = await upload(user, filename, await readFile(new URL(filename, entries)))
    expect(targets).toMatchObject([{ name: '1A8O', chain: 'A', residues: 70 }])
  },
)

test('SPEC 19.16: a FASTA sequence is a target without coordinates', async () => {
  const user = await openTestSession(t.db)
  const sequence = 'ILDIRQGPKEPFRDYVDRFYKTLRAEQASQEVKNWMTETLLVQNANPDCKTILKALGPAATLEEMMTACQ'
  const targets = await upload(user, 'capsid.fasta', Buffer.from(`>capsid\n${sequence}\n`))
  expect(targets).toMatchObject([
    { name: 'capsid', chain: 'A', residues: 70, report: { has_coordinates: false } },
  ])
})

async function upload(user: { headers: Record<string, string> }, filename: string, bytes: Buffer) {
  const sent = { type: 'protein_pdb', filename, content: bytes }
  return UploadAnswer.parse((await uploadTo(t.app, user.headers, sent)).json()).targets
}
