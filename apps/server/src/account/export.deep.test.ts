/** The zip contains all data of a user, and no data of other users. */
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { afterAll, expect, test } from 'vitest'
import { plainEstimates } from '#test/plain-estimates.ts'
import { readTestZip } from '#test/read-test-zip.ts'
import { openTestSession, type TestSession } from '#test/factories.ts'
import { openTestProduct } from '#test/open-test-product.ts'
import { openSnapshots } from '#server/platform/db/snapshots.ts'
import { noStructures } from '#server/predictions/no-structures.ts'
import { exportAccount } from './export.ts'

const t = await openTestProduct()
afterAll(() => t.close())

const amprenavir = 'CC(C)CN(C[C@H]([C@H](Cc1ccccc1)NC(=O)O[C@H]2CCOC2)O)S(=O)(=O)c3ccc(cc3)N'
const sampleStructure = new URL('../../../../samples/1hpv.pdb', import.meta.url)

test('SPEC 23.4, 31.7: the zip contains the original files and a table of each kind of the user’s data', async () => {
  const [user, other] = [await openTestSession(t.db), await openTestSession(t.db)]
  const structure = await readFile(sampleStructure, 'utf8')
  const compounds = 'SMILES\tName\tBatch\nCCO\tethanol\tB-7\nCCN\tamine'
  await t.upload(user.headers, 'drug_smiles', 'my compounds.txt', compounds)
  await t.upload(user.headers, 'protein_pdb', 'kinase.pdb', structure)
  await t.upload(other.headers, 'drug_smiles', 'secret.txt', 'CCCl hidden')
  const post = (url: string, payload: object, method: 'POST' | 'PUT' | 'PATCH' = 'POST') =>
    t.app.inject({ method, url, payload, headers: { ...user.headers, prefer: 'respond-async' } })
  await post('/dta/predict', { protein_id: 'kinase', compound_id: 'ethanol' })
  await post('/measurements', { target: 'kinase', text: 'amine,12 nM' })
  const listed = { target: 'kinase', list: 'make', smiles: ['CCCN'], listed: true }
  await post('/series/lists', listed, 'PUT')
  await post(
    '/series/lists',
    { target: 'kinase', make_name: 'First round', make_tags: ['May', 'hot'] },
    'PATCH',
  )
  await post('/poses/own-ligand', { target: 'kinase', smiles: amprenavir }, 'PUT')
  const screen = { targets: ['kinase'], compounds: ['ethanol', 'amine'] }
  const { id } = (await post('/screens', screen)).json()
  await post(`/screens/${id}`, { tags: ['MET', 'round 2'] }, 'PATCH')
  // As of compounds that an earlier version stored.
  await t.db.updateTable('compounds').set({ properties: null }).execute()
  const files = await download(user)
  expect(Object.keys(files).toSorted()).toEqual(
    [
      'account.csv',
      'comments.csv',
      'compounds.csv',
      'files/1 kinase.pdb',
      'files/2 my compounds.txt',
      'ledger.csv',
      'make_lists.csv',
      'measurements.csv',
      'own_ligands.csv',
      'predictions.csv',
      `screens/${id}.csv`,
      'screens.csv',
      'shares.csv',
      'sign_ins.csv',
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
  expect(files['predictions.csv']).toMatch(
    /,pKd,Lower 95%,Upper 95%,pKd \(sequence\),.*,Model version,/,
  )
  expect(files['predictions.csv']).toMatch(/kinase,[AB],ethanol,PENDING/)
  expect(files['measurements.csv']).toContain('kinase,amine,CCN,Kd,')
  expect(files['make_lists.csv']).toMatch(/kinase,make,CCCN,.*,First round,"May, hot"/)
  expect(files['screens.csv']).toContain('"MET, round 2"')
  expect(files['own_ligands.csv']).toMatch(/kinase,CC\(C\)CN.*,"own ligand/)
  expect(linesOf(files['ledger.csv']).length).toBeGreaterThan(2)
  expect(linesOf(files[`screens/${id}.csv`])).toMatchObject([
    expect.stringMatching(/,reason,MW,.*,Alerts,Model version,Screen,Batch$/),
    expect.stringMatching(/^1,ethanol,.*,46\.069,.*,B-7$/),
    expect.stringMatching(/^2,amine,.*,$/),
  ])
  expect(JSON.stringify(files)).not.toMatch(/hidden|secret|CCCl/)
})

/** The users of this test have no poses. */
function parts() {
  return { db: t.db, poses: noStructures.poses, now: t.clock.now }
}

test('a file deleted during the export is skipped', async () => {
  const files = await download(await openTestSession(t.db))
  expect(linesOf(files['predictions.csv'])).toHaveLength(1)
  expect(linesOf(files['account.csv'])).toHaveLength(2)
})

test('a file deleted while the export is being written is left out', async () => {
  const { headers, userId } = await openTestSession(t.db)
  // More than the stream buffers. The first is read at once, so only the second waits for the reader of the zip.
  const large = { 'a kept.txt': 'CCO ethanol', 'b kept.txt': 'CCCO propanol' }
  for (const [name, line] of Object.entries(large)) {
    const comments = Array.from({ length: 2000 }, () => `# ${randomBytes(600).toString('base64')}`)
    await t.upload(headers, 'drug_smiles', name, `${line}\n${comments.join('\n')}`)
  }
  await t.upload(headers, 'drug_smiles', 'c gone.txt', 'CCN amine')
  const { files } = (await t.app.inject({ url: '/file_manager/files', headers })).json()
  const gone = files.find(({ filename }: { filename: string }) => filename === 'c gone.txt')
  const zip = await exportAccount(
    {
      ...parts(),
      best: plainEstimates,
      readFacts: async () => new Map(),
      snapshots: openSnapshots(t),
    },
    userId,
  )
  const url = `/file_manager/files/${gone.file_id}`
  expect((await t.app.inject({ method: 'DELETE', url, headers })).statusCode).toBe(200)
  const written = await buffer(zip)
  expect(written.includes('b kept.txt')).toBe(true)
  expect(written.includes('c gone.txt')).toBe(false)
})

async function download({ headers }: TestSession): Promise<Record<string, string>> {
  const answer = await t.app.inject({ url: '/account/export', headers })
  expect(answer.statusCode).toBe(200)
  expect(answer.headers['content-type']).toBe('application/zip')
  return Object.fromEntries(await readTestZip(answer.rawPayload))
}

function linesOf(text = ''): string[] {
  return text.trimEnd().split('\r\n')
}
