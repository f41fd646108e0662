/** Names of compounds: normalised, never empty, unique within a file. */
import { clipText } from '../sentences.ts'
import { smilesLimits } from './rdkit.ts'

export type CompoundName = { ok: true; name: string } | { ok: false; reason: string }

/** Default name of a compound if its file has no usable name either. */
const NAMELESS = 'compound'

/** Control and invisible formatting characters, and halves of surrogate pairs. */
const unprintable = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu

/** Composed (NFC), without control characters, with single spaces. May be empty: no name. */
export function readCompoundName(text: string): CompoundName {
  const name = tidy(text)
  const most = smilesLimits.nameCharacters
  if (name.length > most) {
    return refuse(`The name is ${name.length} characters long; the maximum is ${most}.`)
  }
  if (name === '.' || name === '..') return refuse(`“${name}” is not a valid name.`)
  if (name.includes('\uFFFD')) return refuse('The name is not UTF-8 text: save the file as UTF-8.')
  return { ok: true, name }
}

/** The name shared by the molecules of this file that have none. */
export function nameFromStem(fileStem: string): string {
  const name = clipText(tidy(fileStem), smilesLimits.nameCharacters - 8).trim()
  return ['', '.', '..'].includes(name) ? NAMELESS : name
}

/**
 * The name itself, or `name (2)`, `name (3)`, … if it is taken. `copies` remembers the last number per name, so that
 * five thousand molecules with one name are named in one pass.
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
