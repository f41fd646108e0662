/** Display names of chains: a chain without a letter in the file is unnamed. */
import type { Target } from '@pkdex/contract'
import { countOf } from './format.ts'

/** `chain A of abl (274 residues)`, in a sentence. */
export function describeSequence({ name, chain, residues }: Target): string {
  return `${nameChain(chain)} of ${name} (${countOf(residues, 'residue')})`
}

/** In a sentence: `chain A`. */
export function nameChain(id: string): string {
  const place = placeAmongLetterless(id)
  if (place === null) return `chain ${id}`
  return place === 1 ? 'the unnamed chain' : `unnamed chain ${place}`
}

/** In a list of chains: `A`. */
export function labelChain(id: string): string {
  const place = placeAmongLetterless(id)
  if (place === null) return id
  return place === 1 ? 'unnamed' : `unnamed ${place}`
}

/**
 * The server's identifier of a chain without a letter in the file is `_`, of a second one `_.2`. Counts from 1;
 * null for a chain with a letter.
 */
function placeAmongLetterless(id: string): number | null {
  const match = /^_(?:\.?(\d+))?$/.exec(id)
  return match && Number(match[1] ?? 1)
}
