/**
 * Text built to break RDKit.js. Some makes it hang, some makes it trap, and some corrupts its memory so that later
 * molecules come out wrong: after each one, a known molecule must still be read correctly.
 */
import { describe, expect, test } from 'vitest'
import { cpuMsSince } from '../fixtures/results.ts'
import { drawMolecule } from '../draw/draw-molecule.ts'
import { openRdkit, RdkitTrap, type RdkitModule, trapped } from './rdkit.ts'
import { standardise } from './standardise.ts'

const known = 'CC(C)(C)NC(=O)[C@@H]1CN(Cc2cccnc2)CC[NH+]1C[C@@H](O)C/C=C/c1ccccc1.[Cl-]'

const rdkit = await openRdkit()
const before = readKnown()

function readKnown(): unknown {
  const standard = standardise(rdkit, known)
  return [standard, drawMolecule(rdkit, known, { width: 400, height: 300, theme: 'light' })]
}

function label(ring: number): string {
  return ring < 10 ? String(ring) : `%${ring}`
}

const rings = (count: number) => Array.from({ length: count }, (_, index) => label(index + 1))

const refused: [string, string][] = [
  ['nothing', ''],
  ['100 kB of carbon', 'C'.repeat(100_000)],
  ['a chain of 900 atoms', 'C'.repeat(900)],
  ['a chain of 600 atoms, which corrupts in silence', 'C'.repeat(600)],
  ['thousands of ring closures', 'C1CC1'.repeat(4000)],
  ['a ladder of 90 rings', `C1CC%11C1${rungs(87)}CC%98`],
  ['ring numbers that never close', 'C1C2C3C4C5C6C7C8C9'.repeat(20)],
  ['a thousand nested branches', `${'C('.repeat(1000)}C${')'.repeat(1000)}`],
  ['brackets that never close', '['.repeat(2000)],
  ['an emoji', 'C😀'],
  ['a line break', 'CCO\nCCN'],
  ['a NUL', 'CCO\u0000CCN'],
  [
    'an atom with sixteen bonds',
    `${rings(15)
      .map((ring) => `C${ring}`)
      .join('')}C${rings(15).join('')}`,
  ],
  ['a wildcard', 'C*'],
  ['SMARTS', '[#6;R1]~[C,N]'],
  ['a reaction', 'CCO>>CC=O'],
  ['a name in it', 'CCO ethanol'],
  ['five bonds on carbon', 'CC(C)(C)(C)C'],
  ['an aromatic ring that is none', 'c1cccc1'],
  ['an isotope beyond reason', '[99999999999C]'],
  ['a charge beyond reason', '[C+999999999]'],
  ['hydrogens beyond reason', '[CH99999999999]'],
]

const read: [string, string][] = [
  ['as long a chain as is allowed', 'C'.repeat(250)],
  ['as deep a branch as is allowed', `${'C('.repeat(249)}C${')'.repeat(249)}`],
  ['a ladder of 40 rings', `C1CC%11C1${rungs(37)}CC%48`],
  ['250 fragments', Array.from({ length: 250 }, () => 'C').join('.')],
  ['a hundred salts', `${'[NH3+]CC(=O)[O-].'.repeat(49)}C`],
  ['every centre a stereocentre', `${'[C@H](F)'.repeat(124)}C`],
  ['every bond a stereo bond', `${'C(F)=C(Cl)/'.repeat(62)}C`],
  ['deuterium everywhere', `${'C([2H])([2H])'.repeat(120)}C`],
  ['ring numbers of two digits', 'C%99CC%99'],
  ['ring numbers of three digits', 'C%(999)CC%(999)'],
  ['an atom with twelve bonds', `C[Fe]${'(C)'.repeat(11)}`],
  ['a dative bond', 'CN->[Pt]'],
  ['a macrocycle', `C1${'C'.repeat(248)}C1`],
  ['carbon-60', c60()],
]

describe('is rejected with a message', () => {
  test.each(refused)('%s', (_, smiles) => {
    const started = process.threadCpuUsage()
    expect(standardise(rdkit, smiles)).toEqual({ ok: false, reason: expect.stringMatching(/\.$/) })
    expect(drawMolecule(rdkit, smiles, { width: 400, height: 300, theme: 'dark' }).ok).toBe(false)
    expect(cpuMsSince(started)).toBeLessThan(6000)
    expect(readKnown()).toEqual(before)
  })
})

describe('is read without harm', () => {
  test.each(read)('%s', (_, smiles) => {
    const standard = standardise(rdkit, smiles)
    expect(standard).toMatchObject({ ok: true })
    const again = standard.ok ? standard.standardSmiles : ''
    expect(standardise(rdkit, again)).toMatchObject({ ok: true, standardSmiles: again })
    drawMolecule(rdkit, again, { width: 400, height: 300, theme: 'dark' })
    expect(readKnown()).toEqual(before)
  })
})

test('WASM exceptions become a trap error with their cause', () => {
  const cause = new Error('memory access out of bounds')
  const broken = () => {
    throw cause
  }
  expect(() => trapped(broken)).toThrow(RdkitTrap)
  expect(() => trapped(() => trapped(broken))).toThrow(expect.objectContaining({ cause }))
})

test('all WASM memory is freed, whatever happens to the molecule', () => {
  const handles: Handle[] = []
  const watched = watch(rdkit, handles)
  const all = [known, 'CC(=O)O[Na]', 'C/C=C/C(O)=NC', 'CC(C)(C)(C)C', '[2H]C', '[Na+]']
  const readAll = () => {
    for (const smiles of all) {
      standardise(watched, smiles)
      drawMolecule(watched, smiles, { width: 400, height: 300, theme: 'light' })
    }
  }
  // The first round reads the reactions of normal forms, which are kept with the module.
  readAll()
  handles.length = 0
  readAll()
  expect(handles.length).toBeGreaterThan(30)
  expect(handles.filter((handle) => !handle.isDeleted())).toEqual([])
})

type Handle = { isDeleted(): boolean }

/** The module itself, with all objects it returns recorded. */
function watch(module: RdkitModule, handles: Handle[]): RdkitModule {
  const note = (made: Handle | null) => {
    if (made) handles.push(made)
    return made
  }
  return new Proxy(module, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key)
      if (typeof value !== 'function') return value
      return new Proxy(value, {
        apply: (call, self, input) => note(Reflect.apply(call, self, input) as Handle | null),
        construct: (type, input) => note(Reflect.construct(type, input) as Handle) ?? {},
      })
    },
  })
}

function rungs(count: number): string {
  return Array.from({ length: count }, (_, index) => `C%${index + 12}C%${index + 11}`).join('')
}

function c60(): string {
  return 'c12c3c4c5c1c1c6c7c2c2c8c3c3c9c4c4c%10c5c5c1c1c6c6c%11c7c2c2c7c8c3c3c8c9c4c4c9c%10c5c5c1c1c6c6c%11c2c2c7c3c3c8c4c4c9c5c1c1c6c2c3c41'
}
