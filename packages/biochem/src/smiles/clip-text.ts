/** The first characters of a text, never half of a pair that makes one sign. */
export function clipText(text: string, most: number): string {
  const clipped = text.slice(0, most)
  const isCut = /[\uD800-\uDBFF]$/.test(clipped)
  return isCut ? clipped.slice(0, -1) : clipped
}
