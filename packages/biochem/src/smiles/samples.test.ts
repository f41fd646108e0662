/** The sample drugs have the structures that their names say. */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { readCompoundLines } from './compound-file.ts'
import { openRdkit } from './rdkit.ts'
import { standardise } from './standardise.ts'

const samples = new URL('../../../../samples/', import.meta.url)
const text = readFileSync(new URL('compounds.txt', samples), 'utf8')
const rows = text
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line, at) => {
    const [smiles = '', name = ''] = line.split(/\s/)
    return { line: at + 1, text: line, smiles, name, own: [], reason: null }
  })
const { molecules, rejected } = readCompoundLines(rows, 'compounds')

/** Formula, average mass (PubChem) and configuration of the centres, in the order of the SMILES. */
const published: Record<string, [formula: string, mass: number, centres: string]> = {
  amprenavir: ['C25H35N3O6S', 505.6, 'RSS'],
  darunavir: ['C27H37N3O7S', 547.7, 'RSRRS'],
  saquinavir: ['C38H50N6O5', 670.8, 'SSSRSS'],
  ritonavir: ['C37H48N6O5S2', 720.9, 'SSSS'],
  indinavir: ['C36H47N5O4', 613.8, 'SSRSR'],
  nelfinavir: ['C32H45N3O4S', 567.8, 'RRSSS'],
  imatinib: ['C29H31N7O', 493.6, ''],
  aspirin: ['C9H8O4', 180.16, ''],
  ibuprofen: ['C13H18O2', 206.28, '?'],
  caffeine: ['C8H10N4O2', 194.19, ''],
}

const rdkit = await openRdkit()

test('every line of the sample file is read, with its name', () => {
  expect(rejected).toEqual([])
  expect(molecules.map((molecule) => molecule.name)).toEqual(Object.keys(published))
})

test('the index lists existing files', () => {
  const index = JSON.parse(readFileSync(new URL('index.json', samples), 'utf8')) as Record<
    'targets' | 'compounds',
    string[]
  >
  expect(index).toEqual({ targets: ['1hpv.pdb'], compounds: ['compounds.txt'] })
  for (const name of [...index.targets, ...index.compounds]) {
    expect(readFileSync(new URL(name, samples)).length).toBeGreaterThan(0)
  }
})

describe('formula, mass and configuration match published values', () => {
  test.each(molecules)('$name', ({ name, smiles }) => {
    const [formula, mass, centres] = published[name] ?? []
    const standard = standardise(rdkit, smiles)
    expect(standard).toMatchObject({ ok: true, formula, stripped: [], warnings: [] })
    expect(Math.abs((standard.ok ? standard.mass : 0) - (mass ?? 0))).toBeLessThan(0.06)
    using molecule = rdkit.get_mol(smiles)
    const tags = JSON.parse(molecule?.get_stereo_tags() ?? '') as { CIP_atoms: [number, string][] }
    expect(tags.CIP_atoms.map(([, code]) => code.slice(1, 2)).join('')).toBe(centres)
  })
})
