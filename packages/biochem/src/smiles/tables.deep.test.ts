/**
 * Reading tables of real molecules: a hundred common ones in fixtures/, and thousands from the model's affinity tables
 * if PKDEX_SHARED names their folder.
 */
import { existsSync, readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { bitsByRdkit, ownBits } from '../features/fixtures/bits-by-rdkit.ts'
import { keysByRdkit } from '../features/fixtures/keys-by-rdkit.ts'
import { maccsKeys } from '../features/maccs.ts'
import { alertCatalogue, findAlerts, openAlerts } from './alerts.ts'
import { descriptorsOf } from './descriptors.ts'
import { descriptorsByRdkit } from './fixtures/descriptors-by-rdkit.ts'
import { readCommonMolecules } from '../fixtures/common-molecules.ts'
import { readGraph } from './molecule-graph.ts'
import { openRdkit } from './rdkit.ts'
import { type StandardMolecule, standardise } from './standardise.ts'

const shared = process.env['PKDEX_SHARED'] ?? ''
const isThere = existsSync(`${shared}/data/general/drugs.tsv.gz`)
const MINUTE = 60_000

const rdkit = await openRdkit()

describe('a hundred common molecules', () => {
  const molecules = readCommonMolecules()

  test('each has its reference formula', () => {
    const found = molecules.map(({ smiles, name }) => [name, standardOf(smiles).formula])
    expect(found).toEqual(molecules.map(({ name, formula }) => [name, formula]))
    expect(found.length).toBe(100)
  })

  test('standardising twice changes nothing, and nothing is left to neutralise', () => {
    for (const { smiles } of molecules) {
      const { standardSmiles } = standardOf(smiles)
      expect(standardOf(standardSmiles)).toMatchObject({ standardSmiles, neutralised: 0 })
    }
  })

  test("formula, mass and heavy atoms match InChI and RDKit's descriptors", () => {
    for (const standard of molecules.map(({ smiles }) => standardOf(smiles))) {
      expect(standard).toMatchObject(knownFigures(standard))
    }
  })
})

describe.skipIf(!isThere)('affinity tables (PKDEX_SHARED names their folder)', () => {
  test(
    'a standard molecule of the general table is unchanged',
    () => {
      const table = readTable('general').filter((_, index) => index % 20 === 0)
      const changed = table.filter((smiles) => standardOf(smiles).standardSmiles !== smiles)
      expect(table.length).toBeGreaterThan(3000)
      // Differences are isotope labels, sulfoxides, and E/Z marks that this RDKit writes the other way round.
      expect(changed.length / table.length).toBeLessThan(0.003)
      for (const smiles of changed) {
        expect(smiles).toMatch(/\[\d+[A-Z]|^C\(=C|N1C=CN=C1|S\(=O\)c|S\(C\)=O/)
      }
    },
    5 * MINUTE,
  )

  test(
    'all molecules as PubChem and ChEMBL write them are read, and standardising twice changes nothing',
    () => {
      for (const smiles of [...readTable('davis'), ...readTable('kiba').slice(0, 1000)]) {
        const { standardSmiles } = standardOf(smiles)
        expect(standardOf(standardSmiles)).toMatchObject({ standardSmiles, neutralised: 0 })
      }
    },
    5 * MINUTE,
  )

  test(
    "formula, mass and heavy atoms match InChI and RDKit's descriptors",
    () => {
      const table = readTable('general').filter((_, index) => index % 200 === 0)
      const neutral = table.map(standardOf).filter(({ formula }) => !/[+-]/.test(formula))
      for (const standard of neutral) expect(standard).toMatchObject(knownFigures(standard))
    },
    5 * MINUTE,
  )

  test(
    'MACCS keys, alerts, descriptors and fingerprints are those of RDKit',
    () => {
      const patterns = openAlerts(
        rdkit,
        alertCatalogue.map(({ smarts }) => smarts),
      )
      const table = readTable('general').filter((_, index) => index % 100 === 0)
      expect(table.length).toBeGreaterThan(600)
      for (const smiles of table) {
        using molecule = rdkit.get_mol(smiles)
        if (molecule === null) throw new Error(`RDKit cannot read ${smiles}`)
        expect([smiles, ...maccsKeys(readGraph(molecule))]).toEqual([
          smiles,
          ...keysByRdkit(molecule),
        ])
        expect([smiles, ...findAlerts(readGraph(molecule))]).toEqual([
          smiles,
          ...patterns.find(molecule),
        ])
        expect([smiles, ownBits(molecule)]).toEqual([smiles, bitsByRdkit(molecule)])
        const descriptors = descriptorsOf(readGraph(molecule))
        if (descriptors === null) continue
        expect([smiles, descriptors]).toEqual([smiles, descriptorsByRdkit(molecule, descriptors)])
      }
    },
    5 * MINUTE,
  )
})

/** From InChI and RDKit; InChI's formula omits charges. */
function knownFigures({ standardSmiles, formula }: StandardMolecule) {
  using molecule = rdkit.get_mol(standardSmiles)
  const descriptors = JSON.parse(molecule?.get_descriptors() ?? '') as Record<string, number>
  const [charge = ''] = /[+-]\d*$/.exec(formula) ?? []
  return {
    heavyAtoms: descriptors['NumHeavyAtoms'],
    // To less than 0.05.
    mass: expect.closeTo(descriptors['amw'] ?? 0, 1),
    formula: `${molecule?.get_inchi().split('/')[1]}${charge}`,
  }
}

function standardOf(smiles: string): StandardMolecule {
  const standard = standardise(rdkit, smiles)
  if (!standard.ok) throw new Error(`${smiles}: ${standard.reason}`)
  return standard
}

/** The last column is the SMILES; if there are two, the one with stereochemistry. */
function readTable(name: string): string[] {
  const text = gunzipSync(readFileSync(`${shared}/data/${name}/drugs.tsv.gz`)).toString()
  const lines = text.trim().split('\n').slice(1)
  return lines.map((line) => line.split('\t').at(-1) ?? '')
}
