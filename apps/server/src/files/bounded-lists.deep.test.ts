/** Lists stay short and quick whatever the files contain: one user's data must not slow down others. */
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { openTestSession, type TestSession } from '#test/factories.ts'
import { importUpload } from './import-upload.ts'
import { openTestFiles, openTestParsing } from '#test/open-test-files.ts'

const parsingWorkers = openTestParsing()
const t = await openTestFiles({
  parsingWorkers,
})
afterAll(() => t.close())

/** CPU time of the main thread, independent of other processes. */
function workSince(start: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(start)
  return user + system
}

const TARGETS = 100
const RESIDUES = 5_000

test('a hundred targets with thousands of gaps are listed in a few kilobytes, and reported in ten kilobytes each', async () => {
  const user = await openTestSession(t.db)
  const { targets } = await keep(user, 'protein_pdb', 'apart.pdb', alphaCarbonsApart())
  expect(targets[0]?.report.chains[0]).toMatchObject({ gap_count: RESIDUES - 1 })
  await sql`insert into targets (user_id, file_id, name, chain, segments, report, content_hash, created_at)
    select user_id, file_id, 'copy ' || i, chain, segments, report, content_hash, created_at
    from targets, generate_series(2, ${TARGETS}::int) i where user_id = ${user.userId}`.execute(
    t.db,
  )
  const list = await get(user, '/dta/get_protein_names')
  expect(list.payload.length).toBeLessThan(50 * TARGETS)
  const { protein_names: names, residues } = list.json()
  expect(names).toHaveLength(TARGETS)
  expect(residues).toEqual(Array(TARGETS).fill(RESIDUES))
  const one = await get(user, `/file_manager/targets/${encodeURIComponent('copy 2')}`)
  expect(one.json()).toMatchObject({ name: 'copy 2', residues: RESIDUES })
  expect(one.payload.length).toBeLessThan(10_000)
})

test('fifty thousand compounds are listed in 50 bytes each while other requests are served', async () => {
  const user = await openTestSession(t.db)
  await keep(user, 'drug_smiles', 'one.txt', 'CC(=O)Oc1ccccc1C(=O)O aspirin')
  await sql`insert into compounds (user_id, file_id, name, smiles, standard_smiles, report, content_hash, created_at)
    select user_id, file_id, 'compound ' || i, smiles, standard_smiles, report, content_hash, created_at
    from compounds, generate_series(2, 50000) i where user_id = ${user.userId}`.execute(t.db)
  const started = process.threadCpuUsage()
  let isDone = false
  const listing = get(user, '/dta/get_compound_names').finally(() => (isDone = true))
  let longestWork = 0
  while (!isDone) {
    const asked = process.threadCpuUsage()
    await sql`select 1`.execute(t.db)
    longestWork = Math.max(longestWork, workSince(asked))
  }
  const list = await listing
  const work = workSince(started)
  expect(list.json().compound_names).toHaveLength(50_000)
  expect(list.payload.length).toBeLessThan(50 * 50_000)
  expect(longestWork).toBeLessThan(work / 2)
})

test('an upload of many molecules and invalid lines names all, and details only the first ones', async () => {
  const user = await openTestSession(t.db)
  const good = Array.from(
    { length: 300 },
    (_, index) => `${'C'.repeat((index % 90) + 1)}O m${index}`,
  )
  const bad = Array.from({ length: 1500 }, () => 'C1CC broken')
  const answer = await keep(user, 'drug_smiles', 'many.txt', [...good, ...bad].join('\n'))
  expect(answer.names).toHaveLength(300)
  expect(answer.compounds.map(({ name }) => name)).toEqual(answer.names.slice(0, 200))
  expect([answer.rejected.length, answer.rejected_count]).toEqual([1000, 1500])
  expect(answer.message).toBe(
    '300 compounds read. 210 compounds are listed twice. 1500 lines were skipped.',
  )
})

test('the report of an item is visible to its owner only', async () => {
  const [owner, stranger] = [await openTestSession(t.db), await openTestSession(t.db)]
  await keep(owner, 'drug_smiles', 'mine.txt', 'CCO ethanol')
  const mine = await get(owner, '/file_manager/compounds/ethanol')
  expect(mine.json()).toMatchObject({ name: 'ethanol', report: { formula: 'C2H6O' } })
  for (const path of ['compounds/ethanol', 'targets/ethanol']) {
    expect((await get(stranger, `/file_manager/${path}`)).statusCode).toBe(404)
  }
})

function get({ headers }: TestSession, url: string) {
  return t.app.inject({ method: 'GET', url, headers })
}

function keep(
  { userId }: TestSession,
  fileType: 'protein_pdb' | 'drug_smiles',
  filename: string,
  content: string,
) {
  const parts = { ...t.config, db: t.db, parsingWorkers, now: () => new Date() }
  const bytes = Buffer.from(content)
  const upload = { fileType, filename, bytes, sha256: Buffer.from(filename) }
  return importUpload(parts, { userId, upload })
}

/** Alpha carbons 10 Å from each other, so that every neighbour is across a gap. */
function alphaCarbonsApart(): string {
  return Array.from({ length: RESIDUES }, (_, index) => {
    const place = [index % 30, Math.floor(index / 30) % 30, Math.floor(index / 900)]
    const columns = place.map((step) => (step * 10).toFixed(3).padStart(8)).join('')
    const label = `${String(index % 10_000).padStart(4)}${index < 10_000 ? ' ' : 'A'}`
    return `ATOM  ${String(index).padStart(5)}  CA  ALA A${label}   ${columns}  1.00  0.00           C`
  }).join('\n')
}
