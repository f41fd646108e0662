/** Targets, compounds and files of a user, written directly into the database. */
import { createHash, randomUUID } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import type { OpenDatabase } from '#server/platform/db/open.ts'
import type { Database } from '#server/platform/db/schema.ts'

export type TestPair = { target: string; compound: string; targetId: string; compoundId: string }

/** Gives a user a target and a compound, as an upload would have. */
export async function addPair(
  { db }: OpenDatabase,
  userId: string,
  {
    target = randomUUID(),
    compound = randomUUID(),
    smiles = 'CCO',
  }: { target?: string; compound?: string; smiles?: string } = {},
): Promise<TestPair> {
  const created_at = new Date()
  const file_id = await addTestFile(db, userId, Buffer.alloc(0))
  const shared = { user_id: userId, file_id, created_at }
  const { id: targetId } = await db
    .insertInto('targets')
    .values({
      ...shared,
      name: target,
      chain: 'A',
      segments: JSON.stringify({ A: ['MKVLA', 'GGH'], B: ['MKV'] }),
      report: JSON.stringify(targetReport),
      content_hash: hash(target),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id: compoundId } = await db
    .insertInto('compounds')
    .values({
      ...shared,
      name: compound,
      smiles,
      standard_smiles: smiles,
      report: JSON.stringify({ ...compoundReport, standard_smiles: smiles }),
      content_hash: hash(smiles),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { target, compound, targetId, compoundId }
}

const targetReport = {
  title: null,
  pdb_code: null,
  chains: [],
  mapped: [],
  dropped: [],
  warnings: [],
}

const compoundReport = {
  formula: 'C2H6O',
  mass: 46.07,
  heavy_atoms: 3,
  standard_smiles: 'CCO',
  stripped: [],
  neutralised: 0,
  warnings: [],
}

/** Targets T1, T2, … with one segment per chain, and compounds C1, C2, … with as many carbons as their number. */
export async function addSeries(
  db: Database,
  userId: string,
  wanted: { targets: number; compounds: number },
): Promise<{ targets: string[]; compounds: string[] }> {
  const fileId = await addTestFile(db, userId, gzipSync('HEADER'))
  const owner = { user_id: userId, file_id: fileId, created_at: new Date() }
  const report = JSON.stringify({})
  const targets = Array.from({ length: wanted.targets }, (_, place) => `T${place + 1}`)
  for (const [place, name] of targets.entries()) {
    const segments = JSON.stringify({ A: ['M'.repeat(place + 3)], B: ['G'.repeat(place + 3)] })
    const target = { ...owner, name, chain: 'A', segments, report, content_hash: hash(name) }
    await db.insertInto('targets').values(target).execute()
  }
  const compounds = Array.from({ length: wanted.compounds }, (_, place) => `C${place + 1}`)
  const molecules = compounds.map((name, place) => ({ name, smiles: `C${'C'.repeat(place)}` }))
  await sql`insert into compounds
    (user_id, file_id, name, smiles, standard_smiles, report, content_hash, created_at)
    select ${userId}, ${fileId}, c ->> 'name', c ->> 'smiles', c ->> 'smiles', '{}',
      sha256(convert_to(c ->> 'smiles', 'UTF8')), now()
    from jsonb_array_elements(${JSON.stringify(molecules)}::jsonb) with ordinality as list (c, place)
    order by place`.execute(db)
  return { targets, compounds }
}

async function addTestFile(db: Database, userId: string, content: Buffer): Promise<string> {
  const name = randomUUID()
  const { id } = await db
    .insertInto('files')
    .values({
      user_id: userId,
      file_type: 'drug_smiles',
      filename: `${name}.txt`,
      sha256: hash(name),
      size_bytes: 0,
      content,
      uploaded_at: new Date(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export function hash(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
