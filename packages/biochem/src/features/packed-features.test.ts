/** Packed features are read back exactly, or not at all. */
import { expect, onTestFinished, test, vi } from 'vitest'
import golden from '../golden/features.json' with { type: 'json' }
import { compoundBitCount, featureSpec } from './feature-spec.ts'
import { packFeatures, unpackFeatures } from './packed-features.ts'

const compounds = golden.compounds.map(({ bits, descriptors }) => ({
  bits: Uint16Array.from(bits),
  descriptors: Float32Array.from(descriptors),
}))

test('packed features are read back exactly, at any position in a buffer', () => {
  expect(compounds.length).toBeGreaterThan(5)
  for (const features of compounds) {
    const packed = packFeatures(features)
    expect(unpackFeatures(packed)).toEqual(features)
    const within = new Uint8Array(packed.length + 3)
    within.set(packed, 3)
    expect(unpackFeatures(within.subarray(3))).toEqual(features)
  }
})

test('the first bit, the last bit, neighbours and no bit at all are read back', () => {
  const descriptors = new Float32Array(featureSpec.compound.descriptors.length).fill(-0.1)
  for (const bits of [[], [0], [0, 1, 127, 255, 256, 384, compoundBitCount - 1]]) {
    const features = { bits: Uint16Array.from(bits), descriptors }
    expect(unpackFeatures(packFeatures(features))).toEqual(features)
  }
})

test('a damaged byte, a missing one or another one at the end is noticed', () => {
  const [features] = compounds
  if (features === undefined) throw new Error('there are no compounds')
  const packed = packFeatures(features)
  for (const at of packed.keys()) {
    const damaged = packed.slice()
    damaged[at] = (damaged[at] ?? 0) ^ 1
    expect(unpackFeatures(damaged)).toBeNull()
    expect(unpackFeatures(packed.subarray(0, at))).toBeNull()
  }
  expect(unpackFeatures(Uint8Array.of(...packed, 0))).toBeNull()
})

test('features of another spec are ignored', async () => {
  const [features] = compounds
  if (features === undefined) throw new Error('there are no compounds')
  vi.resetModules()
  vi.doMock('./feature-spec.ts', async (original) => ({
    ...(await original<object>()),
    featureSpecHash: '0123456789abcdef',
  }))
  onTestFinished(() => vi.doUnmock('./feature-spec.ts'))
  const other = await import('./packed-features.ts')
  const packed = other.packFeatures(features)
  expect(other.unpackFeatures(packed)).toEqual(features)
  expect(unpackFeatures(packed)).toBeNull()
})
