import { expect, test, vi } from 'vitest'
import { countStereoisomers, type Flattener } from './stereoisomers.ts'
import type { Plan } from './plan.ts'

const rows = ['C[C@H](N)O', 'C[C@@H](N)O', 'CC(N)O', 'CC(N)O', 'CCN', null].map((standard) => {
  return { name: '', smiles: '', standard, reason: null }
})
const plan: Plan = { targets: [], rows, keys: [], unusable: [], total: 0 }

test('compounds that differ only in stereochemistry are counted beyond the first, and duplicates are not', async () => {
  const flattenCompounds = vi.fn<Flattener['flattenCompounds']>(async () => ['CC(N)O', 'CC(N)O'])
  const asked = { userId: 'me', plan, until: 1 }
  expect(await countStereoisomers({ flattenCompounds }, asked)).toBe(2)
  expect(flattenCompounds).toHaveBeenCalledWith('me', ['C[C@H](N)O', 'C[C@@H](N)O'], 1)
})

test('nothing is said if there was no time to compare all', async () => {
  const flattenCompounds = async () => ['CC(N)O', null]
  expect(
    await countStereoisomers({ flattenCompounds }, { userId: 'me', plan, until: 1 }),
  ).toBeNull()
})
