/** Puts the feature together: what a number rests on, for pairs that a user has predicted with the model that runs now. */
import type { AlikeEvidence, AtomEvidence, Receipt, Theme } from '@pkdex/contract'
import {
  type Explainer,
  type ModelIdentity,
  openExplainer,
  readModelIdentity,
} from '#server/inference/service.ts'
import { AppError } from '#server/platform/errors.ts'
import { openFairScheduler } from '#server/platform/jobs/fair-scheduler.ts'
import {
  findPredictedPair,
  type PredictedPair,
  type PredictionDependencies,
} from '#server/predictions/service.ts'
import { openKeptAnswers } from './kept-answers.ts'
import { writeReceipt } from './receipt.ts'

type PairQuestion = { userId: string; target: string; compound: string }
type PicturedQuestion = PairQuestion & { theme: Theme }

export type Evidence = {
  atoms(question: PicturedQuestion): Promise<AtomEvidence>
  alike(question: PicturedQuestion): Promise<AlikeEvidence>
  receipt(question: PairQuestion): Promise<Receipt>
  close(): Promise<void>
}

type Dependencies = {
  predictions: Pick<PredictionDependencies, 'db' | 'store' | 'modelVersion' | 'now'>
  model: ModelIdentity
  explainer: Explainer
}

/** Questions of one user that may wait. */
const WAITING_MAX = 8

export async function openEvidence(options: {
  predictions: Dependencies['predictions']
  modelDirectory: string
}): Promise<Evidence> {
  const { predictions, modelDirectory } = options
  const model = await readModelIdentity(modelDirectory)
  return createEvidence({ predictions, model, explainer: openExplainer({ modelDirectory }) })
}

export function createEvidence({ predictions, model, explainer }: Dependencies): Evidence {
  const scheduler = openFairScheduler({ slots: 1, waitingMax: WAITING_MAX })
  const kept = { atoms: openKeptAnswers<AtomEvidence>(), alike: openKeptAnswers<AlikeEvidence>() }

  /** Answers it from what is kept, or in turn. */
  async function inTurn<T>(
    { userId, theme, target, compound }: PicturedQuestion,
    answers: { kept: (key: unknown, make: () => Promise<T>) => Promise<T> },
    make: (found: PredictedPair) => Promise<T | null>,
  ): Promise<T> {
    const found = await findPredictedPair(predictions, { userId, target, compound })
    return answers.kept([found.pair, found.result.model_version, theme], async () => {
      const turn = scheduler.run({ userId, isLong: false }, () => make(found))
      if (turn === null) {
        throw new AppError(
          'too_many_requests',
          'Too much of yours is being explained. Please try again in a moment.',
        )
      }
      const answer = await turn
      if (answer !== null) return answer
      throw new AppError(
        'file_unreadable',
        `${found.compound.name} is too large or too complicated to be explained.`,
      )
    })
  }

  return {
    atoms: (question) =>
      inTurn(question, kept.atoms, async ({ pair, result }) => {
        const explained = await explainer.atoms(pair, question.theme)
        if (explained === null) return null
        const { predicted_kd, model_version } = result
        return { predicted_kd, model_version, ...explained }
      }),
    alike: (question) =>
      inTurn(question, kept.alike, ({ pair }) => explainer.alike(pair, question.theme)),
    async receipt(question) {
      return writeReceipt(await findPredictedPair(predictions, question), model)
    },
    close: () => explainer.close(),
  }
}
