/** What an upload goes through: checked, read in the workshop, named, kept, and described to its owner. */
import type { Parsed } from '@pkdex/biochem'
import { acceptedExtension, messages, type RejectedLine, type UploadAnswer } from '@pkdex/contract'
import type { Database } from '#server/db/schema.ts'
import { AppError } from '#server/http/app-error.ts'
import type { ReadCompound, ReadCompounds, Workshop } from '#server/workshop/workshop.ts'
import { keepNamed } from './keep-named.ts'
import { listCompounds, listTargets } from './lists.ts'
import type { Assigned, Claim } from './names.ts'
import { hasAcceptedExtension, readFilename, readName, stemOf } from './names.ts'
import type { Upload } from './read-upload.ts'
import { addCompounds, addTarget } from './store.ts'
import { describeCompounds, describeTarget } from './upload-messages.ts'

export type FilesParts = { db: Database; workshop: Workshop; now: () => Date }

/** `gone` is aborted when nobody waits for the answer any more: what is not kept by then is not read on. */
export async function keepUpload(
  parts: FilesParts,
  { userId, upload, gone }: { userId: string; upload: Upload; gone?: AbortSignal },
): Promise<UploadAnswer> {
  const { fileType, bytes } = upload
  const filename = readFilename(upload.filename)
  if (!hasAcceptedExtension(filename, fileType)) {
    throw new AppError('wrong_file_type', messages.upload.onlyAccepted(acceptedExtension[fileType]))
  }
  const stem = readName(stemOf(filename, fileType))
  if (!stem.ok) throw new AppError('invalid_request', `The file cannot be stored. ${stem.reason}`)
  if (bytes.length === 0) throw new AppError('file_unreadable', 'The file is empty.')
  const file = { ...upload, filename, stem: stem.name }
  return fileType === 'protein_pdb'
    ? keepTarget(parts, userId, file)
    : keepCompounds(parts, { userId, file, gone })
}

type NamedFile = Upload & { stem: string }

async function keepTarget(
  { db, workshop, now }: FilesParts,
  userId: string,
  file: NamedFile,
): Promise<UploadAnswer> {
  const { chain, chains, report } = expectRead(await workshop.readTarget(userId, file.bytes))
  const segments = Object.fromEntries(chains.map(({ id, segments: cut }) => [id, cut]))
  const contentHash = file.sha256
  const claims = [{ wanted: file.stem, identity: contentHash.toString('hex') }]
  const intake = { userId, file, kind: 'targets', claims, now: now() } as const
  const assigned = await keepNamed(db, intake, async (trx, owner, names) => {
    for (const { name } of names.filter(({ isNew }) => isNew)) {
      await addTarget(trx, owner, { name, chain, segments, report, contentHash })
    }
  })
  const naming = describeNames(claims, assigned)
  const targets = await listTargets(db, userId, naming.names)
  const message = describeTarget(naming, targets)
  return { ...naming, message, ...ofFile(file), targets, compounds: [], rejected: [] }
}

async function keepCompounds(
  { db, workshop, now }: FilesParts,
  { userId, file, gone }: { userId: string; file: NamedFile; gone: AbortSignal | undefined },
): Promise<UploadAnswer> {
  const { bytes, stem: fileStem } = file
  const read = expectRead(await workshop.readCompounds(userId, { bytes, fileStem, gone }))
  const { good, bad } = withUsableNames(read)
  if (good.length === 0) {
    throw new AppError('file_unreadable', `No line can be used. ${bad[0]?.reason ?? ''}`.trim())
  }
  const claims = good.map(({ name, smiles }) => ({ wanted: name, identity: smiles }))
  const intake = { userId, file, kind: 'compounds', claims, now: now() } as const
  const assigned = await keepNamed(db, intake, (trx, owner, names) =>
    addCompounds(trx, owner, newOnes(good, names)),
  )
  const naming = describeNames(claims, assigned)
  const compounds = await listCompounds(db, userId, naming.names)
  const rejected = [...read.rejected, ...bad].toSorted((one, other) => one.line - other.line)
  const message = describeCompounds(naming, rejected.length)
  return { ...naming, message, ...ofFile(file), targets: [], compounds, rejected }
}

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
  return compounds.flatMap(({ smiles, report }, index) => {
    const given = assigned[index]
    return given?.isNew ? [{ name: given.name, smiles, report }] : []
  })
}

function describeNames(claims: Claim[], assigned: Assigned[]) {
  const added = new Set(assigned.filter(({ isNew }) => isNew).map(({ name }) => name))
  const names = [...new Set(assigned.map(({ name }) => name))]
  const renamed = new Map(
    assigned.map(({ name }, index) => [name, { from: claims[index]?.wanted ?? name, to: name }]),
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
