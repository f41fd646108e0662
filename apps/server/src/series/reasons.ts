/** Explains a suggestion: the measured values without which its prediction would change most, and a sentence. */
import type { Suggestion } from '@pkdex/contract'
import type { Estimate } from '#server/inference/service.ts'
import type { FittedValues, OwnCompound } from '#server/measurements/service.ts'
import { round } from '#server/platform/round.ts'

type RestsOn = Suggestion['rests_on'][number]

/** Only the most similar compounds are left out in turn: each one requires a new fit. */
const LEFT_OUT_MAX = 4
const NAMED_MAX = 2

/** Returns the value with the largest effect first; if no value is used, the most similar compound. */
export async function findReasons(
  candidate: Estimate,
  { measured, fitted }: { measured: OwnCompound[]; fitted: FittedValues | null },
): Promise<RestsOn[]> {
  const similar = measured
    .map((one) => ({ ...one, similarity: tanimoto(candidate.bits, one.bits) }))
    .toSorted((one, other) => other.similarity - one.similarity)
    .slice(0, LEFT_OUT_MAX)
  const whole = fitted?.update([candidate])[0]?.predicted ?? candidate.predicted
  const reasons: RestsOn[] = []
  for (const { compound, smiles, pk, similarity } of similar) {
    // A fit to 500 values takes a tenth of a second: others are served in between.
    await new Promise((resolve) => setImmediate(resolve))
    const [without] = fitted?.updateWithout(smiles)([candidate]) ?? []
    const effect = round(whole - (without?.predicted ?? whole), 2)
    reasons.push({ compound, pk, similarity: round(similarity, 2), effect })
  }
  const strongestFirst = reasons.toSorted((a, b) => Math.abs(b.effect) - Math.abs(a.effect))
  return strongestFirst.slice(0, NAMED_MAX)
}

type Numbers = {
  /** The prediction without the user's values. */
  plain: number
  predicted: number
  isUsed: boolean
  /** Whether a pose moved both predictions. */
  isAdjusted?: boolean
}

/** Names the values that move the prediction in the same direction as all values together. */
export function writeReason(
  { plain, predicted, isUsed, isAdjusted = false }: Numbers,
  reasons: RestsOn[],
): string {
  const [from, to] = [plain.toFixed(1), predicted.toFixed(1)]
  const [nearest] = reasons.toSorted((one, other) => other.similarity - one.similarity)
  const similar = nearest === undefined ? '' : `; the most similar one is ${nameOf(nearest)}`
  const prediction = isAdjusted ? 'prediction with its pose' : 'prediction'
  if (!isUsed) {
    return `Ranked by the ${prediction}, because your values are not used${similar}.`
  }
  const direction = Math.sign(predicted - plain)
  const movers = reasons.filter(({ effect }) => effect !== 0 && Math.sign(effect) === direction)
  if (from === to || movers.length === 0) {
    return `Your values leave the ${prediction} at ${to}${similar}.`
  }
  const verb = direction > 0 ? 'raise' : 'lower'
  const named = movers.map(nameOf).join(' and ')
  return `Your values ${verb} the ${prediction} from ${from} to ${to}, mostly that of ${named}.`
}

/** How a column of another tool changes the prediction; empty if the displayed value stays the same. */
export function writeScore(column: string | undefined, without: number, predicted: number): string {
  const [from, to] = [without.toFixed(1), predicted.toFixed(1)]
  return column === undefined || from === to ? '' : ` With ${column}, it is ${to}.`
}

function nameOf({ compound, pk, similarity }: RestsOn): string {
  return `${compound} (${pk.toFixed(2)}, similarity ${similarity.toFixed(2)})`
}

function tanimoto(one: number[], other: number[]): number {
  const known = new Set(one)
  const shared = other.filter((bit) => known.has(bit)).length
  return shared / Math.max(one.length + other.length - shared, 1)
}
