/**
 * Reading thousands of real molecules: the affinity tables that the model was trained on. Needs the
 * folder that PKDEX_SHARED names.
 */
import { existsSync, readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { openRdkit, type RdkitModule } from './open-rdkit.ts'
import { type StandardMolecule, standardise } from './standardise.ts'

const shared = process.env['PKDEX_SHARED'] ?? ''
const isThere = existsSync(`${shared}/data/general/drugs.tsv.gz`)
const MINUTE = 60_000

let rdkit: RdkitModule
beforeAll(async () => {
  rdkit = await openRdkit()
})

describe.skipIf(!isThere)('affinity tables (PKDEX_SHARED names their folder)', () => {
  test(
    'a molecule of the general table, which is standard already, comes out as it is',
    () => {
      const table = readTable('general').filter((_, index) => index % 20 === 0)
      const changed = table.filter((smiles) => standardOf(smiles).standardSmiles !== smiles)
      expect(table.length).toBeGreaterThan(3000)
      // What changes is isotope labels, and E/Z marks that this RDKit writes the other way round.
      expect(changed.length / table.length).toBeLessThan(0.003)
      for (const smiles of changed) expect(smiles).toMatch(/\[\d+[A-Z]|^C\(=C|N1C=CN=C1/)
    },
    5 * MINUTE,
  )

  test(
    'molecules as PubChem and ChEMBL write them are all read, and a second time as themselves',
    () => {
      for (const smiles of [...readTable('davis'), ...readTable('kiba').slice(0, 1000)]) {
        const { standardSmiles } = standardOf(smiles)
        expect(standardOf(standardSmiles)).toMatchObject({ standardSmiles, neutralised: 0 })
      }
    },
    5 * MINUTE,
  )

  test(
    "formula, mass and heavy atoms are those of InChI and of RDKit's descriptors",
    () => {
      const table = readTable('general').filter((_, index) => index % 200 === 0)
      const neutral = table.map(standardOf).filter(({ formula }) => !/[+-]/.test(formula))
      for (const { standardSmiles, formula, mass, heavyAtoms } of neutral) {
        using molecule = rdkit.get_mol(standardSmiles)
        const descriptors = JSON.parse(molecule?.get_descriptors() ?? '') as Record<string, number>
        expect(heavyAtoms).toBe(descriptors['NumHeavyAtoms'])
        expect(Math.abs(mass - (descriptors['amw'] ?? 0))).toBeLessThan(0.05)
        expect(molecule?.get_inchi().split('/')[1]).toBe(formula)
      }
    },
    5 * MINUTE,
  )
})

function standardOf(smiles: string): StandardMolecule {
  const standard = standardise(rdkit, smiles)
  if (!standard.ok) throw new Error(`${smiles}: ${standard.reason}`)
  return standard
}

/** The last column is the SMILES; stereochemistry included where there are two. */
function readTable(name: string): string[] {
  const text = gunzipSync(readFileSync(`${shared}/data/${name}/drugs.tsv.gz`)).toString()
  const lines = text.trim().split('\n').slice(1)
  return lines.map((line) => line.split('\t').at(-1) ?? '')
}
