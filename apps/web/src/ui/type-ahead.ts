/** Finds an item of a list by the letters typed over it, as native lists do. */
import { type KeyboardEvent, useRef } from 'react'

const PAUSE_MS = 600

/** Remembers the letters typed over a list and returns the item they mean. */
export function useTypeAhead(items: readonly { name: string }[]) {
  const letters = useRef(nothingTyped)
  const names = () => items.map(({ name }) => name)
  return {
    /** True for a letter, and for a space inside the name that is being typed. */
    isLetter: ({ key, timeStamp }: KeyboardEvent) =>
      key === ' ' ? isSpaceOfName(names(), letters.current, timeStamp) : key.length === 1,
    /** Index of the matching item, or null. */
    find: ({ key, timeStamp }: KeyboardEvent, current: number | null) => {
      letters.current = addLetter(letters.current, key, timeStamp)
      return findTyped(names(), letters.current.typed, current ?? -1)
    },
  }
}

type TypeAhead = { typed: string; at: number }

const nothingTyped: TypeAhead = { typed: '', at: Number.NEGATIVE_INFINITY }

function addLetter(before: TypeAhead, letter: string, now: number): TypeAhead {
  const typed = isOpen(before, now) ? before.typed : ''
  return { typed: typed + foldCase(letter), at: now }
}

/**
 * Index of the next match at or after `current`, wrapping around; null if nothing matches. Repeating one letter
 * cycles through the items that begin with it.
 */
function findTyped(names: readonly string[], typed: string, current: number): number | null {
  const first = typed.slice(0, 1)
  const isOneLetter = typed === first.repeat(typed.length)
  const sought = isOneLetter && !someBegin(names, typed) ? first : typed
  // A single letter moves on to the next item; further letters may still describe the current one.
  const start = sought.length === 1 ? current + 1 : Math.max(current, 0)
  for (let step = 0; step < names.length; step += 1) {
    const index = (start + step) % names.length
    if (begins(names[index], sought)) return index
  }
  return null
}

/** A space continues a name that contains one while letters are being typed; otherwise it selects. */
function isSpaceOfName(names: readonly string[], { typed, at }: TypeAhead, now: number): boolean {
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
