/** Test dependencies for screens whose targets have no structure to place compounds in. */
import type { StructureParts } from './structure-order.ts'

export const noStructures: StructureParts = {
  poses: {
    findReferences: async () => ({ references: [], own: null }),
    writeStored: () => Promise.reject(new Error('these screens have no pose threads')),
  },
  weights: { pose: 0, similarity: 0 },
  threads: 1,
}
