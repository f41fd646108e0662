/**
 * Finds a list item by the first letters that are typed, as native lists do: letters within 600 ms of
 * each other belong together, one letter again and again walks through the items that begin with it.
 */

const PAUSE_MS = 600

export type TypeAhead = { typed: string; at: number }

export const nothingTyped: TypeAhead = { typed: '', at: Number.NEGATIVE_INFINITY }

export function addLetter(before: TypeAhead, letter: string, now: number): TypeAhead {
  const typed = isOpen(before, now) ? before.typed : ''
  return { typed: typed + foldCase(letter), at: now }
}

/** Index of the next match at or after `current`, around the end; null when nothing matches. */
export function findTyped(names: readonly string[], typed: string, current: number): number | null {
  const first = typed.slice(0, 1)
  const isOneLetter = typed === first.repeat(typed.length)
  const sought = isOneLetter && !someBegin(names, typed) ? first : typed
  // A single letter asks for the next item; further letters may still describe the current one.
  const start = sought.length === 1 ? current + 1 : Math.max(current, 0)
  for (let step = 0; step < names.length; step += 1) {
    const index = (start + step) % names.length
    if (begins(names[index], sought)) return index
  }
  return null
}

/** A space goes on with a name that has one there, while letters are being typed; otherwise it selects. */
export function isSpaceOfName(
  names: readonly string[],
  { typed, at }: TypeAhead,
  now: number,
): boolean {
  return typed !== '' && isOpen({ typed, at }, now) && someBegin(names, `${typed} `)
}

function isOpen({ at }: TypeAhead, now: number): boolean {
  return now - at <= PAUSE_MS
}

function someBegin(names: readonly string[], typed: string): boolean {
  return names.some((name) => begins(name, typed))
}

function begins(name: string | undefined, typed: string): boolean {
  return name !== undefined && foldCase(name).startsWith(typed)
}

function foldCase(text: string): string {
  return text.normalize('NFC').toLocaleLowerCase('en')
}
