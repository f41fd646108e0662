/**
 * Exports the compounds of ChEMBL's further rows and of the published series, and the series' chains, to feature
 * arrays. A compound is identified by its SMILES in the table, a chain by its series, with gaps as `/`. Entries the
 * product rejects are skipped.
 * node training/export/outside.ts --data <folder of tables> --out <folder>
 */
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { gunzipSync } from 'node:zlib'
import {
  chainSegments,
  longestProteinChain,
  openRdkit,
  readStructure,
  standardise,
} from '@pkdex/biochem'
import { exportCompounds, type NamedSmiles } from './export-compounds.ts'
import { exportTargets, type NamedSequence } from './export-targets.ts'
import { cell, readTable } from './read-table.ts'
import { writeManifest } from './write-manifest.ts'

const settings = parseArgs({
  options: { data: { type: 'string' }, out: { type: 'string' } },
}).values
if (settings.data === undefined) throw new Error('name the folder of tables: --data')
const { data } = settings
const out = settings.out ?? '.cache/training/outside-features'

const tables = ['chembl32/pairs.tsv.gz', 'series/ligands.tsv.gz'].map((path) =>
  readTable(data, path),
)
const rdkit = await openRdkit()
const named = new Set(tables.flatMap(({ rows }) => rows.map((row) => cell(row, 'smiles'))))
const compounds = [...named].map(standardised).filter((compound) => compound !== null)
console.log(`${compounds.length} of ${named.size} SMILES are compounds of the product`)
const systems = new Set(tables.at(-1)?.rows.map((row) => cell(row, 'system')))
const targets = [...systems].map(readChain)
mkdirSync(out, { recursive: true })
exportTargets(out, targets)
exportCompounds(out, rdkit, compounds)
writeManifest(out, { compounds: compounds.length, targets: targets.length }, tables)

function standardised(smiles: string): NamedSmiles | null {
  const compound = standardise(rdkit, smiles)
  return compound.ok ? { id: smiles, smiles: compound.standardSmiles } : null
}

function readChain(system: string): NamedSequence {
  const file = readFileSync(join(data, 'series/structures', `${system}.pdb.gz`))
  const structure = readStructure(gunzipSync(file).toString('utf8'))
  const chain = structure.ok ? longestProteinChain(structure.value) : null
  if (chain === null) throw new Error(`${system}: the structure holds no protein chain`)
  return { id: system, name: system, sequence: chainSegments(chain).join('/') }
}
