/**
 * Reads every compound of the tables with the product's own code and writes arrays for training. Compounds that differ
 * only in stereochemistry, charges or counter-ions are one compound: its flat standard SMILES is the key.
 * node training/export/features.ts --data <folder of tables> --out <folder> [--threads 2] [--table <path>=<column>]...
 *
 * Writes `smiles.tsv` (every SMILES of a table, and the row of its compound), `compounds.txt` (flat SMILES by row),
 * `offsets.npy` and `bits.npy` (set bits of each compound), `descriptors.npy`, the files of `neighbours.ts`, `targets.tsv`
 * (id, name, sequence), `chains.tsv` (series, observed chain), and `manifest.json`. With `--table`, only the SMILES of the named tables are read,
 * and no targets and chains are written.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { gunzipSync } from 'node:zlib'
import {
  chainSegments,
  compoundFeatures,
  featureSpec,
  featureSpecHash,
  flatSmiles,
  longestProteinChain,
  openRdkit,
  readStructure,
  standardise,
} from '@pkdex/biochem'
import { writeNeighbours } from './neighbours.ts'
import { cell, readTable, type Table } from './read-table.ts'
import { offsetsOf, writeArray } from './write-array.ts'

type Part = {
  smiles: [string, string][]
  bits: Uint16Array[]
  descriptors: Float32Array[]
  flat: string[]
}

/** Tables with a column of SMILES. */
const COMPOUNDS: Record<string, string> = {
  'general/drugs.tsv.gz': 'smiles',
  'davis/drugs.tsv.gz': 'smiles_canonical',
  'chembl32/pairs.tsv.gz': 'smiles',
  'more/more.tsv.gz': 'smiles',
  'series/ligands.tsv.gz': 'smiles',
}
const TARGETS = ['general/targets.tsv.gz', 'more/new_targets.tsv.gz']

if (isMainThread) await exportAll()
else parentPort?.postMessage(await readPart(workerData as string[]))

async function exportAll(): Promise<void> {
  const { data, out, threads, table } = parseArgs({
    options: {
      data: { type: 'string' },
      out: { type: 'string' },
      threads: { type: 'string', default: '2' },
      table: { type: 'string', multiple: true },
    },
  }).values
  if (data === undefined || out === undefined) throw new Error('name the folders: --data, --out')
  mkdirSync(out, { recursive: true })
  const columns = table === undefined ? COMPOUNDS : Object.fromEntries(table.map(toColumn))
  const tables = Object.keys(columns).map((path) => readTable(data, path))
  const smiles = [...new Set(tables.flatMap((one) => smilesOf(one, columns)))]
  const count = Number(threads)
  const shares = Array.from({ length: count }, (_, at) =>
    smiles.filter((_, row) => row % count === at),
  )
  const bits = writeCompounds(out, await Promise.all(shares.map(readApart)))
  await writeNeighbours(out, bits, count)
  const targets = table === undefined ? TARGETS.map((path) => readTable(data, path)) : []
  if (table === undefined) {
    writeTargets(out, targets)
    writeChains(out, data, tables.at(-1))
  }
  const sizes = {
    compoundBits: featureSpec.compound.blocks.map(({ name, size }) => ({ name, size })),
  }
  const hashes = [...tables, ...targets].map(({ path, sha256, rows }) => ({
    path,
    sha256,
    rows: rows.length,
  }))
  const manifest = {
    featureSpecHash,
    descriptors: featureSpec.compound.descriptors,
    ...sizes,
    tables: hashes,
  }
  writeFileSync(join(out, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`)
}

function smilesOf({ path, rows }: Table, columns: Record<string, string>): string[] {
  return rows.map((row) => cell(row, columns[path] ?? ''))
}

/** Reads an option such as `davis/drugs.tsv.gz=smiles_canonical`. */
function toColumn(option: string): [path: string, column: string] {
  const [path, column] = option.split('=')
  if (!path || !column) throw new Error(`--table ${option}: write <path>=<column>`)
  return [path, column]
}

function readApart(smiles: string[]): Promise<Part> {
  const worker = new Worker(new URL(import.meta.url), { workerData: smiles })
  return new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject))
}

/** SMILES that the product refuses are left out. */
async function readPart(all: string[]): Promise<Part> {
  const rdkit = await openRdkit()
  const part: Part = { smiles: [], bits: [], descriptors: [], flat: [] }
  const seen = new Set<string>()
  for (const [at, smiles] of all.entries()) {
    if (at % 10_000 === 0) console.log(`${at} of ${all.length} SMILES`)
    const standard = standardise(rdkit, smiles)
    if (!standard.ok) continue
    const flat = flatSmiles(rdkit, standard.standardSmiles)
    part.smiles.push([smiles, flat])
    if (seen.has(flat)) continue
    seen.add(flat)
    const { bits, descriptors } = compoundFeatures(rdkit, flat)
    part.flat.push(flat)
    part.bits.push(bits)
    part.descriptors.push(descriptors)
  }
  return part
}

/** Returns the set bits of each compound. */
function writeCompounds(out: string, parts: Part[]): Uint16Array[] {
  const rows = new Map<string, number>()
  const [bits, descriptors]: [Uint16Array[], Float32Array[]] = [[], []]
  for (const part of parts) {
    for (const [at, flat] of part.flat.entries()) {
      const [set, described] = [part.bits[at], part.descriptors[at]]
      if (rows.has(flat) || set === undefined || described === undefined) continue
      rows.set(flat, bits.length)
      bits.push(set)
      descriptors.push(described)
    }
  }
  const lines = parts.flatMap(({ smiles }) =>
    smiles.map(([one, flat]) => `${one}\t${rows.get(flat)}\n`),
  )
  writeFileSync(join(out, 'smiles.tsv'), `smiles\tcompound\n${lines.join('')}`)
  writeFileSync(join(out, 'compounds.txt'), [...rows.keys(), ''].join('\n'))
  writeArray(join(out, 'offsets.npy'), [offsetsOf(bits)])
  writeArray(join(out, 'bits.npy'), bits)
  writeArray(join(out, 'descriptors.npy'), descriptors, featureSpec.compound.descriptors.length)
  return bits
}

function writeTargets(out: string, tables: Table[]): void {
  const lines = tables.flatMap(({ rows }) =>
    rows.map((row) => {
      const [id, name] = [cell(row, 'target_id'), cell(row, 'name')]
      return `${id}\t${name === '' ? `unnamed target ${id}` : name}\t${cell(row, 'sequence')}\n`
    }),
  )
  writeFileSync(join(out, 'targets.tsv'), `id\tname\tsequence\n${lines.join('')}`)
}

function writeChains(out: string, data: string, series: Table | undefined): void {
  const systems = [...new Set(series?.rows.map((row) => cell(row, 'system')))]
  const lines = systems.map((system) => {
    const file = readFileSync(join(data, 'series/structures', `${system}.pdb.gz`))
    const structure = readStructure(gunzipSync(file).toString('utf8'))
    const chain = structure.ok ? longestProteinChain(structure.value) : null
    if (chain === null) throw new Error(`${system}: the structure holds no protein chain`)
    return `${system}\t${chainSegments(chain).join('/')}\n`
  })
  writeFileSync(join(out, 'chains.tsv'), `system\tchain\n${lines.join('')}`)
}
