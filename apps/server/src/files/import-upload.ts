/** What an upload goes through: checked, read by a parsing worker, named, kept, and described to its owner. */
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
import { addCompounds, addTarget } from './store.ts'

export type FilesDependencies = {
  db: Database
  parsingWorkers: ParsingWorkers
  now: () => Date
  storedBytesPerUser: number
}

/** `gone` is aborted when nobody waits for the answer any more: what is not kept by then is not read on. */
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
  const file = { ...upload, filename, stem: stem.name }
  return fileType === 'protein_pdb'
    ? keepTarget(dependencies, userId, file)
    : keepCompounds(dependencies, { userId, file, gone })
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
    throw new AppError('file_unreadable', `No line can be used. ${bad[0]?.reason ?? ''}`.trim())
  }
  const requests = good.map(({ name, smiles }) => ({ wanted: name, identity: smiles }))
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
    (trx, owner, names) => addCompounds(trx, owner, newOnes(good, names)),
    (trx, names) => replaceOwnCells(trx, userId, oldOnes(good, names)),
  )
  const naming = describeNames(requests, assigned)
  const described = naming.names.slice(0, DESCRIBED_COMPOUNDS_MAX)
  const compounds = await describeCompounds(db, userId, described)
  const rejected = [...read.rejected, ...bad].toSorted((one, other) => one.line - other.line)
  const message = summariseCompounds(naming, rejected.length)
  const answer = { ...naming, message, ...ofFile(file), targets: [], compounds }
  return {
    ...answer,
    rejected: rejected.slice(0, REJECTED_LINES_MAX),
    rejected_count: rejected.length,
  }
}

/** An answer describes these and names the rest: as many as a screen shows of one file. */
const DESCRIBED_COMPOUNDS_MAX = 200
const REJECTED_LINES_MAX = 1000

function expectRead<T>(read: Parsed<T>): T {
  if (read.ok) return read.value
  const place = read.line > 0 ? `Line ${read.line}: ` : ''
  throw new AppError('file_unreadable', place + read.reason)
}

/**
 * A line whose name cannot be kept is reported like one whose molecule cannot be read. Names that the
 * reader had to number within the file go back to what was wanted: here they meet the user's others.
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

function newOnes(compounds: ReadCompound[], assigned: Assigned[]) {
  return compounds.flatMap(({ smiles, report, own }, index) => {
    const given = assigned[index]
    return given?.isNew ? [{ name: given.name, smiles, report, own }] : []
  })
}

/** Of those that are there already, what this table says of them. */
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

function ofFile({ fileType, filename }: Upload) {
  return { file_type: fileType, filename }
}

type Naming = Pick<UploadAnswer, 'names' | 'renamed' | 'unchanged'>

function summariseTarget({ renamed, unchanged }: Naming, targets: Target[]): string {
  const [target] = targets
  const [other] = renamed
  if (unchanged.length > 0) return `${target?.name} is there already, with the same content.`
  const read = `${target?.name}: chain ${target?.chain}, ${count(target?.residues ?? 0, 'residue')}.`
  return other === undefined
    ? read
    : `${read} Another structure is called ${other.from}; this one is ${other.to}.`
}

function summariseCompounds(naming: Naming, rejectedLines: number): string {
  const { names, renamed, unchanged } = naming
  const added = names.length - unchanged.length
  return [
    added > 0 ? `${count(added, 'compound')} read.` : '',
    unchanged.length > 0 ? `${count(unchanged.length, 'compound')} there already.` : '',
    renamed.length > 0 ? `${count(renamed.length, 'compound')} renamed.` : '',
    rejectedLines > 0
      ? `${count(rejectedLines, 'line')} ${rejectedLines === 1 ? 'was' : 'were'} not taken.`
      : '',
  ]
    .filter((sentence) => sentence !== '')
    .join(' ')
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}
