import { readFileSync } from 'node:fs'
import sharp from 'sharp'
import { afterAll, expect, test } from 'vitest'
import { openParsingWorkers } from './service.ts'

const parsingWorkers = openParsingWorkers({ threads: 2 })
afterAll(() => parsingWorkers.close())

const protease = readFileSync(new URL('../../../../../samples/1hpv.pdb', import.meta.url))
const alice = 'alice'
const bob = 'bob'

function valueOf<T>(read: { ok: true; value: T } | { ok: false; reason: string }): T {
  if (!read.ok) throw new Error(read.reason)
  return read.value
}

test('reads the chains of a real structure, with the segments for the model', async () => {
  const target = valueOf(await parsingWorkers.readTarget(alice, protease))
  expect(target.chain).toBe('A')
  expect(target.chains.map(({ id, residues }) => [id, residues])).toEqual([
    ['A', 99],
    ['B', 99],
  ])
  expect(target.chains[0]?.segments.join('')).toMatch(/^PQITLWQRPLV/)
  expect(target.report.pdb_code).toBe('1HPV')
})

test('reads a compound file line by line; an invalid line does not affect others', async () => {
  const text = 'CC(=O)Oc1ccccc1C(=O)O aspirin\n# remark\nC1CC broken\n[Na+].CC(=O)[O-]\n'
  const read = valueOf(
    await parsingWorkers.readCompounds(alice, { bytes: Buffer.from(text), fileStem: 'mixed' }),
  )
  expect(read.compounds.map(({ line, name }) => [line, name])).toEqual([
    [1, 'aspirin'],
    [4, 'mixed'],
  ])
  expect(read.compounds[0]?.report).toMatchObject({ formula: 'C9H8O4', heavy_atoms: 13 })
  expect(read.compounds[1]?.report).toMatchObject({ standard_smiles: 'CC(=O)O', neutralised: 1 })
  expect(read.rejected).toEqual([{ line: 3, text: 'C1CC broken', reason: expect.any(String) }])
})

test('a table of 19 MB is read, as large as an upload may be', async () => {
  const heading = ['SMILES', 'Name', ...Array.from({ length: 200 }, (_, at) => `c${at}`)]
  const rows = Array.from({ length: 1000 }, (_, at) => [
    'CCO',
    `m${at}`,
    ...Array.from({ length: 200 }, () => 'x'.repeat(94)),
  ])
  const bytes = Buffer.from([heading, ...rows].map((row) => row.join(',')).join('\n'))
  expect(bytes.length).toBeGreaterThan(18_000_000)
  const read = valueOf(await parsingWorkers.readCompounds(alice, { bytes, fileStem: 'wide' }))
  expect(read.compounds).toHaveLength(1000)
})

test('refuses a file without a valid line, naming the first', async () => {
  const one = await parsingWorkers.readCompounds(alice, {
    bytes: Buffer.from('C1CC\n'),
    fileStem: 'bad',
  })
  expect(one).toMatchObject({ ok: false, line: 1 })
  const two = await parsingWorkers.readCompounds(alice, {
    bytes: Buffer.from('C1CC\nC(C\n'),
    fileStem: 'bad',
  })
  expect(two).toMatchObject({ ok: false, reason: expect.stringContaining('None of 2 lines') })
})

test('refuses a structure that is not text, and one without a protein', async () => {
  const zip = Buffer.from('504b030414000000', 'hex')
  expect(await parsingWorkers.readTarget(alice, zip)).toMatchObject({
    ok: false,
    reason: expect.stringContaining('zip'),
  })
  const water = Buffer.from(
    'HETATM    1  O   HOH A   1       0.000   0.000   0.000  1.00  0.00           O\n',
  )
  expect(await parsingWorkers.readTarget(alice, water)).toMatchObject({ ok: false })
})

test('draws a structure as a WebP picture of at least 640 × 480, for both themes', async () => {
  const pictures = []
  for (const theme of ['light', 'dark'] as const) {
    const picture = valueOf(await parsingWorkers.drawTarget(alice, protease, theme))
    expect(picture.mediaType).toBe('image/webp')
    expect(picture.alt).toContain('1HPV')
    const { format, width, height } = await sharp(picture.body).metadata()
    expect(format).toBe('webp')
    expect(width).toBeGreaterThanOrEqual(640)
    expect(height).toBeGreaterThanOrEqual(480)
    pictures.push(Buffer.from(picture.body).toString('base64'))
  }
  expect(pictures[0]).not.toBe(pictures[1])
})

test('draws a compound as an SVG with a text alternative', async () => {
  const smiles = 'CC(=O)Oc1ccccc1C(=O)O'
  const picture = valueOf(await parsingWorkers.drawCompound(alice, smiles, 'dark'))
  expect(picture.mediaType).toBe('image/svg+xml')
  expect(Buffer.from(picture.body).toString()).toMatch(/^<svg|^<\?xml/)
  expect(picture.alt).toContain('C9H8O4')
})

test('reports a molecule that cannot be drawn', async () => {
  const peptide = 'NCC(=O)'.repeat(40)
  expect(await parsingWorkers.drawCompound(alice, peptide, 'light')).toMatchObject({
    ok: false,
    reason: expect.stringContaining('heavy atoms'),
  })
})

test('a file of 2,000 molecules does not delay another user', async () => {
  const lines = Array.from(
    { length: 2000 },
    (_, index) => `CC(=O)Nc1ccc(CCN2CCN(C)CC2)cc1 m${index}`,
  )
  const begun = performance.now()
  const long = parsingWorkers.readCompounds(alice, {
    bytes: Buffer.from(lines.join('\n')),
    fileStem: 'long',
  })
  const waits: number[] = []
  for (let index = 0; index < 10; index += 1) {
    const before = performance.now()
    valueOf(
      await parsingWorkers.readCompounds(bob, {
        bytes: Buffer.from('CCO ethanol'),
        fileStem: 'short',
      }),
    )
    waits.push(performance.now() - before)
  }
  expect(valueOf(await long).compounds).toHaveLength(2000)
  const all = performance.now() - begun
  expect(waits.toSorted((a, b) => a - b)[5]).toBeLessThan(all / 10)
})

test('reading stops when the sender of a file disconnects', async () => {
  const lines = Array.from(
    { length: 2000 },
    (_, index) => `CC(=O)Nc1ccc(CCN2CCN(C)CC2)cc1 m${index}`,
  )
  const leaving = new AbortController()
  const file = { bytes: Buffer.from(lines.join('\n')), fileStem: 'long', gone: leaving.signal }
  const read = parsingWorkers.readCompounds(alice, file)
  await parsingWorkers.readCompounds(bob, { bytes: Buffer.from('CCO ethanol'), fileStem: 'short' })
  leaving.abort(new Error('nobody waits'))
  await expect(read).rejects.toThrow('nobody waits')
})

test('refuses a user with too many files waiting, and no other user', async () => {
  const files = Array.from({ length: 60 }, () =>
    parsingWorkers
      .readCompounds(alice, { bytes: Buffer.from('CCO'), fileStem: 'one' })
      .catch((error: unknown) => error),
  )
  const read = parsingWorkers.readCompounds(bob, { bytes: Buffer.from('CCO'), fileStem: 'one' })
  expect(await read).toMatchObject({ ok: true })
  const refused = (await Promise.all(files)).filter((answer) => answer instanceof Error)
  expect(refused.length).toBeGreaterThan(0)
  expect(refused[0]).toMatchObject({ code: 'too_many_requests' })
})

test('a structure search stops when its caller disconnects', async () => {
  const caller = new AbortController()
  const smiles = Array<string>(20_000).fill('CCO')
  const search = { kind: 'similarity' as const, query: 'CCN', smiles }
  const searching = parsingWorkers.searchStructure(alice, search, caller.signal)
  setImmediate(() => caller.abort())
  await expect(searching).rejects.toThrow('aborted')
})
