import { expect, test } from 'vitest'
import { readFileText } from './read-file-text.ts'

const heading = 'ID,SMILES,IC50 (µM)'

test.each([
  ['UTF-8', new TextEncoder().encode(heading)],
  ['Windows-1252, as Excel saves CSV', Uint8Array.from(heading, (one) => one.charCodeAt(0))],
  [
    'UTF-16 with a byte order mark',
    Uint8Array.from([0xff, 0xfe, ...heading.split('').flatMap((one) => [one.charCodeAt(0), 0])]),
  ],
])('a file in %s keeps its µ', async (_, bytes) => {
  expect(await readFileText(new Blob([bytes]))).toBe(heading)
})
