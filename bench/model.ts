/** Speed of the model on one core: one pair cold, many with cached encodings. */
import { type Figure, limited, medianMs } from './figure.ts'
import { compound, openBareModel, sampleConstructs, sampleSegments } from './on-product.ts'

const COMPOUNDS = 1000
const TARGETS = 10

export async function measureModel(): Promise<Figure[]> {
  const model = await openBareModel()
  const pairs = sampleConstructs(TARGETS).flatMap((segments) =>
    Array.from({ length: COMPOUNDS }, (_, at) => ({ segments, smiles: compound(at) })),
  )
  const cold = await medianMs(20, (round) => {
    const segments = [...sampleSegments(), 'A'.repeat(round + 5)]
    return model.predict([{ segments, smiles: compound(COMPOUNDS + 1 + round) }])
  })
  const kept = await medianMs(3, () => model.predict(pairs))
  return [
    limited('one new pair, structure already parsed', cold, 'ms', 150),
    {
      name: `${COMPOUNDS} compounds × ${TARGETS} targets, encodings cached`,
      measured: (pairs.length / kept) * 1000,
      unit: 'pairs/s',
      against: { name: 'floor', value: 20_000 },
      isFloor: true,
    },
  ]
}
