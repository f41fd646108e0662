/** Packed fingerprints and descriptors for own values; each molecule is computed once and cached. */
import { LRUCache } from 'lru-cache'
import type { ParsingWorkers } from '#server/files/parsing/service.ts'
import { packCompound } from './own-values.ts'

/**
 * More than a screen has compounds: an order by best estimates needs those of all, and each takes milliseconds. 156 bytes
 * each, and its SMILES.
 */
const CACHED_MAX = 60_000
const cache = new LRUCache<string, Buffer>({ max: CACHED_MAX })

/** Keyed by standard SMILES; molecules that cannot be read safely are missing. */
export async function readPacked(
  parsingWorkers: Pick<ParsingWorkers, 'readFingerprints'>,
  userId: string,
  smiles: string[],
): Promise<Map<string, Buffer>> {
  const found = new Map<string, Buffer>()
  for (const one of smiles) {
    const packed = cache.get(one)
    if (packed !== undefined) found.set(one, packed)
  }
  const unknown = [...new Set(smiles)].filter((one) => !found.has(one))
  if (unknown.length === 0) return found
  const read = await parsingWorkers.readFingerprints(userId, unknown)
  for (const [at, one] of unknown.entries()) {
    const features = read[at]
    if (!features) continue
    const packed = packCompound(features)
    found.set(one, packed)
    cache.set(one, packed)
  }
  return found
}
