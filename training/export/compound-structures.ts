/**
 * npm run compound-structures -- --tables <folder of tables> [--model <folder>]: writes structures and sources of a
 * model's training compounds next to it, for display. Run it again for every model: a file for another model is
 * ignored. Model rows that no table explains have no structure.
 */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { gunzipSync, gzipSync } from 'node:zlib'
import { openRdkit } from '@pkdex/biochem'
import { cell, readTable, type Row } from './read-table.ts'

const settings = parseArgs({
  options: { tables: { type: 'string' }, model: { type: 'string' } },
}).values
if (settings.tables === undefined) throw new Error('name the folder of tables: --tables')
const tables = settings.tables
const model = settings.model ?? fileURLToPath(new URL('../../models/current', import.meta.url))

type Compound = { smiles: string; name: string }
/** A table's value, in the form that model labels are compared with. */
type Value = {
  compound: string
  target: string
  pk: number
  isBelow: boolean
  types: string
  sources: string
}

/** Layout of the model's files: see `measured.py`. */
const FINGERPRINT_BYTES = 128
const STEPS = 2048
const STEP = 0.01
const BELOW_BY = 0.7
const MORGAN = JSON.stringify({ radius: 2, nBits: 2 * 8 * FINGERPRINT_BYTES })

const sourceNames: Record<string, string> = {
  balm: 'BALM',
  bindingdb: 'BindingDB',
  chembl32: 'ChEMBL 32',
  davis: 'Davis 2011',
  dtc: 'Drug Target Commons',
  metz: 'Metz 2011',
  moleculeace: 'MoleculeACE (ChEMBL)',
  papyrus: 'Papyrus (ChEMBL)',
}

const rdkit = await openRdkit()
const fingerprintFile = readFileSync(join(model, 'compound-fingerprints.bin.gz'))
const measuredFile = readFileSync(join(model, 'measured.bin.gz'))
const { compounds, values } = readAll()
const rowOf = rowsOfFingerprints(gunzipSync(fingerprintFile))
const rows = new Map<string, number>()
for (const [id, { smiles }] of compounds) {
  const row = rowOf.get(fingerprintOf(smiles))
  if (row !== undefined) rows.set(id, row)
}
const described = describeRows(rowOf.size)
const { origins, originOf } = describeLabels(gunzipSync(measuredFile))
const content = {
  fingerprints: hashOf(fingerprintFile),
  measured: hashOf(measuredFile),
  compounds: described,
  origins,
  originOf,
}
const out = join(model, 'compound-structures.json.gz')
writeFileSync(out, gzipSync(JSON.stringify(content), { level: 9 }))
const named = described.filter((one) => one !== '').length
const explained = originOf.filter((origin) => origin >= 0).length
console.log(`${named} of ${described.length} compounds, ${explained} of ${originOf.length} values`)

function readAll() {
  const all = new Map<string, Compound>()
  const add = (id: string, smiles: string, name: string) => all.set(id, { smiles, name })
  for (const row of table('general/drugs.tsv.gz')) {
    add(cell(row, 'drug_id'), cell(row, 'smiles'), cell(row, 'name'))
  }
  for (const row of table('davis/drugs.tsv.gz')) {
    add(`davis:${cell(row, 'drug_id')}`, cell(row, 'smiles_canonical'), row['name'] ?? '')
  }
  return { compounds: all, values: [...generalValues(), ...davisValues(), ...chemblValues(add)] }
}

function generalValues(): Value[] {
  return table('general/pairs.tsv.gz').map((row) => ({
    compound: cell(row, 'drug_id'),
    target: cell(row, 'target_id'),
    pk: Number(cell(row, 'pK')),
    isBelow: cell(row, 'relation') === '<',
    types: cell(row, 'types'),
    sources: cell(row, 'sources'),
  }))
}

function davisValues(): Value[] {
  const sequenceOf = new Map(
    table('davis/targets.tsv.gz').map((row) => [
      cell(row, 'target_id'),
      cell(row, 'sequence_mutated'),
    ]),
  )
  const targetOf = new Map(
    table('general/targets.tsv.gz').map((row) => [cell(row, 'sequence'), cell(row, 'target_id')]),
  )
  return table('davis/pairs.tsv.gz').map((row) => ({
    compound: `davis:${cell(row, 'drug_id')}`,
    target: targetOf.get(sequenceOf.get(cell(row, 'target_id')) ?? '') ?? '',
    pk: Number(cell(row, 'pKd')),
    isBelow: cell(row, 'relation') === '<',
    types: 'Kd',
    sources: 'davis',
  }))
}

/** Twins of one sequence are written as `T1|T2`. */
function chemblValues(add: (id: string, smiles: string, name: string) => void): Value[] {
  if (!existsSync(join(tables, 'chembl32/pairs.tsv.gz'))) return []
  return table('chembl32/pairs.tsv.gz').flatMap((row) => {
    const compound = `chembl32:${cell(row, 'smiles')}`
    add(compound, cell(row, 'smiles'), cell(row, 'compound'))
    return cell(row, 'target_id')
      .split('|')
      .map((target) => ({
        compound,
        target,
        pk: Number(cell(row, 'pK')),
        isBelow: false,
        types: cell(row, 'type'),
        sources: 'chembl32',
      }))
  })
}

/** The first of several compounds with one fingerprint, preferring one with a name. */
function describeRows(count: number): string[] {
  const chosen: string[] = Array.from({ length: count }, () => '')
  for (const [id, row] of rows) {
    const { smiles, name } = compounds.get(id) ?? { smiles: '', name: '' }
    const isBetter = chosen[row] === '' || (name !== '' && !chosen[row]?.includes('\t'))
    if (isBetter) chosen[row] = name === '' ? smiles : `${smiles}\t${name.replaceAll('\t', ' ')}`
  }
  return chosen
}

/** The source of a label: a table with this value, otherwise any value, of this compound on this target. */
function describeLabels(labels: Buffer) {
  const find = indexValues()
  const targets = targetsOfLabels()
  const origins: { types: string[]; sources: string[] }[] = []
  const places = new Map<string, number>()
  const originOf = targets.map((target, place) => {
    const value = find(target, labels.readUInt32LE(place * 4))
    if (value === undefined) return -1
    const key = `${value.types} ${value.sources}`
    const known = places.get(key) ?? origins.length
    if (!places.has(key)) origins.push(originOfValue(value))
    places.set(key, known)
    return known
  })
  return { origins, originOf }
}

function originOfValue({ types, sources }: Value) {
  return {
    types: types.split('|').filter((type) => type !== ''),
    sources: sources.split('|').map((source) => sourceNames[source] ?? source),
  }
}

/** Also matches a value one step away: values were rounded twice. */
function indexValues(): (target: string, label: number) => Value | undefined {
  const exact = new Map<string, Value>()
  const any = new Map<string, Value>()
  const keep = (map: Map<string, Value>, key: string, value: Value) => {
    if (!map.has(key)) map.set(key, value)
  }
  for (const value of values) {
    const row = rows.get(value.compound)
    if (row === undefined) continue
    const steps = Math.round((value.pk - (value.isBelow ? BELOW_BY : 0)) / STEP)
    const pair = `${value.target} ${row}`
    for (const off of [0, -1, 1]) keep(exact, `${pair} ${steps + off} ${value.isBelow}`, value)
    keep(any, pair, value)
  }
  return (target, label) => {
    const pair = `${target} ${Math.floor(label / (2 * STEPS))}`
    const isBelow = Math.floor(label / STEPS) % 2 === 1
    return exact.get(`${pair} ${label % STEPS} ${isBelow}`) ?? any.get(pair)
  }
}

/** Target of each label by id: the model lists targets in table order and skips some. */
function targetsOfLabels(): string[] {
  const listed = JSON.parse(readFileSync(join(model, 'targets.json'), 'utf8')) as {
    name: string
    measured: number
  }[]
  const all = table('general/targets.tsv.gz')
  let at = 0
  return listed.flatMap(({ name, measured }) => {
    while (at < all.length && nameOf(all[at]) !== name) at += 1
    const id = all[at]?.['target_id']
    at += 1
    if (id === undefined) throw new Error(`no target named ${name} in the order of the table`)
    return Array.from({ length: measured }, () => id)
  })
}

function nameOf(row: Row | undefined): string {
  const { name = '', target_id = '' } = row ?? {}
  return name === '' ? `unnamed target ${target_id}` : name
}

function rowsOfFingerprints(bytes: Buffer): Map<string, number> {
  const found = new Map<string, number>()
  for (let row = 0; row < bytes.length / FINGERPRINT_BYTES; row += 1) {
    found.set(bytes.toString('latin1', row * FINGERPRINT_BYTES, (row + 1) * FINGERPRINT_BYTES), row)
  }
  return found
}

/** Folded once, as the model's are. */
function fingerprintOf(smiles: string): string {
  using molecule = rdkit.get_mol(smiles)
  if (molecule === null) return ''
  const bytes = Buffer.from(molecule.get_morgan_fp_as_uint8array(MORGAN))
  const folded = bytes
    .subarray(0, FINGERPRINT_BYTES)
    .map((byte, at) => byte | (bytes[at + FINGERPRINT_BYTES] ?? 0))
  return Buffer.from(folded).toString('latin1')
}

function table(path: string): Row[] {
  return readTable(tables, path).rows
}

function hashOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}
