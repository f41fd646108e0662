/** Evidence for pairs that a user has predicted with the current model. */
import {
  type SimilarEvidence,
  type AskedPair,
  type AtomEvidence,
  type ModelFigures,
  type TargetEvidence,
  ELSEWHERE_SIMILARITY_MIN,
  type PairDetails,
  type PredictionResult,
  type Receipt,
  type Theme,
} from '@pkdex/contract'
import { expectTarget } from '#server/files/service.ts'
import {
  type Explainer,
  type ModelIdentity,
  openExplainer,
  readModelIdentity,
} from '#server/inference/service.ts'
import { AppError } from '#server/platform/errors.ts'
import { busy, openPlaces } from '#server/platform/limits/places.ts'
import {
  type BestEstimates,
  findPredictedPair,
  type PredictedPair,
  type PredictionDependencies,
  withNumberOf,
} from '#server/predictions/service.ts'
import { type AnswerCache, openAnswerCache } from './answer-cache.ts'
import { readFigures } from './model-figures.ts'
import { writeReceipt } from './receipt.ts'

type PairQuestion = AskedPair & { userId: string }
type PicturedQuestion = PairQuestion & { theme: Theme }

export type Evidence = {
  /** With the best estimate. */
  details(question: PairQuestion, best: BestEstimates): Promise<PairDetails>
  atoms(question: PicturedQuestion): Promise<AtomEvidence>
  similar(question: PicturedQuestion): Promise<SimilarEvidence>
  receipt(question: PairQuestion): Promise<Receipt>
  figures: ModelFigures
  /** Without a pair: nothing that is paid for. */
  target(question: { userId: string; callerId: string; target: string }): Promise<TargetEvidence>
  close(): Promise<void>
}

type Dependencies = {
  predictions: Pick<PredictionDependencies, 'db' | 'store' | 'modelVersion' | 'now'>
  model: ModelIdentity
  figures: ModelFigures
  explainer: Explainer
}

/** Maximum number of waiting requests per user. */
const WAITING_MAX = 8

export async function openEvidence(options: {
  predictions: Dependencies['predictions']
  modelDirectory: string
}): Promise<Evidence> {
  const { predictions, modelDirectory } = options
  const model = await readModelIdentity(modelDirectory)
  const figures = await readFigures(modelDirectory)
  return createEvidence({
    predictions,
    model,
    figures,
    explainer: openExplainer({ modelDirectory }),
  })
}

/** Returns the cached answer, or computes it in the user's turn. */
function openTurns(modelVersion: string) {
  const refusal = busy('Too many of your requests are in progress. Try again in a moment.')
  const places = openPlaces({ all: 1, perUser: 1, waitingMax: WAITING_MAX, refusal })
  return async <T>(
    { userId, theme }: { userId: string; theme?: Theme },
    { key, name }: { key: unknown; name: string },
    answers: AnswerCache<T>,
    make: () => Promise<T | null>,
  ): Promise<T> =>
    answers.read([key, modelVersion, theme], async () => {
      const answer = await places.use(userId, make)
      if (answer !== null) return answer
      throw new AppError('file_unreadable', `${name} is too large or too complex to explain.`)
    })
}

export function createEvidence({ predictions, model, figures, explainer }: Dependencies): Evidence {
  const inTurn = openTurns(predictions.modelVersion)
  const caches = {
    atoms: openAnswerCache<Omit<AtomEvidence, 'predicted_kd'>>(),
    similar: openAnswerCache<SimilarEvidence>(),
    results: openAnswerCache<PredictionResult>(),
    targets: openAnswerCache<Omit<TargetEvidence, 'target' | 'chain'>>(),
  }

  /**
   * The stored details of a single prediction; for a screen's pair they are computed now, with the screen's prediction.
   */
  async function resultOf(userId: string, found: PredictedPair): Promise<PredictionResult> {
    if (found.result !== null) return found.result
    const described = await inTurn({ userId }, pairIn(found), caches.results, () =>
      explainer.describe(found.pair),
    )
    return withNumberOf(found.cell, described)
  }

  const find = (question: PairQuestion) => findPredictedPair(predictions, question)

  return {
    async details(question, best) {
      const found = await find(question)
      const { userId, target, compound, pair } = found
      const { name, chain } = target
      const result = await resultOf(question.userId, found)
      return {
        target: name,
        chain,
        compound: compound.name,
        result: await best.complete({ userId, target, smiles: pair.smiles }, result),
      }
    },
    async atoms(question) {
      const found = await find(question)
      const explained = await inTurn(question, pairIn(found), caches.atoms, async () => {
        const atoms = await explainer.atoms(found.pair, question.theme)
        return atoms && { model_version: predictions.modelVersion, ...atoms }
      })
      const { contributions: adds } = explained
      return { predicted_kd: found.cell.predicted, ...explained, adds }
    },
    async similar(question) {
      const found = await find(question)
      return inTurn(question, pairIn(found), caches.similar, async () => {
        const similar = await explainer.similar(found.pair, question.theme)
        return (
          similar && { ...similar, compounds: similar.compounds.filter(isEvidence(similar.scope)) }
        )
      })
    },
    figures,
    async target({ userId, callerId, target: name }) {
      const target = await expectTarget(predictions.db, userId, name)
      const { chain } = target
      const segments = target.segments[chain] ?? []
      const about = { key: segments, name: target.name }
      const found = await inTurn({ userId: callerId }, about, caches.targets, async () => {
        const known = await explainer.target(segments)
        return known && { known: known.target, accuracy: known.accuracy }
      })
      return { target: target.name, chain, ...found }
    },
    async receipt(question) {
      const found = await find(question)
      return writeReceipt(found, await resultOf(question.userId, found), model)
    },
    close: () => explainer.close(),
  }
}

const pairIn = ({ pair, compound }: PredictedPair) => ({ key: pair, name: compound.name })

/** A compound measured on another target says something about this pair only if it is a close relative. */
function isEvidence(scope: SimilarEvidence['scope']) {
  return ({ similarity }: { similarity: number }) =>
    scope === 'target' || similarity >= ELSEWHERE_SIMILARITY_MIN
}
