/** Finds the compounds most similar to each compound with the product's own search, so that training sees what it finds. */
import { join } from 'node:path'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
// oxlint-disable-next-line no-restricted-imports -- neighbours are those that the server's worker finds
import * as prints from '../../apps/server/src/inference/fingerprints.ts'
import { offsetsOf, writeArray } from './write-array.ts'

/** More than the product uses, because compounds that are not learnt from are left out afterwards. */
const LIMITS = { count: 100, from: 0.5 }

type Share = { words: Uint32Array; first: number; end: number }
type Found = { rows: Uint32Array[]; similarities: Float32Array[] }

/** Threads of `features.ts` load this file too. */
if (!isMainThread && 'words' in workerData) parentPort?.postMessage(findShare(workerData as Share))

/**
 * Writes `neighbour-offsets.npy` (start of each compound's neighbours), `neighbours.npy` (their rows, closest first, the
 * compound itself included) and `similarities.npy`. `bits`: of each compound, by row.
 */
export async function writeNeighbours(
  out: string,
  bits: Uint16Array[],
  threads: number,
): Promise<void> {
  const words = new Uint32Array(
    new SharedArrayBuffer(bits.length * prints.FINGERPRINT_WORDS * Uint32Array.BYTES_PER_ELEMENT),
  )
  for (const [row, one] of bits.entries()) {
    words.set(prints.foldMorgan(one), row * prints.FINGERPRINT_WORDS)
  }
  const startOf = (part: number) => Math.floor((part * bits.length) / threads)
  const shares = Array.from({ length: threads }, (_, part) =>
    findApart({ words, first: startOf(part), end: startOf(part + 1) }),
  )
  const found = await Promise.all(shares)
  const rows = found.flatMap((share) => share.rows)
  const similarities = found.flatMap((share) => share.similarities)
  writeArray(join(out, 'neighbour-offsets.npy'), [offsetsOf(rows)])
  writeArray(join(out, 'neighbours.npy'), rows)
  writeArray(join(out, 'similarities.npy'), similarities)
}

function findApart(share: Share): Promise<Found> {
  const worker = new Worker(new URL(import.meta.url), { workerData: share })
  return new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject))
}

function findShare({ words, first, end }: Share): Found {
  const index = prints.indexFingerprints(words)
  const found: Found = { rows: [], similarities: [] }
  for (let row = first; row < end; row += 1) {
    const start = row * prints.FINGERPRINT_WORDS
    const near = index.closest(words.subarray(start, start + prints.FINGERPRINT_WORDS), LIMITS)
    found.rows.push(Uint32Array.from(near, (one) => one.row))
    found.similarities.push(Float32Array.from(near, ({ similarity }) => similarity))
  }
  return found
}
