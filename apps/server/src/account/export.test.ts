/** Everything of a user in one zip, and nothing of anybody else. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readTestZip } from '#server/admin-database/read-test-zip.ts'
import { openTestSession, type TestSession } from '#server/auth/open-test-session.ts'
import { openTestProduct, type TestProduct } from '#server/main/open-test-product.ts'

let t: TestProduct
let folder: string
beforeAll(async () => {
  t = await openTestProduct()
  folder = await mkdtemp(join(tmpdir(), 'account-export-'))
})
afterAll(async () => {
  await t.close()
  await rm(folder, { recursive: true })
})

const sampleStructure = new URL('../../../../samples/1hpv.pdb', import.meta.url)

test('the zip holds files as they were uploaded, and every table with what is the user’s', async () => {
  const [user, other] = [await openTestSession(t.db), await openTestSession(t.db)]
  const structure = await readFile(sampleStructure, 'utf8')
  const compounds = 'SMILES\tName\tBatch\nCCO\tethanol\tB-7\nCCN\tamine'
  await t.upload(user.headers, 'drug_smiles', 'my compounds.txt', compounds)
  await t.upload(user.headers, 'protein_pdb', 'kinase.pdb', structure)
  await t.upload(other.headers, 'drug_smiles', 'secret.txt', 'CCCl hidden')
  const post = (url: string, payload: object) =>
    t.app.inject({
      method: 'POST',
      url,
      headers: { ...user.headers, prefer: 'respond-async' },
      payload,
    })
  await post('/dta/predict', { protein_id: 'kinase', compound_id: 'ethanol' })
  await post('/measurements', { target: 'kinase', text: 'amine,12 nM' })
  const screen = { targets: ['kinase'], compounds: ['ethanol', 'amine'] }
  const { id } = (await post('/screens', screen)).json()
  const files = await download(user)
  expect(Object.keys(files).toSorted()).toEqual(
    [
      'account.csv',
      'compounds.csv',
      'files/1 kinase.pdb',
      'files/2 my compounds.txt',
      'ledger.csv',
      'measurements.csv',
      'predictions.csv',
      `screens/${id}.csv`,
      'screens.csv',
      'targets.csv',
    ].toSorted(),
  )
  expect(files['files/2 my compounds.txt']).toBe(compounds)
  expect(files['files/1 kinase.pdb']).toBe(structure)
  expect(linesOf(files['compounds.csv'])).toMatchObject([
    expect.stringMatching(/^name,smiles/),
    expect.stringMatching(
      /^ethanol,CCO,CCO,46\.\d+,my compounds\.txt,.*,"\{ ""Batch"" : ""B-7"" \}"$/,
    ),
    expect.stringMatching(/^amine,CCN,/),
  ])
  expect(files['targets.csv']).toMatch(/kinase,[AB],\d+,kinase\.pdb/)
  expect(files['predictions.csv']).toMatch(/kinase,[AB],ethanol,PENDING/)
  expect(files['measurements.csv']).toContain('kinase,amine,CCN,Kd,')
  expect(linesOf(files['ledger.csv']).length).toBeGreaterThan(2)
  expect(linesOf(files[`screens/${id}.csv`])).toMatchObject([
    expect.stringMatching(/,reason,Batch$/),
    expect.stringMatching(/^1,ethanol,.*,B-7$/),
    expect.stringMatching(/^2,amine,.*,$/),
  ])
  expect(JSON.stringify(files)).not.toMatch(/hidden|secret|CCCl/)
})

test('an account with nothing in it is a zip with empty tables', async () => {
  const files = await download(await openTestSession(t.db))
  expect(linesOf(files['predictions.csv'])).toHaveLength(1)
  expect(linesOf(files['account.csv'])).toHaveLength(2)
})

async function download({ headers }: TestSession): Promise<Record<string, string>> {
  const answer = await t.app.inject({ url: '/account/export', headers })
  expect(answer.statusCode).toBe(200)
  expect(answer.headers['content-type']).toBe('application/zip')
  const path = join(folder, 'export.zip')
  await writeFile(path, answer.rawPayload)
  const files: Record<string, string> = {}
  const names = await readTestZip(path, (name, piece) => {
    files[name] = (files[name] ?? '') + piece
  })
  expect(new Set(names).size).toBe(names.length)
  return files
}

function linesOf(text = ''): string[] {
  return text.trimEnd().split('\r\n')
}
