/** Text of uploaded bytes, gzipped or not. Says what the file is if it is not text. */
import { parsed, unreadable, type Parsed } from '@pkdex/biochem'
import { binaryKind, decodeText as decodeBytes, isBinary, unpack } from '@pkdex/intake'

/** The text of a structure, which may be gzipped. */
export function decodePackedText(packed: Uint8Array): Parsed<string> {
  try {
    return decodeText(unpack(packed))
  } catch (error) {
    return unreadable(0, error instanceof Error ? error.message : String(error))
  }
}

export function decodeText(bytes: Uint8Array): Parsed<string> {
  if (bytes.length === 0) return unreadable(0, 'The file is empty.')
  const kind = binaryKind(bytes)
  if (kind !== null) return unreadable(0, `This file is ${kind}, not text.`)
  const { text, encoding } = decodeBytes(bytes)
  const isUtf16 = encoding.startsWith('utf-16')
  if (!isUtf16 && isBinary(bytes)) return unreadable(0, 'This file contains binary data, not text.')
  return parsed(text)
}
