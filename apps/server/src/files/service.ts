/** A user's targets, compounds and files, listed and found by name. Other users' data is never found. */
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type {
  Compound,
  listCompounds as CompoundList,
  listTargets as TargetList,
  Target,
} from '@pkdex/contract'
import type { z } from 'zod'
import type { Database } from '#server/platform/db/schema.ts'
import { AppError } from '#server/platform/errors.ts'
import { decodePackedText } from './parsing/decode-text.ts'
import { notFound } from './not-found.ts'
import { readOwnCells, readOwnColumns } from './own-store.ts'
import { readStarredNames } from './shortlist.ts'
import {
  countBytes,
  expectBytes,
  findCompoundRow,
  findTargetRow,
  holdTarget,
  pageOfCompounds,
  pageOfMolecules,
  pageOfTargets,
  readCompounds,
  findGzipped,
  readTargets,
  readFilenames,
  readTargetSegments,
  setChain,
} from './store.ts'

export type { Going } from './deletion.ts'
export { notFound, wordNotFound } from './not-found.ts'
export { readStoredFeatures } from './stored-features.ts'
export { type CountAffected, previewDeletion } from './preview-deletion.ts'
export {
  type CompoundFacts,
  openCompoundFacts,
  readFacts,
  type ReadFacts,
} from './compound-facts.ts'

const fromGzip = promisify(gunzip)

export function findTarget(db: Database, userId: string, name: string) {
  return findTargetRow(db, userId, name.normalize('NFC'))
}

/** Throws `not_found` if the user has no such target. */
export async function expectTarget(db: Database, userId: string, name: string) {
  const target = await findTarget(db, userId, name)
  if (target === null) throw notFound('targets', name)
  return target
}

/** Throws `not_found` if the user has no such compound. */
export async function expectCompound(db: Database, userId: string, name: string) {
  const compound = await findCompoundRow(db, userId, name.normalize('NFC'))
  if (compound === null) throw notFound('compounds', name)
  return compound
}

/** The bytes of a file as uploaded; null if there is no such file. */
export async function findFileContent(db: Database, fileId: string): Promise<Buffer | null> {
  const content = await findGzipped(db, fileId)
  return content === null ? null : fromGzip(content)
}

export async function readFileContent(db: Database, fileId: string): Promise<Buffer> {
  const content = await findFileContent(db, fileId)
  if (content === null) throw new AppError('not_found', 'This file was deleted.')
  return content
}

/** The file of one of the user's targets, decoded as it was when it was read. */
export async function readStructure(db: Database, userId: string, name: string) {
  const { filename } = await readTarget(db, userId, name)
  const target = await expectTarget(db, userId, name)
  const text = decodePackedText(await readFileContent(db, target.file_id))
  if (!text.ok) throw new AppError('file_unreadable', text.reason)
  return { filename, content: text.value }
}

/** What was read from one of the user's targets. */
export async function readTarget(db: Database, userId: string, name: string): Promise<Target> {
  const [target] = await describeTargets(db, userId, [name.normalize('NFC')])
  if (target === undefined) throw notFound('targets', name)
  return target
}

export async function readCompound(db: Database, userId: string, name: string): Promise<Compound> {
  const [compound] = await describeCompounds(db, userId, [name.normalize('NFC')])
  if (compound === undefined) throw notFound('compounds', name)
  return compound
}

/** How much of the storage per user this user has used. */
export { readableBytes } from './read-upload.ts'
export { countBytes, expectBytes, holdTarget, readStarredNames }

export async function readUsage(db: Database, userId: string, bytesMax: number) {
  return { bytes_used: await countBytes(db, userId), bytes_max: bytesMax }
}

/** Predictions use this chain from now on. */
export async function chooseChain(
  db: Database,
  choice: { userId: string; name: string; chain: string },
): Promise<Target> {
  const name = choice.name.normalize('NFC')
  const isDone = await setChain(db, { ...choice, name })
  const target = await readTarget(db, choice.userId, name)
  if (!isDone) throw new AppError('not_found', `${name} has no protein chain ${choice.chain}.`)
  return target
}

/** Rows per query in long lists, so that others can use the single embedded connection in between. */
const PAGE_ROWS = 1000

export async function listTargets(
  db: Database,
  userId: string,
): Promise<z.output<typeof TargetList.answer>> {
  const rows = await allPages((page) => pageOfTargets(db, { userId, ...page }))
  return {
    protein_names: rows.map(({ name }) => name),
    residues: rows.map(({ residues }) => residues),
    ...(await readOrigin(db, rows)),
  }
}

export async function listCompounds(
  db: Database,
  userId: string,
): Promise<z.output<typeof CompoundList.answer>> {
  const rows = await allPages((page) => pageOfCompounds(db, { userId, ...page }))
  return {
    compound_names: rows.map(({ name }) => name),
    masses: rows.map(({ mass }) => mass),
    starred: await readStarredNames(db, userId),
    ...(await readOrigin(db, rows)),
  }
}

/** The user's targets with these names, in list order; unknown names are ignored. */
export async function describeTargets(
  db: Database,
  userId: string,
  names: string[],
): Promise<Target[]> {
  const rows = await readTargets(db, { userId, names })
  return rows.map(({ name, filename, file_id, size_bytes, chain, residues, report }) => {
    return { name, filename, file_id, size_bytes, chain, residues, report }
  })
}

export async function describeCompounds(
  db: Database,
  userId: string,
  names: string[],
): Promise<Compound[]> {
  const rows = await readCompounds(db, { userId, names })
  return rows.map(({ name, filename, file_id, smiles, report }) => {
    return { name, filename, file_id, smiles, report }
  })
}

/** The user's targets with these names, in no particular order; unknown names are ignored. */
export function findTargets(db: Database, userId: string, names: string[]) {
  return readTargetSegments(db, { userId, names: names.map((name) => name.normalize('NFC')) })
}

/** The user's compounds with these names, or all, oldest first; unknown names are ignored. */
export function findCompounds(db: Database, userId: string, names: string[] | null) {
  const wanted = names?.map((name) => name.normalize('NFC')) ?? null
  return allPages((page) => pageOfMolecules(db, { userId, ...page, names: wanted }))
}

/** The files from which rows were read, in the order of their first row. */
async function readOrigin(db: Database, rows: { file_id: string }[]) {
  const ids = [...new Set(rows.map(({ file_id }) => file_id))]
  const places = new Map(ids.map((id, place) => [id, place]))
  const names = await readFilenames(db, ids)
  return {
    file_count: ids.length,
    file_names: ids.map((id) => names.get(id) ?? ''),
    files: rows.map(({ file_id }) => places.get(file_id) ?? 0),
  }
}

/** The user's own columns of compounds: their names, and the current values of a named molecule. */
export type OwnTable = {
  columns: string[]
  read: (molecules: { name: string; smiles: string }[]) => Promise<Map<string, OwnCells>>
}

type OwnCells = Record<string, string>

/** `names`: the compounds in the table. */
export async function openOwnTable(
  db: Database,
  { userId, names }: { userId: string; names: string[] },
): Promise<OwnTable> {
  const columns = await readOwnColumns(db, { userId, names })
  return {
    columns,
    async read(molecules) {
      if (columns.length === 0) return new Map()
      const wanted = new Map(molecules.map(({ name, smiles }) => [name, smiles]))
      const found = await readOwnCells(db, { userId, names: [...wanted.keys()] })
      // The name may now belong to another molecule.
      const same = found.filter(({ name, smiles }) => wanted.get(name) === smiles)
      return new Map(same.map(({ name, own }) => [name, Object.fromEntries(own)]))
    },
  }
}

async function allPages<Row extends { seq: number }>(
  readPage: (page: { afterSeq: number; limit: number }) => Promise<Row[]>,
): Promise<Row[]> {
  const rows: Row[] = []
  for (;;) {
    const page = await readPage({ afterSeq: rows.at(-1)?.seq ?? 0, limit: PAGE_ROWS })
    rows.push(...page)
    if (page.length < PAGE_ROWS) return rows
  }
}
