/** What the explaining thread does: the model again, this time to say what a number rests on. Slower than predicting, so on a thread of its own. */
import { workerData } from 'node:worker_threads'
import {
  commonPart,
  compoundFeatures,
  drawPlaced,
  hideAtoms,
  openRdkit,
  RdkitTrap,
  type CommonPart,
  type PlacedDrawing,
  type RdkitModule,
} from '@pkdex/biochem'
import type { AlikeEvidence, FormulaPicture, Theme } from '@pkdex/contract'
import { type AlikeCompound, openAlikeCompounds } from './alike-compounds.ts'
import { openCompoundStructures } from './compound-structures.ts'
import { foldMorgan } from './fingerprints.ts'
import { readModelCard } from './model-card.ts'
import { type Model, openModel, type Pair } from './open-model.ts'
import type { Relative } from './relatives.ts'
import { beginStep, type TaskCall } from '#server/platform/jobs/thread-pool.ts'

type PicturedPair = { pair: Pair; theme: Theme }

const PICTURE = { width: 640, height: 480 }
const ALIKE_MAX = 5
const MEASUREMENTS_MAX = 3
/** Masked forms that go through the model between two steps. */
const MASKS_ABREAST = 16

export type ExplainedAtoms = { picture: FormulaPicture; adds: number[] }

/** For each atom, the number without a mask less the number with this atom hidden. */
export async function explainAtoms({
  input: { pair, theme },
  steps,
}: TaskCall<PicturedPair>): Promise<ExplainedAtoms> {
  const { model, rdkit } = await healthy()
  beginStep(steps)
  return orAfresh(async () => {
    const picture = pictureOf(drawPlaced(rdkit, pair.smiles, { ...PICTURE, theme }))
    if (picture === null) throw new Error('the compound cannot be drawn')
    const [whole = 0] = await numbersOf(model, pair, [[]])
    const adds: number[] = []
    for (let first = 0; first < picture.atoms.length; first += MASKS_ABREAST) {
      beginStep(steps)
      const some = picture.atoms.slice(first, first + MASKS_ABREAST)
      const masks = some.map((_, at) => [first + at])
      adds.push(...(await numbersOf(model, pair, masks)).map((number) => whole - number))
    }
    return { picture, adds }
  })
}

/** The number of a pair with some of the compound's atoms hidden, mask by mask. */
async function numbersOf(model: Model, pair: Pair, masks: number[][]): Promise<number[]> {
  const { segments, smiles } = pair
  const masked = masks.map((atoms) => ({ segments, smiles: hideAtoms(smiles, atoms) }))
  return (await model.predict(masked)).map(({ predicted_kd }) => predicted_kd)
}

export async function findAlike({
  input: { pair, theme },
  steps,
}: TaskCall<PicturedPair>): Promise<AlikeEvidence> {
  const opened = await healthy()
  beginStep(steps)
  return orAfresh(async () => {
    const { compounds: found, ...where } = await lookUp(opened, pair)
    const compounds: AlikeEvidence['compounds'] = []
    for (const one of found) {
      beginStep(steps)
      compounds.push(describe(opened, one, { smiles: pair.smiles, theme }))
    }
    const own = pictureOf(drawPlaced(opened.rdkit, pair.smiles, { ...PICTURE, theme }))
    return { ...where, own, compounds }
  })
}

type Found = Pick<AlikeEvidence, 'scope' | 'target'> & { compounds: AlikeCompound[] }

/** On the target itself where it is one of training and compounds like this one were measured on it, else anywhere. */
async function lookUp(opened: Opened, pair: Pair): Promise<Found> {
  const { model, rdkit, card, alike } = opened
  const fingerprint = foldMorgan(compoundFeatures(rdkit, pair.smiles).bits)
  const nearest = model.relativesOf(pair.segments)[0] ?? null
  const target = await describeTarget(opened, pair, nearest)
  const isTarget = nearest !== null && nearest.similarity > card.domain.sameTargetAbove
  // Of all entries of the sequence, as the number is.
  const onTarget = isTarget ? alike.onTargets(fingerprint, nearest.places, ALIKE_MAX) : []
  const compounds = onTarget.filter(
    ({ similarity }) => similarity >= card.domain.compoundSimilarityMin,
  )
  if (compounds.length > 0) return { scope: 'target', target, compounds }
  return { scope: 'anywhere', target, compounds: alike.anywhere(fingerprint, ALIKE_MAX) }
}

/** Null where the nearest training target does not resemble the protein. */
async function describeTarget(
  { model, card }: Opened,
  pair: Pair,
  nearest: Relative | null,
): Promise<Found['target']> {
  if (nearest === null || nearest.similarity < card.domain.targetSimilarityMin) return null
  const { name, similarity, measurements: measured } = nearest
  const [known] = await model.explain([pair])
  return { name, similarity, measured, heard: known?.labels ?? 0 }
}

function describe(
  { rdkit, structures }: Opened,
  { row, similarity, labels }: AlikeCompound,
  { smiles: own, theme }: { smiles: string; theme: Theme },
): AlikeEvidence['compounds'][number] {
  const known = structures.compound(row)
  const drawn = known && pictureOf(drawPlaced(rdkit, known.smiles, { ...PICTURE, theme }))
  const common: CommonPart =
    known && drawn ? commonPart(rdkit, own, known.smiles) : { one: [], other: [] }
  return {
    similarity,
    name: known?.name ?? null,
    smiles: known?.smiles ?? null,
    picture: drawn,
    common: { own: common.one, other: common.other },
    measurements: labels.slice(0, MEASUREMENTS_MAX).map(({ place, target, pk, isUpperBound }) => ({
      target,
      pk,
      is_upper_bound: isUpperBound,
      ...(structures.origin(place) ?? { types: [], sources: [] }),
    })),
    measurement_count: labels.length,
  }
}

function pictureOf(drawing: PlacedDrawing): FormulaPicture | null {
  if (!drawing.ok) return null
  const { svg, alt, atoms } = drawing
  const image = `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`
  return { image, ...PICTURE, alt, atoms }
}

type Opened = Awaited<ReturnType<typeof openFresh>>
let opened: Promise<Opened> | null = null

/** After a failure RDKit cannot be trusted: the next task opens everything afresh. */
function healthy(): Promise<Opened> {
  opened ??= openFresh()
  return opened
}

async function orAfresh<T>(explain: () => Promise<T>): Promise<T> {
  try {
    return await explain()
  } catch (error) {
    if (error instanceof RdkitTrap) opened = null
    throw error
  }
}

async function openFresh() {
  const { modelDirectory: directory }: { modelDirectory: string } = workerData
  const rdkit: RdkitModule = await openRdkit()
  return {
    rdkit,
    card: await readModelCard(directory),
    model: await openModel({ directory, rdkit }),
    alike: openAlikeCompounds(directory),
    structures: openCompoundStructures(directory),
  }
}
