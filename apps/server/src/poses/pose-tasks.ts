/** Tasks of a pose thread. It caches the last prepared pockets, because a series is placed in one structure. */
import {
  findMisplacement,
  layOntoLigand,
  listContacts,
  listReferences,
  openRdkit,
  type OwnLigand,
  placeCompound,
  type PlacedPose,
  type PoseContact,
  poseFeature,
  preparePocket,
  type RdkitModule,
  readOwnSdf,
  readParts,
  readReference,
  hasCoordinates,
  readStructure,
  type ReferenceChoice,
  referenceOf,
  relaxedReferenceEnergy,
  similarityWithoutOrders,
  type Site,
  type Structure,
  withoutOverlapping,
  writeComplexPdb,
  writePoseSdf,
} from '@pkdex/biochem'
import { OWN_LIGAND } from '@pkdex/contract'
import { LRUCache } from 'lru-cache'
import { beginStep, type TaskCall } from '#server/platform/jobs/thread-pool.ts'

/**
 * `content`: text of the structure; `own`: the user's own ligand as a molecule file; `reference`: null selects the
 * suggested ligand, which is the user's own if there is one.
 */
export type SiteQuestion = {
  content: string
  chain: string
  reference: string | null
  own: string | null
}
export type FileText = { format: 'sdf' | 'pdb'; label: string; name: string }
export type PoseQuestion = SiteQuestion & { smiles: string; file: FileText }

export type PoseNumbers = {
  energy: number
  meanEnergy: number
  referenceEnergy: number
  relative: number
  similarity: number
}

export type PoseDetails = PoseNumbers & {
  heavyAtoms: number
  coreAtoms: number
  keepsStereo: boolean
  contacts: PoseContact[]
  file: string
}

export type References = { id: string; heavyAtoms: number }[]

export type PoseAnswer = { references: References; reference: string | null } & (
  | { ok: true; pose: PoseDetails }
  | { ok: false; reason: string }
)

/** Places one compound, with all details that are shown. */
export async function placeOne({ input, steps }: TaskCall<PoseQuestion>): Promise<PoseAnswer> {
  beginStep(steps)
  const rdkit = await healthyRdkit()
  const opened = openSite(rdkit, input)
  const { references } = opened
  if (!opened.ok) return { ok: false, references, reference: null, reason: opened.reason }
  const { site, structure, choice, zero } = opened
  const reference = choice.id
  const placed = placeCompound(rdkit, site, input.smiles)
  if (!placed.ok) return { ...placed, references, reference }
  const { pose } = placed
  return {
    ok: true,
    references,
    reference,
    pose: {
      ...numbersOf(site, pose, zero),
      heavyAtoms: pose.parts.elements.length,
      coreAtoms: pose.coreAtoms,
      keepsStereo: pose.keepsStereo,
      contacts: listContacts(site, pose),
      file: writeFile({ structure, choice, pose }, input.file),
    },
  }
}

function numbersOf({ reference }: Site, pose: PlacedPose, zero: number): PoseNumbers {
  return {
    energy: pose.energy,
    meanEnergy: pose.meanEnergy,
    referenceEnergy: zero,
    relative: poseFeature(pose.meanEnergy, zero),
    similarity: similarityWithoutOrders(pose.parts, reference.parts),
  }
}

function writeFile(
  { structure, choice, pose }: { structure: Structure; choice: Choice; pose: PlacedPose },
  { format, label, name }: FileText,
): string {
  if (format === 'pdb') {
    return writeComplexPdb(structure, pose, { name, remark: label, reference: choice.ligand })
  }
  const fields = {
    Pose: label,
    'Reference ligand': choice.id,
    'Vina kcal/mol': pose.energy.toFixed(2),
  }
  return writePoseSdf(pose, { name, remark: label, fields })
}

/** Compounds to be placed together. `skipped` was tried before in vain. */
export type ManyQuestion = SiteQuestion & { smiles: string[]; skipped: string | null }
export type PlacedFeatures = {
  relative: number
  similarity: number
  keepsStereo: boolean
  x: Float64Array
}
/** Fewer compounds than were asked for if the turn ended before. */
export type ManyAnswer = { reason: string } | { compounds: (PlacedFeatures | string)[] }

export async function placeMany({ input, steps }: TaskCall<ManyQuestion>): Promise<ManyAnswer> {
  beginStep(steps)
  const rdkit = await healthyRdkit()
  const opened = openSite(rdkit, input)
  if (!opened.ok) return { reason: opened.reason }
  const { site, zero } = opened
  const place = (smiles: string) => {
    if (smiles === input.skipped) return 'Too complex to place.'
    const placed = placeCompound(rdkit, site, smiles)
    if (!placed.ok) return placed.reason
    const { relative, similarity } = numbersOf(site, placed.pose, zero)
    return { relative, similarity, keepsStereo: placed.pose.keepsStereo, x: placed.pose.x }
  }
  const until = performance.now() + TURN_MS
  const compounds: ReturnType<typeof place>[] = []
  for (const smiles of input.smiles) {
    if (compounds.length > 0 && performance.now() > until) break
    beginStep(steps)
    compounds.push(place(smiles))
  }
  return { compounds }
}

/** After this time the blocks of other users have their turn. */
const TURN_MS = 3000

/** Ligands of the structure on which compounds can be placed, the suggested one first. */
export function findReferences({
  input: { content, chain },
  steps,
}: TaskCall<Pick<SiteQuestion, 'content' | 'chain'>>): References {
  beginStep(steps)
  const read = readStructure(content)
  if (!read.ok) return []
  return listReferences(read.value, chain).map(({ id, heavyAtoms }) => ({ id, heavyAtoms }))
}

/** A ligand as sent by the user: an SDF or a SMILES. */
export type GivenLigand = { sdf: string } | { smiles: string }
export type CheckedLigand =
  | { ok: true; molfile: string; smiles: string; heavyAtoms: number; of: string | null }
  | { ok: false; reason: string }

/** The ligand as stored, or why it cannot be used. `of`: the structure's ligand from which a SMILES got coordinates. */
export async function checkLigand({
  input: { content, chain, given },
  steps,
}: TaskCall<{ content: string; chain: string; given: GivenLigand }>): Promise<CheckedLigand> {
  beginStep(steps)
  const rdkit = await healthyRdkit()
  const structure = readStructure(content)
  if (!structure.ok) return structure
  if (!hasCoordinates(structure.value)) return { ok: false, reason: noStructure }
  const read =
    'sdf' in given
      ? readOwnSdf(rdkit, given.sdf)
      : layOntoLigand(rdkit, given.smiles, { structure: structure.value, chain })
  if (!read.ok) return read
  const reason = findMisplacement(structure.value, chain, read.value)
  if (reason !== null) return { ok: false, reason }
  const molfile = writePoseSdf(read.value, { name: OWN_LIGAND, remark: '', fields: {} })
  using molecule = rdkit.get_mol(molfile)
  if (molecule === null) return { ok: false, reason: 'The ligand cannot be read.' }
  const of = 'of' in read.value && typeof read.value.of === 'string' ? read.value.of : null
  const heavyAtoms = read.value.parts.elements.length
  return { ok: true, molfile, smiles: molecule.get_smiles(), heavyAtoms, of }
}

const noStructure = 'This target is a sequence: there is no structure to place compounds in.'

/** `x`: coordinates of the heavy atoms, in the order of the SMILES. */
export type StoredPose = {
  name: string
  smiles: string
  x: Float64Array
  label: string
  fields: Record<string, string>
}

/** Writes stored poses as SDF records. */
export async function writeStored({ input, steps }: TaskCall<StoredPose[]>): Promise<string> {
  const rdkit = await healthyRdkit()
  return input
    .map(({ name, smiles, x, label, fields }) => {
      beginStep(steps)
      using molecule = rdkit.get_mol(smiles)
      if (molecule === null) return ''
      return writePoseSdf({ parts: readParts(molecule), x }, { name, remark: label, fields })
    })
    .join('')
}

/** `ligand`: the one in the structure; null for the user's own. */
type Choice = { id: string; ligand: ReferenceChoice['ligand'] | null }
type OpenedSite = { references: References } & (
  | { ok: true; site: Site; structure: Structure; choice: Choice; zero: number }
  | { ok: false; reason: string }
)

const CACHED_SITES = 2
const sites = new LRUCache<string, OpenedSite>({ max: CACHED_SITES })

function openSite(rdkit: RdkitModule, question: SiteQuestion): OpenedSite {
  const { content, chain, reference, own } = question
  const key = JSON.stringify([chain, reference, own, content])
  const opened = sites.get(key) ?? readSite(rdkit, question)
  sites.set(key, opened)
  return opened
}

function readSite(
  rdkit: RdkitModule,
  { content, chain, reference: wanted, own }: SiteQuestion,
): OpenedSite {
  const read = readStructure(content)
  if (!read.ok) return { ok: false, references: [], reason: read.reason }
  if (!hasCoordinates(read.value)) return { ok: false, references: [], reason: noStructure }
  const ligand = own === null ? null : readStored(rdkit, own)
  const inStructure = listReferences(read.value, chain)
  const references = [
    ...(ligand === null ? [] : [ownReference(ligand)]),
    ...inStructure.map(({ id, heavyAtoms }) => ({ id, heavyAtoms })),
  ]
  const id = wanted ?? references[0]?.id
  if (ligand !== null && id === OWN_LIGAND) {
    const structure = withoutOverlapping(read.value, ligand)
    const reference = referenceOf(ligand)
    return { ...prepareSite(structure, reference), references, choice: { id, ligand: null } }
  }
  const choice = inStructure.find((one) => one.id === id)
  if (choice === undefined) return { ok: false, references, reason: describeMissing(wanted) }
  return { ...prepareSite(read.value, readReference(choice.ligand)), references, choice }
}

function describeMissing(wanted: string | null): string {
  return wanted === null
    ? 'This structure has no ligand to place compounds on. Buffers, ions, sugars and cofactors do not count.'
    : `This structure has no ligand “${wanted}”.`
}

/** An unreadable ligand is an error here, because it was checked when the user sent it. */
function readStored(rdkit: RdkitModule, molfile: string): OwnLigand {
  const read = readOwnSdf(rdkit, molfile)
  if (!read.ok) throw new Error(`a stored ligand cannot be read: ${read.reason}`)
  return read.value
}

function ownReference({ parts }: OwnLigand): References[number] {
  return { id: OWN_LIGAND, heavyAtoms: parts.elements.length }
}

function prepareSite(structure: Structure, reference: Site['reference']) {
  const site = { reference, pocket: preparePocket(structure, reference.x) }
  return { ok: true as const, site, structure, zero: relaxedReferenceEnergy(site) }
}

let openedRdkit: Promise<RdkitModule> | null = null

function healthyRdkit(): Promise<RdkitModule> {
  openedRdkit ??= openRdkit()
  return openedRdkit
}
