/**
 * Copies a shared screen's targets, compounds and measured values into the viewer's library: as uploads and an import, so
 * that the viewer's names, limits and quota apply. What the viewer has already is not stored again.
 */
import { createHash } from 'node:crypto'
import type { CopiedScreen, copyScreen as copyCall, Screen, UploadAnswer } from '@pkdex/contract'
import { sql } from 'kysely'
import type { z } from 'zod'
import type { Database } from '#server/platform/db/schema.ts'
import { round } from '#server/platform/round.ts'
import { expectExports } from './access.ts'

type Choice = z.output<typeof copyCall.body>

type NewFile = {
  fileType: 'protein_pdb' | 'drug_smiles'
  filename: string
  bytes: Buffer
  sha256: Buffer
}

type Value = { compound: string; value: string; unit: 'p'; type: 'Kd' | 'Ki' | 'IC50' }

export type CopyParts = {
  db: Database
  /** A screen that the caller may read, and whose it is. */
  findReadable: (callerId: string, id: string) => Promise<{ screen: Screen; userId: string }>
  readStructure: (userId: string, name: string) => Promise<{ filename: string; content: string }>
  keepFile: (userId: string, file: NewFile, gone: AbortSignal) => Promise<UploadAnswer>
  chooseChain: (choice: { userId: string; name: string; chain: string }) => Promise<unknown>
  importValues: (
    userId: string,
    request: { target: string; values: Value[] },
    reqId: string,
  ) => Promise<{ added: number; repeated: number }>
}

type Asked = {
  viewerId: string
  screenId: string
  choice: Choice
  gone: AbortSignal
  reqId: string
}

export async function copyScreen(
  parts: CopyParts,
  { viewerId, screenId, choice, gone, reqId }: Asked,
): Promise<CopiedScreen> {
  const { screen, userId: ownerId } = await parts.findReadable(viewerId, screenId)
  if (screen.shared_by !== null) expectExports(screen.shared_by)
  const copied = { targets: 0, compounds: 0, measured_values: 0 }
  if (choice.compounds) copied.compounds = await copyCompounds(parts, { viewerId, screen, gone })
  if (!choice.targets) return copied
  for (const target of await readTargets(parts.db, ownerId, screen.id)) {
    gone.throwIfAborted()
    const name = await copyTarget(parts, { viewerId, ownerId, target, gone })
    copied.targets += 1
    if (!choice.measured_values) continue
    const values = await readValues(parts.db, target.id)
    for (let from = 0; from < values.length; from += VALUES_AT_ONCE) {
      const some = values.slice(from, from + VALUES_AT_ONCE)
      const { added, repeated } = await parts.importValues(
        viewerId,
        { target: name, values: some },
        reqId,
      )
      copied.measured_values += added + repeated
    }
  }
  return copied
}

const VALUES_AT_ONCE = 1000

type SharedTarget = { id: string; name: string; chain: string }

/** Those that the owner still has as they were predicted, each with its first chain in the screen. */
async function readTargets(
  db: Database,
  ownerId: string,
  screenId: string,
): Promise<SharedTarget[]> {
  const { rows } = await sql<SharedTarget>`
    select distinct on (targets.name) targets.id, targets.name, planned.chain
    from order_targets planned
      join targets on targets.user_id = ${ownerId} and targets.name = planned.name
        and sequence_key(targets.segments, planned.chain) = planned.key
    where planned.order_id = ${screenId} order by targets.name, place`.execute(db)
  return rows
}

/** Returns its name in the viewer's library. */
async function copyTarget(
  { readStructure, keepFile, chooseChain }: CopyParts,
  {
    viewerId,
    ownerId,
    target,
    gone,
  }: Record<'viewerId' | 'ownerId', string> & {
    target: SharedTarget
    gone: AbortSignal
  },
): Promise<string> {
  const { filename, content } = await readStructure(ownerId, target.name)
  const [extension = '.pdb'] = /\.[^.]+$/.exec(filename) ?? []
  const file = fileOf('protein_pdb', `${target.name}${extension}`, content)
  const { names, unchanged } = await keepFile(viewerId, file, gone)
  const [name = target.name] = names
  if (unchanged.length === 0) await chooseChain({ userId: viewerId, name, chain: target.chain })
  return name
}

/** As a file of SMILES and names; returns how many. */
async function copyCompounds(
  { db, keepFile }: CopyParts,
  { viewerId, screen, gone }: { viewerId: string; screen: Screen; gone: AbortSignal },
): Promise<number> {
  const { rows } = await sql<{ name: string; smiles: string }>`
    select distinct on (order_rows.name) order_rows.name, smiles
    from orders join order_rows on order_number = number
    where orders.id = ${screen.id} and standard is not null order by order_rows.name, row`.execute(
    db,
  )
  const lines = rows.map(({ name, smiles }) => `${smiles}\t${name}`)
  const content = ['SMILES\tName', ...lines].join('\n')
  const title = screen.name ?? 'shared screen'
  const { names } = await keepFile(viewerId, fileOf('drug_smiles', `${title}.txt`, content), gone)
  return names.length
}

/** A slash would end the name. */
function fileOf(fileType: NewFile['fileType'], filename: string, content: string): NewFile {
  const bytes = Buffer.from(content)
  const sha256 = createHash('sha256').update(bytes).digest()
  return { fileType, filename: filename.replaceAll(/[/\\]/g, '_'), bytes, sha256 }
}

async function readValues(db: Database, targetId: string): Promise<Value[]> {
  const signs = { upper: '<', lower: '>' }
  const rows = await db
    .selectFrom('measurements')
    .select(['smiles', 'pk', 'bound', 'type'])
    .where('target_id', '=', targetId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map(({ smiles, pk, bound, type }) => {
    const sign = bound === null ? '' : signs[bound as 'upper' | 'lower']
    return {
      compound: smiles,
      value: `${sign}${round(pk, 6)}`,
      unit: 'p',
      type: type as Value['type'],
    }
  })
}
