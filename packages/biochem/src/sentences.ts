/** Counts, lists and quotations in messages, kept short however long the input is. */

/** `1 residue`, `1,200 residues`. */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`
}

/** The first few of a list, each once, and how many more there are: `A, B and 3 more`. */
export function listNames(names: readonly string[], shown = 6): string {
  const distinct = [...new Set(names)]
  const first = distinct.slice(0, shown).join(', ')
  return distinct.length > shown ? `${first} and ${distinct.length - shown} more` : first
}

/** The first `most` characters of a text, never half of a surrogate pair. */
export function clipText(text: string, most: number): string {
  const clipped = text.slice(0, most)
  const isCut = /[\uD800-\uDBFF]$/.test(clipped)
  return isCut ? clipped.slice(0, -1) : clipped
}
