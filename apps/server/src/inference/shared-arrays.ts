/**
 * Memory in which the threads of a process share the large arrays of a model: the first thread that needs an array makes
 * it, the others use the same. Every thread asks for the same arrays in the same order.
 */
import { createHash } from 'node:crypto'
import type { ModelCard } from './model-card.ts'

type Numbers = Uint8Array | Uint16Array | Uint32Array | Float16Array | Float32Array

export type NumbersOf<Made extends Numbers> = {
  readonly BYTES_PER_ELEMENT: number
  new (length: number): Made
  new (memory: SharedArrayBuffer, start: number, length: number): Made
}

/** The array that another thread made, or the one that `make` returns. It is read-only from then on. */
export type Share = <Made extends Numbers>(kind: NumbersOf<Made>, make: () => Made) => Made

export const keepPrivate: Share = (_kind, make) => make()

/** Only reserved; the arrays of model 2.0.0 take 90 MB. What does not fit stays private to its thread. */
const BYTES_MAX = 2 ** 28
/** The memory begins with the number of bytes in use, and state, start and length of each array. */
const ARRAYS_MAX = 85
const HEADER_NUMBERS = 1 + 3 * ARRAYS_MAX
const ALIGNED_TO = 8
const COPYING = 1
const READY = 2

const memories = new Map<string, WeakRef<SharedArrayBuffer>>()

/** `workerData` of the model's threads. */
export type ThreadData = { modelDirectory: string; memory: SharedArrayBuffer }

/** One memory per model folder; freed when no pool of threads has it. */
export function threadDataOf(modelDirectory: string): ThreadData {
  const memory = memories.get(modelDirectory)?.deref() ?? openMemory()
  memories.set(modelDirectory, new WeakRef(memory))
  return { modelDirectory, memory }
}

function openMemory(): SharedArrayBuffer {
  const bytes = HEADER_NUMBERS * Int32Array.BYTES_PER_ELEMENT
  const memory = new SharedArrayBuffer(bytes, { maxByteLength: BYTES_MAX })
  new Int32Array(memory)[0] = bytes
  return memory
}

/**
 * If the memory contains the arrays of another model, because the folder was replaced, or may come to contain them, all stay
 * private.
 */
export function openShare(memory: SharedArrayBuffer, { files }: Pick<ModelCard, 'files'>): Share {
  const share = shareIn(memory)
  const own = createHash('sha256').update(JSON.stringify(files)).digest()
  const first = share(Uint8Array, () => own)
  const isShared = (first.buffer as ArrayBufferLike) === memory
  return isShared && own.equals(first) ? share : keepPrivate
}

function shareIn(memory: SharedArrayBuffer): Share {
  const header = new Int32Array(memory, 0, HEADER_NUMBERS)
  let next = 1
  return (kind, make) => {
    const entry = next
    next += 3
    if (entry >= HEADER_NUMBERS) return make()
    if (Atomics.load(header, entry) === READY) {
      return new kind(memory, header[entry + 1] as number, header[entry + 2] as number)
    }
    const made = make()
    // Another thread that makes the same array, or ended while it copied it, leaves this one private.
    if (Atomics.compareExchange(header, entry, 0, COPYING) !== 0) return made
    const size = Math.ceil(made.byteLength / ALIGNED_TO) * ALIGNED_TO
    if (Atomics.load(header, 0) + size > BYTES_MAX) return made
    const start = Atomics.add(header, 0, size)
    if (!hasGrownTo(memory, start + size)) return made
    const shared = new kind(memory, start, made.length)
    shared.set(made)
    header[entry + 1] = start
    header[entry + 2] = made.length
    Atomics.store(header, entry, READY)
    return shared
  }
}

function hasGrownTo(memory: SharedArrayBuffer, bytes: number): boolean {
  try {
    if (memory.byteLength < bytes) memory.grow(bytes)
  } catch {
    // Beyond the maximum, or another thread has just grown it further.
  }
  return memory.byteLength >= bytes
}
