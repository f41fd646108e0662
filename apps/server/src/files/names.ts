/**
 * The names under which targets and compounds are listed and predicted: unique per user and kind.
 * Nothing is ever replaced: if a name is already in use for something else, the new item gets a number.
 */
import {
  type FileType,
  acceptedExtension,
  furtherExtensions,
  NAME_CHARACTERS_MAX,
} from '@pkdex/contract'

export type Named = { ok: true; name: string } | { ok: false; reason: string }

/** Invisible characters. Some emoji need them, but a name must not consist of them alone. */
const invisible = /[\p{Cf}\u115F\u1160\u3164\uFFA0\s]/gu

export function readName(text: string): Named {
  const name = text.normalize('NFC').trim()
  if (name.replaceAll(invisible, '') === '') return { ok: false, reason: 'The name is empty.' }
  // These two disappear from a URL path, even when encoded.
  if (name === '.' || name === '..') return { ok: false, reason: `“${name}” is not a valid name.` }
  if (/[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u202A-\u202E\u2066-\u2069]/u.test(name)) {
    return { ok: false, reason: 'The name contains a control character.' }
  }
  if (Array.from(name).length > NAME_CHARACTERS_MAX) {
    return { ok: false, reason: `The name is longer than ${NAME_CHARACTERS_MAX} characters.` }
  }
  return { ok: true, name }
}

/** Without the folder that some clients send, and in Unicode NFC. */
export function readFilename(sent: string): string {
  return sent.split(/[/\\]/).at(-1)?.normalize('NFC').trim() ?? ''
}

/** The file's name without its extension; null if the type does not accept that extension. */
export function stemOf(filename: string, fileType: FileType): string | null {
  const extension = [acceptedExtension[fileType], ...furtherExtensions[fileType]].find((one) =>
    filename.toLowerCase().endsWith(one),
  )
  return extension === undefined ? null : filename.slice(0, -extension.length).trim()
}

/** An item that needs a name. Equal `identity` means equal content. */
export type NameRequest = { wanted: string; identity: string }
export type Assigned = { name: string; isNew: boolean }

/**
 * One result per request, in order. `taken` contains the identities of names in use, and the new ones are added to it.
 * The time per request does not grow if thousands want the same name.
 */
export function assignNames(requests: NameRequest[], taken: Map<string, string>): Assigned[] {
  const families = new Map<string, Family>()
  return requests.map(({ wanted, identity }) => {
    const family = families.get(wanted) ?? { last: 0, names: new Map<string, string>() }
    families.set(wanted, family)
    return assign(family, { wanted, identity }, taken)
  })
}

/** State of one wanted name: the identities seen so far, and the last number tried. */
type Family = { last: number; names: Map<string, string> }

function assign(
  family: Family,
  { wanted, identity }: NameRequest,
  taken: Map<string, string>,
): Assigned {
  for (;;) {
    const same = family.names.get(identity)
    if (same !== undefined) return { name: same, isNew: false }
    const name = numbered(wanted, ++family.last)
    const holder = taken.get(name)
    family.names.set(holder ?? identity, name)
    if (holder !== undefined) continue
    taken.set(name, identity)
    return { name, isNew: true }
  }
}

function numbered(name: string, number: number): string {
  if (number === 1) return name
  const suffix = ` (${number})`
  return (
    Array.from(name)
      .slice(0, NAME_CHARACTERS_MAX - suffix.length)
      .join('') + suffix
  )
}
