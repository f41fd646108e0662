/** Text of a file: UTF-8, UTF-16 with a byte order mark, else Windows-1252, as Excel saves CSV. */
import { decodeText } from '@pkdex/intake'

export async function readFileText(file: Blob): Promise<string> {
  return decodeText(new Uint8Array(await file.arrayBuffer())).text
}
