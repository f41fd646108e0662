/** Poses as the API returns them. */
import { readFile } from 'node:fs/promises'
import {
  downloadPose,
  keepOwnLigand,
  OWN_LIGAND,
  POSE_LABEL,
  PoseReferences,
  readPose,
  readReferences,
  readUsage,
} from '@pkdex/contract'
import { afterAll, expect, test } from 'vitest'
import { openTestSession } from '#test/factories.ts'
import { openTestProduct } from '#test/open-test-product.ts'

const sample = await readFile(new URL('../../../../samples/1hpv.pdb', import.meta.url), 'utf8')
const compounds = [
  'CC(C)CN(C[C@H]([C@H](Cc1ccccc1)NC(=O)O[C@H]2CCOC2)O)S(=O)(=O)c3ccc(cc3)N amprenavir',
  'ClC(Cl)Cl chloroform',
].join('\n')

const t = await openTestProduct()
const user = await openTestSession(t.db)
await t.upload(user.headers, 'protein_pdb', '1hpv.pdb', sample)
await t.upload(user.headers, 'protein_pdb', 'empty.pdb', withoutLigand(sample))
await t.upload(user.headers, 'drug_smiles', 'compounds.txt', compounds)
afterAll(() => t.close())

function withoutLigand(text: string): string {
  return text.replaceAll(/^HETATM.*\n/gm, '')
}

/** The structure with its ligand twice: the second copy is smaller and has another name. */
function withTwoLigands(text: string): string {
  const ligand = text
    .split('\n')
    .filter((line) => line.startsWith('HETATM') && line.slice(17, 20) === '478')
  const part = ligand
    .slice(0, 20)
    .map((line) => `${line.slice(0, 17)}ABX${line.slice(20, 22)} 900${line.slice(26)}`)
  return text.replace(/^CONECT/m, `${part.join('\n')}\nCONECT`)
}

function ask(query: Record<string, string>, headers = user.headers) {
  return t.app.inject({ url: readPose.path, query, headers })
}

async function readAnswer(query: Record<string, string>) {
  const answer = await ask(query)
  expect(answer.statusCode).toBe(200)
  return readPose.answer.parse(answer.json())
}

test('SPEC 29.1: a compound is placed on the ligand of the structure, with its contacts in words, and is labelled as a model', async () => {
  const placed = await readAnswer({ target: '1hpv', compound: 'amprenavir' })
  expect(placed).toMatchObject({
    chain: 'A',
    label: POSE_LABEL,
    reference: '478 200 _',
    references: [{ id: '478 200 _', heavy_atoms: 35 }],
    reason: null,
    pose: { core_atoms: 35, heavy_atoms: 35, keeps_stereo: true },
  })
  expect(placed.pose?.energy).toBeLessThan(-10)
  expect(placed.pose?.contacts.map(({ words }) => words).join('\n')).toContain('of ASP 25')
  expect(placed.pose?.sdf).toContain(POSE_LABEL)
})

test('SPEC 29.2: a compound that cannot be placed says why, and so does a structure without a ligand', async () => {
  const different = await readAnswer({ target: '1hpv', compound: 'chloroform' })
  expect(different.pose).toBeNull()
  expect(different.reason).toMatch(/^Too different from the reference ligand/)
  const empty = await readAnswer({ target: 'empty', compound: 'amprenavir' })
  expect(empty).toMatchObject({ pose: null, reference: null, references: [] })
  expect(empty.reason).toMatch(/^This structure has no ligand to place compounds on/)
})

test('SPEC 29.3: the caller can select one of several ligands', async () => {
  await t.upload(user.headers, 'protein_pdb', 'two.pdb', withTwoLigands(sample))
  const suggested = await readAnswer({ target: 'two', compound: 'amprenavir' })
  const ids = suggested.references.map(({ id }) => id)
  expect(ids[0]).toBe('478 200 _')
  expect(ids).toHaveLength(2)
  const other = await readAnswer({ target: 'two', compound: 'amprenavir', reference: ids[1] ?? '' })
  expect(other.reference).toBe(ids[1])
  const missing = await readAnswer({ target: 'two', compound: 'amprenavir', reference: 'ATP 1 A' })
  expect(missing.reason).toBe('This structure has no ligand “ATP 1 A”.')
})

test('SPEC 29.4: a pose can be downloaded as SDF, and with its pocket as PDB', async () => {
  const download = (format: string, compound = 'amprenavir') =>
    t.app.inject({
      url: downloadPose.path,
      query: { target: '1hpv', compound, format },
      headers: user.headers,
    })
  const sdf = await download('sdf')
  expect(sdf.headers['content-type']).toContain('chemical/x-mdl-sdfile')
  expect(sdf.body.split('\n')[0]).toBe('amprenavir')
  const pdb = await download('pdb')
  expect(pdb.headers['content-disposition']).toBe('attachment; filename="pose.pdb"')
  expect(pdb.body).toContain(`REMARK   3 ${POSE_LABEL}`)
  expect(pdb.body).toMatch(/^HETATM.* LIG Z/m)
  expect(pdb.body).not.toMatch(/^HETATM.* 478 /m)
  expect((await download('sdf', 'chloroform')).statusCode).toBe(422)
})

const askReferences = (target: string) =>
  t.app.inject({ url: readReferences.path, query: { target }, headers: user.headers })
const give = (payload: object, headers = user.headers) =>
  t.app.inject({ method: 'PUT', url: keepOwnLigand.path, payload, headers })
const removeLigand = (target: string) =>
  t.app.inject({
    method: 'DELETE',
    url: keepOwnLigand.path,
    query: { target },
    headers: user.headers,
  })

test('SPEC 29.15: compounds are placed on the ligand in the user’s SDF if the structure has none', async () => {
  const { pose } = await readAnswer({ target: '1hpv', compound: 'amprenavir' })
  const sdf = pose?.sdf ?? ''
  const given = PoseReferences.parse((await give({ target: 'empty', sdf })).json())
  expect(given).toMatchObject({
    target: 'empty',
    references: [{ id: OWN_LIGAND, heavy_atoms: 35 }],
    own: { heavy_atoms: 35, coordinates_of: null, smiles: expect.stringContaining('S(=O)(=O)') },
  })
  const placed = await readAnswer({ target: 'empty', compound: 'amprenavir' })
  expect(placed).toMatchObject({ reference: OWN_LIGAND, pose: { core_atoms: 35, similarity: 1 } })
  expect(placed.own_ligand).toContain('V2000')
  const pdb = await t.app.inject({
    url: downloadPose.path,
    query: { target: 'empty', compound: 'amprenavir', format: 'pdb' },
    headers: user.headers,
  })
  expect(pdb.body).toMatch(/^HETATM.* LIG Z/m)
  expect(PoseReferences.parse((await removeLigand('empty')).json())).toMatchObject({
    references: [],
    own: null,
  })
  const after = await readAnswer({ target: 'empty', compound: 'amprenavir' })
  expect(after).toMatchObject({ reference: null, own_ligand: null })
})

test('SPEC 29.15: a SMILES gets the coordinates of the same ligand in the structure, and the ligand of the structure can still be selected', async () => {
  const given = await give({ target: '1hpv', smiles: compounds.split(' ')[0] })
  expect(PoseReferences.parse(given.json())).toMatchObject({
    references: [{ id: OWN_LIGAND }, { id: '478 200 _' }],
    own: { coordinates_of: '478 200 _' },
  })
  const suggested = await readAnswer({ target: '1hpv', compound: 'amprenavir' })
  expect(suggested.reference).toBe(OWN_LIGAND)
  const chosen = { target: '1hpv', compound: 'amprenavir', reference: '478 200 _' }
  expect(await readAnswer(chosen)).toMatchObject({ reference: '478 200 _', own_ligand: null })
  await removeLigand('1hpv')
  expect((await askReferences('1hpv')).json()).toMatchObject({
    references: [{ id: '478 200 _' }],
    own: null,
  })
})

test('SPEC 29.16: a ligand that compounds cannot be placed on is refused with the reason, and nothing is stored', async () => {
  const { pose } = await readAnswer({ target: '1hpv', compound: 'amprenavir' })
  const sdf = pose?.sdf ?? ''
  const far = sdf.replaceAll(/^( +-?\d+\.\d{4})(?=.*[A-Z])/gm, (x) =>
    (Number(x) + 90).toFixed(4).padStart(10),
  )
  const refusals: [object, string][] = [
    [{ sdf: far }, 'The ligand is not in the pocket: it is'],
    [{ sdf: 'nothing' }, 'The SDF cannot be read.'],
    [{ smiles: 'c1ccccc1CCO' }, 'A SMILES has no coordinates'],
    [{ smiles: 'c1ccccc1', sdf }, 'Send either sdf or smiles.'],
    [{}, 'Send either sdf or smiles.'],
  ]
  for (const [ligand, reason] of refusals) {
    const refused = await give({ target: '1hpv', ...ligand })
    expect(refused.statusCode).toBe(400)
    expect(refused.json()).toMatchObject({ detail: expect.stringContaining(reason) })
  }
  expect((await askReferences('1hpv')).json()).toMatchObject({ own: null })
  const stranger = await openTestSession(t.db)
  expect((await give({ target: '1hpv', sdf }, stranger.headers)).statusCode).toBe(404)
})

test('SPEC 29.18: a ligand that exceeds the user’s storage is refused, and one that replaces a ligand of the same size is accepted', async () => {
  const { pose } = await readAnswer({ target: '1hpv', compound: 'amprenavir' })
  const sdf = pose?.sdf ?? ''
  const full = await openTestSession(t.db)
  await t.upload(full.headers, 'protein_pdb', 'empty.pdb', withoutLigand(sample))
  const used = async () =>
    (await t.app.inject({ url: readUsage.path, headers: full.headers })).json<{
      bytes_used: number
      bytes_max: number
    }>()
  const { bytes_used: before, bytes_max: most } = await used()
  const fill = (bytes: number) =>
    t.db
      .updateTable('files')
      .set({ size_bytes: bytes })
      .where('user_id', '=', full.userId)
      .execute()
  await fill(most - 100)
  const refused = await give({ target: 'empty', sdf }, full.headers)
  expect(refused.statusCode).toBe(413)
  expect(refused.json()).toMatchObject({
    detail: expect.stringMatching(/^Your files use .* This ligand \(.*\) was not saved\.$/),
  })
  expect((await used()).bytes_used).toBe(most - 100)
  await fill(before)
  expect((await give({ target: 'empty', sdf }, full.headers)).statusCode).toBe(200)
  await fill(most)
  expect((await give({ target: 'empty', sdf }, full.headers)).statusCode).toBe(200)
})

test('another user’s target and an unknown chain are not found', async () => {
  const stranger = await openTestSession(t.db)
  const pair = { target: '1hpv', compound: 'amprenavir' }
  expect((await ask(pair, stranger.headers)).statusCode).toBe(404)
  expect((await ask({ ...pair, chain: 'Q' })).statusCode).toBe(404)
})

test('the ligands of a structure that was read before are known without reading it again', async () => {
  const name = 'read-once'
  await t.upload(user.headers, 'protein_pdb', `${name}.pdb`, sample.replace('HEADER', 'REMARK'))
  const references = () =>
    t.app.inject({ url: readReferences.path, query: { target: name }, headers: user.headers })
  const first = await references()
  expect(first.statusCode).toBe(200)
  await t.db
    .updateTable('files')
    .set({ content: Buffer.alloc(0) })
    .where('filename', '=', `${name}.pdb`)
    .execute()
  expect((await references()).json()).toEqual(first.json())
})
