/** Cuts a text into lines at LF, CRLF and lone CR, without copying it. */

/** Lines in order, each cut off after `lengthMax` characters. */
export function* splitLines(text: string, lengthMax: number): Generator<string, void> {
  let from = 0
  let newline = -1
  let carriage = -1
  while (from < text.length) {
    if (newline < from) newline = positionOf(text, '\n', from)
    if (carriage < from) carriage = positionOf(text, '\r', from)
    const to = Math.min(newline, carriage)
    yield text.slice(from, Math.min(to, from + lengthMax))
    from = carriage + 1 === newline ? newline + 1 : to + 1
  }
}

function positionOf(text: string, character: string, from: number): number {
  const found = text.indexOf(character, from)
  return found < 0 ? text.length : found
}
