/** Tasks of the explainer thread: evidence for a prediction. Slower than predicting, hence a separate thread. */
import { workerData } from 'node:worker_threads'
import {
  commonPart,
  drawPlaced,
  findCore,
  hideAtoms,
  openRdkit,
  RdkitTrap,
  type CommonCore,
  type CommonPart,
  type PlacedDrawing,
  type RdkitModule,
} from '@pkdex/biochem'
import type { SimilarEvidence, FormulaPicture, PredictionResult, Theme } from '@pkdex/contract'
import type { SimilarCompound } from './similar-compounds.ts'
import { openCompoundStructures } from './compound-structures.ts'
import { GRID_COLUMNS, gridColumns } from './grid.ts'
import { readModelCard } from './model-card.ts'
import { type Explained, type Model, openModel, type Pair } from './open-model.ts'
import type { Relative } from './relatives.ts'
import { openAccuracy } from './series-accuracy.ts'
import type { ThreadData } from './shared-arrays.ts'
import { readRanking } from './structure-settings.ts'
import { beginStep, type TaskCall } from '#server/platform/jobs/thread-pool.ts'

type PicturedPair = { pair: Pair; theme: Theme }

const PICTURE = { width: 640, height: 480 }
const SIMILAR_MAX = 5
const MEASUREMENTS_MAX = 3
/** Values beyond the most similar compounds are listed if they move the prediction by so much, in pKd. */
const UNLISTED_MAX = 3
const MOVED_MIN = 0.05
/** Masked forms per run of the model, between two progress steps. */
const MASKS_ABREAST = 16

export type ExplainedAtoms = { picture: FormulaPicture; contributions: number[] }

export async function describePair({
  input: pair,
  steps,
}: TaskCall<Pair>): Promise<PredictionResult> {
  const { model } = await healthy()
  beginStep(steps)
  return orAfresh(async () => {
    const [result] = await model.predict([pair])
    if (result === undefined) throw new Error('the model returned no prediction')
    return result
  })
}

/** For each atom: the prediction minus the prediction with this atom hidden. */
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
    const contributions: number[] = []
    for (let first = 0; first < picture.atoms.length; first += MASKS_ABREAST) {
      beginStep(steps)
      const some = picture.atoms.slice(first, first + MASKS_ABREAST)
      const masks = some.map((_, at) => [first + at])
      contributions.push(...(await numbersOf(model, pair, masks)).map((number) => whole - number))
    }
    return { picture, contributions }
  })
}

/** Predictions of a pair with some atoms of the compound hidden, mask by mask. */
async function numbersOf(model: Model, pair: Pair, masks: number[][]): Promise<number[]> {
  const smiles = masks.map((atoms) => hideAtoms(pair.smiles, atoms))
  const columns = await model.predictGrid({ targets: [pair.segments], smiles })
  return masks.map((_, at) => columns[at * GRID_COLUMNS + gridColumns.predicted] ?? 0)
}

export async function findSimilar({
  input: { pair, theme },
  steps,
}: TaskCall<PicturedPair>): Promise<SimilarEvidence> {
  const opened = await healthy()
  beginStep(steps)
  return orAfresh(async () => {
    const known = await explainPair(opened.model, pair)
    const { compounds: found, ...where } = await lookUp(opened, pair, known)
    const structures = found.flatMap(({ row }) => opened.structures.compound(row)?.smiles ?? [])
    const core = findCore(opened.rdkit, [pair.smiles, ...structures])
    const compounds: SimilarEvidence['compounds'] = []
    for (const one of found) {
      beginStep(steps)
      compounds.push(describe(opened, one, { smiles: pair.smiles, theme, core, known }))
    }
    const own = pictureOf(drawPlaced(opened.rdkit, pair.smiles, { ...PICTURE, theme, core }))
    const shift = rounded(known.near.mean)
    return { ...where, ranking: opened.ranking, shift, own, compounds }
  })
}

/** What is known about a protein, without a compound. */
export async function describeTarget({
  input: segments,
  steps,
}: TaskCall<string[]>): Promise<KnownTarget> {
  const opened = await healthy()
  beginStep(steps)
  const known = await explainPair(opened.model, { segments, smiles: ANY_COMPOUND })
  return describeProtein(opened, opened.model.relativesOf(segments), known)
}

/** What is known about a protein does not depend on the compound, so any will do. */
const ANY_COMPOUND = 'c1ccccc1'

async function explainPair(model: Model, pair: Pair): Promise<Explained> {
  const [known] = await model.explain([pair])
  if (known === undefined) throw new Error('the model returned no parts')
  return known
}

export type KnownTarget = Pick<SimilarEvidence, 'target' | 'accuracy'>

type Found = Pick<SimilarEvidence, 'scope' | 'target' | 'accuracy'> & {
  compounds: SimilarCompound[]
}

/** Measured on the target that the prediction rests on if it has similar compounds, otherwise on any target. */
async function lookUp(opened: Opened, pair: Pair, known: Explained): Promise<Found> {
  const { model, card } = opened
  const { similar } = model
  const fingerprint = await model.fingerprintOf(pair.smiles)
  const relatives = model.relativesOf(pair.segments)
  const nearest = relatives[0] ?? null
  const where = describeProtein(opened, relatives, known)
  const isTarget = nearest !== null && nearest.similarity > card.domain.sameTargetAbove
  const places = known.place === null ? [] : [known.place]
  // Pooled over all entries with this sequence.
  const onTarget = similar.onTargets(fingerprint, isTarget ? nearest.places : places, SIMILAR_MAX)
  const near = onTarget.filter(({ similarity }) => similarity >= card.domain.compoundSimilarityMin)
  const isOnTarget = near.length > 0
  const compounds = isOnTarget ? near : similar.anywhere(fingerprint, SIMILAR_MAX)
  const listed = new Set(compounds.flatMap(({ labels }) => labels.map(({ place }) => place)))
  const unlisted = known.near.terms
    .filter(({ place, contribution }) => !listed.has(place) && Math.abs(contribution) >= MOVED_MIN)
    .toSorted((one, other) => Math.abs(other.contribution) - Math.abs(one.contribution))
    .slice(0, UNLISTED_MAX)
  const others = similar.withLabels(
    fingerprint,
    unlisted.map(({ place }) => place),
  )
  return {
    scope: isOnTarget ? 'target' : 'anywhere',
    ...where,
    compounds: merged(
      compounds.map((one) => byContribution(one, known)),
      others,
    ),
  }
}

/** The labels that move the prediction most come first. */
function byContribution(one: SimilarCompound, known: Explained): SimilarCompound {
  const sizeOf = ({ place }: { place: number }) => Math.abs(contributionOf(known, place) ?? 0)
  return { ...one, labels: one.labels.toSorted((a, b) => sizeOf(b) - sizeOf(a)) }
}

/** Labels of the others follow those of the same compound. */
function merged(compounds: SimilarCompound[], others: SimilarCompound[]): SimilarCompound[] {
  const listed = new Set(compounds.map(({ row }) => row))
  const labelsOf = (row: number) => others.find((one) => one.row === row)?.labels ?? []
  return [
    ...compounds.map((one) => ({ ...one, labels: [...one.labels, ...labelsOf(one.row)] })),
    ...others.filter(({ row }) => !listed.has(row)),
  ]
}

/** `target` is null if no training target is similar to the protein. */
function describeProtein(
  { card, accuracyOf }: Opened,
  relatives: Relative[],
  known: Explained,
): KnownTarget {
  // Counted in the same way as in the model card.
  const accuracy = accuracyOf(relatives, known.values)
  const [nearest] = relatives
  if (nearest === undefined || nearest.similarity < card.domain.targetSimilarityMin) {
    return { target: null, accuracy }
  }
  const { name, similarity, measurements: measured } = nearest
  return { target: { name, similarity, measured, heard: known.values }, accuracy }
}

function describe(
  { rdkit, structures }: Opened,
  { row, similarity, labels }: SimilarCompound,
  {
    smiles: own,
    known,
    ...look
  }: { smiles: string; theme: Theme; core: CommonCore | null; known: Explained },
): SimilarEvidence['compounds'][number] {
  const structure = structures.compound(row)
  const drawn = structure && pictureOf(drawPlaced(rdkit, structure.smiles, { ...PICTURE, ...look }))
  const common: CommonPart =
    structure && drawn ? commonPart(rdkit, own, structure.smiles) : { one: [], other: [] }
  return {
    similarity,
    name: structure?.name ?? null,
    smiles: structure?.smiles ?? null,
    picture: drawn,
    common: { own: common.one, other: common.other },
    measurements: labels.slice(0, MEASUREMENTS_MAX).map(({ place, target, pk, isUpperBound }) => ({
      target,
      pk,
      is_upper_bound: isUpperBound,
      contribution: contributionOf(known, place),
      ...(structures.origin(place) ?? { types: [], sources: [] }),
    })),
    measurement_count: labels.length,
  }
}

/** Null if the prediction does not use the value. */
function contributionOf({ near }: Explained, place: number): number | null {
  const term = near.terms.find((one) => one.place === place)
  return term === undefined ? null : rounded(term.contribution)
}

const rounded = (shift: number) => Number(shift.toFixed(4))

function pictureOf(drawing: PlacedDrawing): FormulaPicture | null {
  if (!drawing.ok) return null
  const { svg, alt, atoms } = drawing
  const image = `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`
  return { image, ...PICTURE, alt, atoms }
}

type Opened = Awaited<ReturnType<typeof openFresh>>
let opened: Promise<Opened> | null = null

/** After a failure RDKit may be broken, so the next task loads everything again. */
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
  const { modelDirectory: directory, memory }: ThreadData = workerData
  const rdkit: RdkitModule = await openRdkit()
  const card = await readModelCard(directory)
  return {
    rdkit,
    card,
    accuracyOf: openAccuracy(directory, card),
    ranking: readRanking(directory),
    model: await openModel({ directory, memory, rdkit }),
    structures: openCompoundStructures(directory),
  }
}
