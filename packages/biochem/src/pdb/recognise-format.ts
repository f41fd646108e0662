/** Recognises files that are no PDB text by their first characters, and says what to do instead. */

/** A sentence for the person who chose the file; null where it may well be PDB text. */
export function refusalByContent(text: string): string | null {
  const head = text.slice(0, headLength).replaceAll(/\r\n?/g, '\n')
  const format = formats.find(({ isThis }) => isThis(head))
  return format === undefined ? null : format.sentence
}

const headLength = 4_000

/** Bytes above 127 arrive as themselves or as U+FFFD, depending on who decoded the file. */
const formats: { sentence: string; isThis: (head: string) => boolean }[] = [
  {
    sentence: 'This is a gzip-compressed file. Unpack it and upload the PDB file inside.',
    isThis: (head) => startsWithAny(head, ['\x1f\x8b', '\x1f\ufffd']),
  },
  {
    sentence: 'This is a zip archive. Unpack it and upload the PDB file inside.',
    isThis: (head) => startsWithAny(head, ['PK\x03\x04', 'PK\x05\x06']),
  },
  {
    sentence: 'This is a compressed archive. Unpack it and upload the PDB file inside.',
    isThis: (head) => /^(BZh\d|.?7zXZ|7z[\xbc\ufffd]|Rar!|\(\xb5\/|\ufffd{1,3}\/\ufffd)/.test(head),
  },
  {
    sentence: 'This is a PDF document, not a PDB file.',
    isThis: (head) => head.startsWith('%PDF'),
  },
  {
    sentence: 'This is a web page, not a PDB file. Download the structure itself in PDB format.',
    isThis: (head) => /^\s*(<!doctype html|<html)/i.test(head),
  },
  {
    sentence: 'This is an XML file. Download the structure in PDB format instead.',
    isThis: (head) => /^\s*<(\?xml|\w+:datablock)/.test(head),
  },
  {
    sentence: 'This is an mmCIF file. Download or export the structure in PDB format instead.',
    isThis: (head) => /^data_\S/m.test(head) && /^(loop_|_\w+[.\w])/m.test(head),
  },
  {
    sentence: 'This is a MOL2 file of small molecules. A target is a protein in PDB format.',
    isThis: (head) => head.includes('@<TRIPOS>'),
  },
  {
    sentence: 'This is an SDF or MOL file of small molecules. A target is a protein in PDB format.',
    isThis: (head) => /^.{30,}V[23]000\s*$/m.test(head) || /^\$\$\$\$\s*$/m.test(head),
  },
  {
    sentence: 'This is a FASTA sequence. A target needs coordinates: upload a PDB file.',
    isThis: (head) => /^\s*>[^\n]*\n[A-Za-z*\-\s]+/.test(head),
  },
  {
    sentence: 'This is a JSON file, not a PDB file.',
    isThis: (head) => /^\s*[{[]\s*["{[\]}]/.test(head),
  },
  {
    sentence:
      'This is UTF-16 text. Save the file as plain text (UTF-8 or ASCII) and upload it again.',
    isThis: (head) =>
      /^([\xff\xfe\ufffd]{2})?([\x20-\x7e\r\n]\0){8}/.test(head) ||
      /^(\0[\x20-\x7e]){8}/.test(head),
  },
  { sentence: 'This is a binary file, not PDB text.', isThis: isBinary },
]

function startsWithAny(head: string, starts: readonly string[]): boolean {
  return starts.some((start) => head.startsWith(start))
}

/** Text holds next to no control characters. */
function isBinary(head: string): boolean {
  let controls = 0
  for (let at = 0; at < head.length; at++) {
    const code = head.charCodeAt(at)
    if ((code < 32 && code !== 9 && code !== 10 && code !== 13) || code === 0xfffd) controls++
  }
  return controls * 10 > head.length
}
