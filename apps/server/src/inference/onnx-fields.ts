/** Reads and writes the protobuf fields of an ONNX file: only what `landmark-bits.ts` changes. */

export type Field = {
  number: number
  /** The whole field with its tag. */
  bytes: Uint8Array
  /** Content of a field with a length; empty for a number. */
  content: Uint8Array
  /** Value of a number; 0 for a field with a length. */
  value: number
}

const VARINT = 0
const FIXED_64 = 1
const WITH_LENGTH = 2

export function fieldsOf(message: Uint8Array): Field[] {
  const fields: Field[] = []
  for (let at = 0; at < message.length;) {
    const start = at
    const tag = readVarint(message, at)
    const kind = tag.value & 7
    at = tag.end
    let content: Uint8Array = new Uint8Array()
    let value = 0
    if (kind === VARINT) {
      ;({ value, end: at } = readVarint(message, at))
    } else if (kind === WITH_LENGTH) {
      const length = readVarint(message, at)
      at = length.end + length.value
      content = message.subarray(length.end, at)
    } else {
      at += kind === FIXED_64 ? 8 : 4
    }
    fields.push({ number: tag.value >> 3, bytes: message.subarray(start, at), content, value })
  }
  return fields
}

/** A field with a length. */
export function field(number: number, content: Uint8Array | string): Uint8Array {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
  return joined([numberField(number, bytes.length, WITH_LENGTH), bytes])
}

export function numberField(number: number, value: number, kind = VARINT): Uint8Array {
  return Uint8Array.from([...varint(number * 8 + kind), ...varint(value)])
}

export function joined(pieces: Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(pieces))
}

export function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes)
}

/** Exact up to 2^53, negative numbers excepted: sizes and positions are never larger. */
function readVarint(bytes: Uint8Array, at: number): { value: number; end: number } {
  let [value, scale, end] = [0, 1, at]
  for (;;) {
    const byte = bytes[end++] ?? 0
    value += (byte & 127) * scale
    if (byte < 128) return { value, end }
    scale *= 128
  }
}

function varint(value: number): number[] {
  const bytes: number[] = []
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return [...bytes, rest]
    bytes.push((rest % 128) + 128)
  }
}
