/** Files built to harm a server that reads them, each with its expected message. */
import { deflateRawSync, gzipSync } from 'node:zlib'

export type HostileFile = {
  what: string
  name: string
  type: 'protein_pdb' | 'drug_smiles'
  content: Uint8Array<ArrayBuffer>
  status: number
  message: RegExp
}

export function hostileFiles(): HostileFile[] {
  const random = makeRandom(7)
  return [
    smiles('a SMILES of 100 kB', 'C'.repeat(100_000), /long/i),
    smiles('thousands of ring closures', ringClosures(1900), /ring/i),
    smiles(
      '5,000 lines of ring closures',
      `${ringClosures(1900)}\n`.repeat(5000),
      /ring|too long to (?:read|process)/i,
    ),
    smiles('a ladder of rings without end', ladder(600), /atoms|ring|long/i),
    smiles('brackets nested 900 deep', 'C('.repeat(900) + 'C' + ')'.repeat(900), /atoms|long/i),
    smiles('a million lines', 'C\n'.repeat(1_000_000), /more than/i),
    smiles('binary junk', junk(random, 200_000), /binary|not text/i),
    smiles('a zip archive', zipOf('CCO'), /zip/i),
    smiles('a gzip archive of zeros', gzipSync(Buffer.alloc(20_000_000)), /binary/i),
    structure('binary junk', junk(random, 200_000), /binary|not text/i),
    structure('a zip archive', zipOf('HEADER'), /zip/i),
    structure('40,000 residues in 5 Å', crowd(random, 40_000), /residues|too long to read/i),
    structure(
      '300,000 ATOM records without numbers',
      `${'ATOM  '.padEnd(79, '*')}\n`.repeat(300_000),
      /coordinates|number|too long to read/i,
    ),
    structure('a single line of 20 MB', 'ATOM'.repeat(5_000_000), /line|coordinates|no protein/i),
  ]
}

function smiles(what: string, content: string | Uint8Array, message: RegExp): HostileFile {
  return hostile(
    { what: `${what} as .txt`, name: 'hostile.txt', type: 'drug_smiles', message },
    content,
  )
}

function structure(what: string, content: string | Uint8Array, message: RegExp): HostileFile {
  return hostile(
    { what: `${what} as .pdb`, name: 'hostile.pdb', type: 'protein_pdb', message },
    content,
  )
}

function hostile(
  file: Pick<HostileFile, 'what' | 'name' | 'type' | 'message'>,
  content: string | Uint8Array,
): HostileFile {
  return { ...file, content: new Uint8Array(Buffer.from(content)), status: 422 }
}

/** `C%10C%11…`: rings that open and are never closed. */
function ringClosures(characters: number): string {
  let text = ''
  for (let number = 10; text.length < characters; number = number === 99 ? 10 : number + 1) {
    text += `C%${number}`
  }
  return text
}

function ladder(rungs: number): string {
  return `C1${'C2CC12C1'.repeat(rungs)}`
}

/** Backbones in a cube of 5 Å, so that every atom is near every other. */
function crowd(random: () => number, residues: number): string {
  const lines: string[] = []
  for (let index = 0; index < residues; index += 1) {
    const chain = String.fromCodePoint(65 + Math.floor(index / 9000))
    const number = String((index % 9000) + 1).padStart(4)
    for (const atom of ['N', 'CA', 'C', 'O']) {
      const place = [0, 1, 2].map(() => (random() * 5).toFixed(3).padStart(8)).join('')
      const serial = String(lines.length % 100_000).padStart(5)
      lines.push(
        `ATOM  ${serial}  ${atom.padEnd(3)} ALA ${chain}${number}    ${place}  1.00  0.00           ${atom[0]}`,
      )
    }
  }
  return lines.join('\n')
}

function junk(random: () => number, bytes: number): Uint8Array {
  return Uint8Array.from({ length: bytes }, () => Math.floor(random() * 256))
}

/** Just enough of a zip archive to be recognised as one. */
function zipOf(text: string): Uint8Array {
  const body = deflateRawSync(Buffer.from(text))
  const header = Buffer.from('504b0304140000000800', 'hex')
  return Buffer.concat([header, Buffer.alloc(20), body])
}

/** The same numbers on every run. */
function makeRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 16_807) % 2_147_483_647
    return state / 2_147_483_647
  }
}
