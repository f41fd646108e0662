/**
 * Exports the compounds and targets of the Davis and KIBA benchmarks to feature arrays, and compounds that other
 * sources measured on a Davis target. Davis targets have their mutations restored.
 * node training/export/benchmarks.ts --data <folder of tables> --out <folder>
 */
import { mkdirSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { openRdkit, standardise } from '@pkdex/biochem'
import { exportCompounds, type NamedSmiles } from './export-compounds.ts'
import { exportTargets, type NamedSequence } from './export-targets.ts'
import { cell, readTable, type Row, type Table } from './read-table.ts'
import { writeManifest } from './write-manifest.ts'

const settings = parseArgs({
  options: { data: { type: 'string' }, out: { type: 'string' } },
}).values
if (settings.data === undefined) throw new Error('name the folder of tables: --data')
const out = settings.out ?? '.cache/training/benchmark-features'

const tables = readTables(settings.data)
const rdkit = await openRdkit()
const compounds = [
  ...benchmarkCompounds('davis', tables.davisDrugs),
  ...benchmarkCompounds('kiba', tables.kibaDrugs),
  ...compoundsOnDavisTargets(),
]
const targets = [
  ...tables.davisTargets.rows.map((row) => toTarget('davis', row, 'sequence_mutated')),
  ...tables.kibaTargets.rows.map((row) => toTarget('kiba', row, 'sequence')),
]
mkdirSync(out, { recursive: true })
exportTargets(out, targets)
exportCompounds(out, rdkit, compounds)
writeManifest(out, { compounds: compounds.length, targets: targets.length }, Object.values(tables))

function readTables(folder: string) {
  return {
    davisDrugs: readTable(folder, 'davis/drugs.tsv.gz'),
    davisTargets: readTable(folder, 'davis/targets.tsv.gz'),
    kibaDrugs: readTable(folder, 'kiba/drugs.tsv.gz'),
    kibaTargets: readTable(folder, 'kiba/targets.tsv.gz'),
    drugs: readTable(folder, 'general/drugs.tsv.gz'),
    targets: readTable(folder, 'general/targets.tsv.gz'),
    pairs: readTable(folder, 'general/pairs.tsv.gz'),
  }
}

function benchmarkCompounds(name: string, drugs: Table): NamedSmiles[] {
  return drugs.rows.map((row) => {
    const smiles = cell(row, 'smiles_canonical')
    const compound = standardise(rdkit, smiles)
    // A benchmark skips nothing: entries the product rejects (a peptide too large) are written unchanged.
    return {
      id: `${name}:${cell(row, 'drug_id')}`,
      smiles: compound.ok ? compound.standardSmiles : smiles,
    }
  })
}

/** Their targets are identified by sequence, with and without the mutations. */
function compoundsOnDavisTargets(): NamedSmiles[] {
  const sequences = new Set(
    tables.davisTargets.rows.flatMap((row) => [
      cell(row, 'sequence'),
      cell(row, 'sequence_mutated'),
    ]),
  )
  const known = tables.targets.rows.filter((row) => sequences.has(cell(row, 'sequence')))
  const targetIds = new Set(known.map((row) => cell(row, 'target_id')))
  const onThem = tables.pairs.rows.filter((row) => targetIds.has(cell(row, 'target_id')))
  const drugIds = new Set(onThem.map((row) => cell(row, 'drug_id')))
  return tables.drugs.rows
    .filter((row) => drugIds.has(cell(row, 'drug_id')))
    .map((row) => ({ id: cell(row, 'drug_id'), smiles: cell(row, 'smiles') }))
}

function toTarget(table: string, row: Row, column: string): NamedSequence {
  const id = cell(row, 'target_id')
  return { id: `${table}:${id}`, name: cell(row, 'name') || id, sequence: cell(row, column) }
}
