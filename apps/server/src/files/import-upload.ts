/** Imports an upload: validates, parses on a worker, names, stores, and reports to its owner. */
import type { OwnCell, Parsed } from '@pkdex/biochem'
import {
  acceptedExtension,
  messages,
  type RejectedLine,
  type Target,
  type UploadAnswer,
} from '@pkdex/contract'
import type { Database } from '#server/platform/db/schema.ts'
import { AppError } from '#server/platform/errors.ts'
import type { ReadCompound, ReadCompounds, ParsingWorkers } from './parsing/service.ts'
import { keepNamed } from './keep-named.ts'
import { describeCompounds, describeTargets } from './service.ts'
import type { Assigned, NameRequest } from './names.ts'
import { readFilename, readName, stemOf } from './names.ts'
import type { Upload } from './read-upload.ts'
import { replaceOwnCells } from './own-store.ts'
import { addCompounds, addTarget, findDuplicates } from './store.ts'
import { type Packed, type RecordedUpload, recordUpload } from './record-upload.ts'

export type FilesDependencies = {
  db: Database
  parsingWorkers: ParsingWorkers
  now: () => Date
  storedBytesPerUser: number
}

/** `gone` aborts when the client disconnects: anything not stored by then is not processed. */
export async function importUpload(
  dependencies: FilesDependencies,
  { userId, upload, gone }: { userId: string; upload: Upload; gone?: AbortSignal },
): Promise<UploadAnswer> {
  const { fileType, bytes } = upload
  const filename = readFilename(upload.filename)
  const bareName = stemOf(filename, fileType)
  if (bareName === null) {
    throw new AppError('wrong_file_type', messages.upload.onlyAccepted(acceptedExtension[fileType]))
  }
  const stem = readName(bareName)
  if (!stem.ok) throw new AppError('invalid_request', `The file cannot be stored. ${stem.reason}`)
  if (bytes.length === 0) throw new AppError('file_unreadable', 'The file is empty.')
  const original = readOriginal(upload)
  const file = { ...upload, filename, original, stem: stem.name }
  return fileType === 'protein_pdb'
    ? keepTarget(dependencies, userId, file)
    : keepCompounds(dependencies, { userId, file, gone })
}

/** Its name is only shown, whatever its extension. */
function readOriginal({ fileType, original = null }: Upload): Upload['original'] {
  if (original === null || original.bytes.length === 0 || fileType !== 'drug_smiles') return null
  const name = readName(readFilename(original.filename))
  if (name.ok) return { ...original, filename: name.name }
  throw new AppError('invalid_request', `The file cannot be stored. ${name.reason}`)
}

type NamedFile = Upload & { stem: string }

async function keepTarget(
  { db, parsingWorkers, now, storedBytesPerUser }: FilesDependencies,
  userId: string,
  file: NamedFile,
): Promise<UploadAnswer> {
  const { chain, chains, report } = expectRead(await parsingWorkers.readTarget(userId, file.bytes))
  const segments = Object.fromEntries(chains.map(({ id, segments: cut }) => [id, cut]))
  const contentHash = file.sha256
  const requests = [{ wanted: file.stem, identity: contentHash.toString('hex') }]
  const named = { userId, file, kind: 'targets', requests, now: now(), storedBytesPerUser } as const
  const assigned = await keepNamed(db, named, async (trx, owner, names) => {
    for (const { name } of names.filter(({ isNew }) => isNew)) {
      await addTarget(trx, owner, { name, chain, segments, report, contentHash })
    }
  })
  const naming = describeNames(requests, assigned)
  const targets = await describeTargets(db, userId, naming.names)
  const message = summariseTarget(naming, targets)
  return { ...naming, message, ...ofFile(file), targets, compounds: [], rejected: [] }
}

async function keepCompounds(
  { db, parsingWorkers, now, storedBytesPerUser }: FilesDependencies,
  { userId, file, gone }: { userId: string; file: NamedFile; gone: AbortSignal | undefined },
): Promise<UploadAnswer> {
  const { bytes, stem: fileStem } = file
  const read = expectRead(await parsingWorkers.readCompounds(userId, { bytes, fileStem, gone }))
  const { good, bad } = withUsableNames(read)
  if (good.length === 0) {
    throw new AppError('file_unreadable', `No line is valid. ${bad[0]?.reason ?? ''}`.trim())
  }
  const requests = good.map(({ name, smiles }) => ({ wanted: name, identity: smiles }))
  const records = await recordUpload({ db, parsingWorkers }, { userId, compounds: good, gone })
  const named = {
    userId,
    file,
    kind: 'compounds',
    requests,
    now: now(),
    storedBytesPerUser,
    ownBytes: countOwnBytes(good),
  } as const
  const assigned = await keepNamed(
    db,
    named,
    (trx, owner, names) => addCompounds(trx, owner, newOnes(good, names, records.packed)),
    (trx, names) => replaceOwnCells(trx, userId, oldOnes(good, names)),
  )
  records.finish()
  const naming = describeNames(requests, assigned)
  const described = naming.names.slice(0, DESCRIBED_COMPOUNDS_MAX)
  const compounds = await describeCompounds(db, userId, described)
  const rejected = [...read.rejected, ...bad].toSorted((one, other) => one.line - other.line)
  const duplicates = await findDuplicates(db, { userId, names: naming.names })
  const message = summariseCompounds(naming, duplicates.length, rejected.length)
  const answer = { ...naming, message, ...ofFile(file), targets: [], compounds }
  return {
    ...answer,
    rejected: rejected.slice(0, REJECTED_LINES_MAX),
    rejected_count: rejected.length,
    duplicates: duplicates.slice(0, FLAGGED_MAX),
    duplicate_count: duplicates.length,
    ...describeFlagged(good, assigned, records),
  }
}

/** The response names at most this many and counts the rest. */
const FLAGGED_MAX = 100

function describeFlagged(
  compounds: ReadCompound[],
  assigned: Assigned[],
  { alerts, ownChecked }: RecordedUpload,
): Pick<UploadAnswer, 'flagged' | 'flagged_count' | 'own_alerts_checked'> {
  if (alerts === null) return {}
  const found = new Map<string, string[]>()
  for (const [at, { name }] of assigned.entries()) {
    const matched = alerts.get(compounds[at]?.report.standard_smiles ?? '') ?? []
    if (matched.length > 0) found.set(name, matched)
  }
  const flagged = [...found].slice(0, FLAGGED_MAX)
  return {
    flagged_count: found.size,
    flagged: flagged.map(([name, matched]) => ({ name, alerts: matched })),
    own_alerts_checked: ownChecked,
  }
}

/** The response describes this many and only names the rest: as many as a page shows for one file. */
const DESCRIBED_COMPOUNDS_MAX = 200
const REJECTED_LINES_MAX = 1000

function expectRead<T>(read: Parsed<T>): T {
  if (read.ok) return read.value
  const place = read.line > 0 ? `Line ${read.line}: ` : ''
  throw new AppError('file_unreadable', place + read.reason)
}

/**
 * A line whose name cannot be stored is reported like an unreadable molecule. Names that the reader numbered within the
 * file are reset to the original, because they are compared with the user's other names here.
 */
function withUsableNames({ compounds, renamed }: ReadCompounds) {
  const wanted = new Map(renamed.map(({ line, from }) => [line, from]))
  const good: ReadCompound[] = []
  const bad: RejectedLine[] = []
  for (const compound of compounds) {
    const named = readName(wanted.get(compound.line) ?? compound.name)
    const { line, smiles } = compound
    if (named.ok) good.push({ ...compound, name: named.name })
    else bad.push({ line, text: `${smiles} ${compound.name}`.slice(0, 200), reason: named.reason })
  }
  return { good, bad }
}

function newOnes(compounds: ReadCompound[], assigned: Assigned[], packed: Packed) {
  return compounds.flatMap(({ smiles, report, flat, own }, index) => {
    const given = assigned[index]
    if (!given?.isNew) return []
    const described = packed.get(report.standard_smiles) ?? null
    const properties = described && Buffer.from(described.record).toString('base64')
    const features = described?.features ?? null
    return [{ name: given.name, smiles, report, flat, own, properties, features }]
  })
}

/** Replaces the own columns of existing compounds by those of this table. */
function oldOnes(compounds: ReadCompound[], assigned: Assigned[]) {
  const latest = new Map<string, OwnCell[]>()
  for (const [index, { own }] of compounds.entries()) {
    const given = assigned[index]
    if (given !== undefined && !given.isNew && own.length > 0) latest.set(given.name, own)
  }
  return [...latest].map(([name, own]) => ({ name, own }))
}

function countOwnBytes(compounds: ReadCompound[]): number {
  return compounds.reduce(
    (sum, { own }) => sum + (own.length === 0 ? 0 : Buffer.byteLength(JSON.stringify(own))),
    0,
  )
}

function describeNames(requests: NameRequest[], assigned: Assigned[]) {
  const added = new Set(assigned.filter(({ isNew }) => isNew).map(({ name }) => name))
  const names = [...new Set(assigned.map(({ name }) => name))]
  const renamed = new Map(
    assigned.map(({ name }, index) => [name, { from: requests[index]?.wanted ?? name, to: name }]),
  )
  return {
    names,
    renamed: [...renamed.values()].filter(({ from, to }) => from !== to),
    unchanged: names.filter((name) => !added.has(name)),
  }
}

function ofFile({ fileType, filename, original }: Upload) {
  return { file_type: fileType, filename: original?.filename ?? filename }
}

type Naming = Pick<UploadAnswer, 'names' | 'renamed' | 'unchanged'>

function summariseTarget({ renamed, unchanged }: Naming, targets: Target[]): string {
  const [target] = targets
  const [other] = renamed
  if (unchanged.length > 0) return `${target?.name} was already uploaded.`
  const read = `${target?.name}: chain ${target?.chain}, ${count(target?.residues ?? 0, 'residue')}.`
  return other === undefined
    ? read
    : `${read} You already have ${other.from}; saved as ${other.to}.`
}

function summariseCompounds(naming: Naming, duplicates: number, rejectedLines: number): string {
  const { names, renamed, unchanged } = naming
  const added = names.length - unchanged.length
  return [
    added > 0 ? `${count(added, 'compound')} read.` : '',
    unchanged.length > 0 ? `${count(unchanged.length, 'compound')} already uploaded.` : '',
    renamed.length > 0 ? `${count(renamed.length, 'compound')} renamed.` : '',
    duplicates > 0
      ? `${count(duplicates, 'compound')} ${duplicates === 1 ? 'is' : 'are'} listed twice.`
      : '',
    rejectedLines > 0
      ? `${count(rejectedLines, 'line')} ${rejectedLines === 1 ? 'was' : 'were'} skipped.`
      : '',
  ]
    .filter((sentence) => sentence !== '')
    .join(' ')
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}
