/** Names of compounds: tidied, never empty, never two alike in one file. */
import { clipText } from '../sentences.ts'
import { smilesLimits } from './rdkit.ts'

export type CompoundName = { ok: true; name: string } | { ok: false; reason: string }

/** What a compound is called when its file has no usable name either. */
const NAMELESS = 'compound'

/** Control and invisible formatting characters, and halves of surrogate pairs. */
const unprintable = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu

/** Composed (NFC), without control characters, with single spaces. The empty name is fine: there is none. */
export function readCompoundName(text: string): CompoundName {
  const name = tidy(text)
  const most = smilesLimits.nameCharacters
  if (name.length > most) {
    return refuse(`The name is ${name.length} characters long; ${most} is the most.`)
  }
  if (name === '.' || name === '..') return refuse(`"${name}" cannot be a name.`)
  if (name.includes('\uFFFD')) return refuse('The name is not UTF-8 text: save the file as UTF-8.')
  return { ok: true, name }
}

/** The name that the molecules of this file share where they have none of their own. */
export function nameFromStem(fileStem: string): string {
  const name = clipText(tidy(fileStem), smilesLimits.nameCharacters - 8).trim()
  return ['', '.', '..'].includes(name) ? NAMELESS : name
}

/**
 * The name itself, or `name (2)`, `name (3)`, … where it is taken. `copies` remembers how far each name
 * has got, so that five thousand molecules of one name are named in one pass.
 */
export function findFreeName(
  name: string,
  taken: ReadonlyMap<string, unknown>,
  copies: Map<string, number>,
): string {
  let free = name
  let count = copies.get(name) ?? 1
  while (taken.has(free)) {
    count += 1
    const suffix = ` (${count})`
    free = clipText(name, smilesLimits.nameCharacters - suffix.length) + suffix
  }
  copies.set(name, count)
  return free
}

function tidy(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll(unprintable, '').normalize('NFC').trim()
}

function refuse(reason: string): CompoundName {
  return { ok: false, reason }
}
