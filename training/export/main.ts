/**
 * Exports affinity tables to feature arrays, with the product's own code.
 * node training/export/main.ts --data <folder of tables> --structures <folder of PDB files> --out <folder>
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openRdkit, standardise } from '@pkdex/biochem'
import { crystallisedChains } from './crystallised-chains.ts'
import { exportCompounds, type NamedSmiles } from './export-compounds.ts'
import { exportTargets, type NamedSequence } from './export-targets.ts'
import { cell, readTable, type Row, type Table } from './read-table.ts'
import { writeManifest } from './write-manifest.ts'

const settings = parseArgs({
  options: {
    data: { type: 'string' },
    structures: { type: 'string' },
    out: { type: 'string' },
  },
}).values
const data = settings.data ?? ofShared('data')
const structures = settings.structures ?? ofShared('structures')
const out = settings.out ?? '.cache/training/features'

mkdirSync(out, { recursive: true })
const tables = readTables(data)
const rdkit = await openRdkit()
const compounds = [...generalCompounds(tables), ...davisCompounds(tables).map(standardised)]
const targets = tables.targets.rows.map(toTarget)
const crystallised = crystallisedChains(
  structures,
  { entries: tables.pdbToTarget, sequences: tables.bindingdbTargets },
  targets,
)
console.log(`${crystallised.size} targets stand in a structure`)
exportTargets(out, targets, crystallised)
exportCompounds(out, rdkit, compounds)
const counts = {
  compounds: compounds.length,
  targets: targets.length,
  crystallised: crystallised.size,
}
writeManifest(out, counts, Object.values(tables))

function ofShared(folder: 'data' | 'structures'): string {
  const shared = process.env['PKDEX_SHARED']
  if (shared === undefined) throw new Error(`name the folder: --${folder} or PKDEX_SHARED`)
  return join(shared, folder)
}

function readTables(folder: string) {
  return {
    drugs: readTable(folder, 'general/drugs.tsv.gz'),
    targets: readTable(folder, 'general/targets.tsv.gz'),
    pairs: readTable(folder, 'general/pairs.tsv.gz'),
    folds: readTable(folder, 'general/pairs_folds.tsv.gz'),
    davisDrugs: readTable(folder, 'davis/drugs.tsv.gz'),
    davisPairs: readTable(folder, 'davis/pairs.tsv.gz'),
    davisTargets: readTable(folder, 'davis/targets.tsv.gz'),
    pdbToTarget: readTable(folder, 'bindingdb_kd/pdb_to_target.tsv.gz'),
    bindingdbTargets: readTable(folder, 'bindingdb_kd/targets.tsv.gz'),
  }
}

/** Only compounds in a merged pair: there stereo duplicates are merged, and all compounds are standardised. */
function generalCompounds({ drugs, folds }: { drugs: Table; folds: Table }): NamedSmiles[] {
  const used = new Set(folds.rows.map((row) => cell(row, 'drug_id')))
  return drugs.rows
    .filter((row) => used.has(cell(row, 'drug_id')))
    .map((row) => ({ id: cell(row, 'drug_id'), smiles: cell(row, 'smiles') }))
}

function davisCompounds({ davisDrugs }: { davisDrugs: Table }): NamedSmiles[] {
  return davisDrugs.rows.map((row) => ({
    id: `davis:${cell(row, 'drug_id')}`,
    smiles: cell(row, 'smiles_canonical'),
  }))
}

function standardised({ id, smiles }: NamedSmiles): NamedSmiles {
  const compound = standardise(rdkit, smiles)
  if (!compound.ok) throw new Error(`${id} ${smiles}: ${compound.reason}`)
  return { id, smiles: compound.standardSmiles }
}

function toTarget(row: Row): NamedSequence {
  const name = cell(row, 'name')
  return {
    id: cell(row, 'target_id'),
    name: name === '' ? `unnamed target ${cell(row, 'target_id')}` : name,
    sequence: cell(row, 'sequence'),
  }
}
