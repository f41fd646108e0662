/** What a chain is called on the screen. The server's identifier of a chain that the file gives no letter is `_`, of a second one `_.2`. */

/** In a sentence: `chain A`. */
export function nameChain(id: string): string {
  const place = placeAmongLetterless(id)
  if (place === null) return `chain ${id}`
  return place === 1 ? 'the chain without a letter' : `chain ${place} without a letter`
}

/** In a list of chains: `A`. */
export function labelChain(id: string): string {
  const place = placeAmongLetterless(id)
  if (place === null) return id
  return place === 1 ? 'no letter' : `no letter ${place}`
}

/** At the beginning of a sentence or a line. */
export function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** Counted from 1; null for a chain that has a letter. */
function placeAmongLetterless(id: string): number | null {
  const match = /^_(?:\.?(\d+))?$/.exec(id)
  return match && Number(match[1] ?? 1)
}
