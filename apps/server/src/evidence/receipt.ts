/** The receipt of a prediction: inputs, model and features. */
import { featureSpec, featureSpecHash } from '@pkdex/biochem'
import { type PredictionResult, type Receipt, RECEIPT_DECIMALS } from '@pkdex/contract'
import type { ModelIdentity } from '#server/inference/service.ts'
import { AppError } from '#server/platform/errors.ts'
import type { PredictedPair } from '#server/predictions/service.ts'

export function writeReceipt(
  { target, compound, pair, predictedAt }: Omit<PredictedPair, 'cell' | 'result' | 'userId'>,
  result: PredictionResult,
  model: ModelIdentity,
): Receipt {
  if (target.file === null) {
    throw new AppError(
      'not_found',
      `A receipt needs the structure file, but ${target.name} was deleted.`,
    )
  }
  const { lower, upper, level } = result.interval
  return {
    format: 'pkdex-receipt-1',
    predicted_kd: toReceiptDigits(result.predicted_kd),
    interval: { lower: toReceiptDigits(lower), upper: toReceiptDigits(upper), level },
    predicted_at: predictedAt.toISOString(),
    model: { version: model.version, card_sha256: model.cardSha256 },
    features: { version: featureSpec.version, hash: featureSpecHash },
    structure: {
      name: target.name,
      filename: target.file.filename,
      file_sha256: target.file.contentSha256,
      chain: target.chain,
      segments: pair.segments,
    },
    compound: { name: compound.name, smiles: compound.smiles, standard_smiles: pair.smiles },
  }
}

/** With as many decimals as a receipt has. */
export function toReceiptDigits(number: number): number {
  return Number(number.toFixed(RECEIPT_DECIMALS))
}
