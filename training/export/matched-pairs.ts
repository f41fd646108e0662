/**
 * npm run matched-pairs -- --tables <folder of tables> [--model <folder>]: writes next to a model how single group
 * changes affected pK in ChEMBL 32, within one assay each: pairs, mean and spread, over all targets and per target.
 * Takes about two minutes. Depends only on the table, not on the model.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { gzipSync } from 'node:zlib'
import { cutMolecule, HYDROGEN_GROUP, openRdkit, orient } from '@pkdex/biochem'
import { cell, readTable, type Row } from './read-table.ts'

const settings = parseArgs({
  options: { tables: { type: 'string' }, model: { type: 'string' } },
}).values
if (settings.tables === undefined) throw new Error('name the folder of tables: --tables')
const { tables } = settings
const model = settings.model ?? fileURLToPath(new URL('../../models/current', import.meta.url))

/** Minimum number of pairs to store a change, and its mean on one target. */
const PAIRS_MIN = 5
const TARGET_PAIRS_MIN = 3

type Sums = { count: number; sum: number; squares: number }
type Change = Sums & { assays: Set<string>; targets: Map<string, Sums> }
/** Numbers represent texts: a context twice the number of its cuts, then the whole molecule. */
type NumberedCuts = { whole: number; cuts: [context: number, group: number][] }

const rdkit = await openRdkit()
const numbers = new Map<string, number>()
const numberOf = (text: string) => {
  const known = numbers.get(text) ?? numbers.size
  numbers.set(text, known)
  return known
}
const hydrogen = numberOf(HYDROGEN_GROUP)
/** Contexts that become a molecule when filled with a hydrogen. */
const filledBy = new Map<number, Set<number>>()

const table = readTable(tables, 'chembl32/pairs.tsv.gz')
const groups = Map.groupBy(
  table.rows.filter((row) => cell(row, 'assay') !== ''),
  (row) => ['assay', 'target_id', 'type'].map((column) => cell(row, column)).join(' '),
)
const used = [...groups.values()].filter((rows) => rows.length > 1)
const cuts = cutAll(new Set(used.flatMap((rows) => rows.map((row) => cell(row, 'smiles')))))
const changes = new Map<string, Change>()
for (const rows of used) addAssay(rows)
const texts = [...numbers.keys()]
write()

function cutAll(compounds: Set<string>): Map<string, NumberedCuts> {
  const found = new Map<string, NumberedCuts>()
  const written = new Map<string, string>()
  for (const smiles of compounds) {
    const one = cutMolecule(rdkit, smiles, written)
    if (one === null) continue
    found.set(smiles, {
      whole: numberOf(one.whole),
      cuts: one.cuts.map(({ context, fragment, withHydrogen }) => {
        const filled = numberOf(withHydrogen)
        const place = numberOf(context)
        filledBy.set(filled, (filledBy.get(filled) ?? new Set()).add(place))
        return [place, numberOf(fragment)]
      }),
    })
    if (found.size % 10_000 === 0) console.log(`${found.size} of ${compounds.size} compounds cut`)
  }
  return found
}

type Member = { group: number; pk: number; compound: number }

function addAssay(rows: Row[]): void {
  const contexts = new Map<number, Member[]>()
  const values = Map.groupBy(rows, (row) => cell(row, 'smiles'))
  for (const [compound, [smiles, some]] of [...values].entries()) {
    const found = cuts.get(smiles)
    if (found === undefined) continue
    const pk = some.reduce((sum, row) => sum + Number(cell(row, 'pK')), 0) / some.length
    const asHydrogen = [...(filledBy.get(found.whole) ?? [])].map((context) => [context, hydrogen])
    for (const [context = 0, group = 0] of [...found.cuts, ...asHydrogen]) {
      const members = contexts.get(context) ?? []
      contexts.set(context, members)
      members.push({ group, pk, compound })
    }
  }
  const [first] = rows
  if (first === undefined) return
  for (const members of contexts.values()) addContext(members, first)
}

function addContext(members: Member[], row: Row): void {
  for (const [at, one] of members.entries()) {
    for (const other of members.slice(at + 1)) {
      if (one.compound === other.compound || one.group === other.group) continue
      const [low, high] = one.group < other.group ? [one, other] : [other, one]
      const key = `${low.group} ${high.group}`
      const change = changes.get(key) ?? { ...noSums(), assays: new Set(), targets: new Map() }
      changes.set(key, change)
      const target = cell(row, 'target_id')
      const onTarget = change.targets.get(target) ?? noSums()
      change.targets.set(target, onTarget)
      change.assays.add(cell(row, 'assay'))
      for (const sums of [change, onTarget]) add(sums, high.pk - low.pk)
    }
  }
}

function noSums(): Sums {
  return { count: 0, sum: 0, squares: 0 }
}

function add(sums: Sums, value: number): void {
  sums.count += 1
  sums.sum += value
  sums.squares += value ** 2
}

/** A header line, then a line per change, by decreasing number of pairs. */
function write(): void {
  const kept = [...changes].filter(([, { count }]) => count >= PAIRS_MIN)
  kept.sort(([, one], [, other]) => other.count - one.count)
  const places = new Map<string, number>()
  const lines = kept.map(([key, change]) => describeChange(key, change, places))
  const sequences = new Map(
    readTable(tables, 'general/targets.tsv.gz').rows.map((row) => [cell(row, 'target_id'), row]),
  )
  const targets = [...places.keys()].map((ids) => {
    const row = sequences.get(ids.split('|')[0] ?? '')
    if (row === undefined) throw new Error(`no target ${ids}`)
    return { name: cell(row, 'name'), sequence: cell(row, 'sequence') }
  })
  const head = {
    table: table.sha256,
    pairs_min: PAIRS_MIN,
    target_pairs_min: TARGET_PAIRS_MIN,
    targets,
  }
  const packed = gzipSync([JSON.stringify(head), ...lines, ''].join('\n'), { level: 9 })
  writeFileSync(join(model, 'matched-pairs.tsv.gz'), packed)
  const observed = [...changes.values()].reduce((sum, { count }) => sum + count, 0)
  console.log(
    `${cuts.size} compounds, ${observed} pairs, ${changes.size} changes, ${kept.length} kept, ${packed.length} bytes`,
  )
}

/** From, to, pairs, assays, mean, spread, then per target index: `0:12:0.31:0.44`. */
function describeChange(key: string, change: Change, places: Map<string, number>): string {
  const [low = '', high = ''] = key.split(' ').map((number) => texts[Number(number)])
  const named = orient({ compound: 0, fragment: low }, { compound: 1, fragment: high })
  const sign = named.from === 0 ? 1 : -1
  const onTargets = [...change.targets].flatMap(([target, sums]) => {
    if (sums.count < TARGET_PAIRS_MIN) return []
    const place = places.get(target) ?? places.size
    places.set(target, place)
    return [[place, ...describeSums(sums, sign)].join(':')]
  })
  const [count, mean, spread] = describeSums(change, sign)
  return [
    named.fromGroup,
    named.toGroup,
    count,
    change.assays.size,
    mean,
    spread,
    onTargets.join(' '),
  ].join('\t')
}

function describeSums({ count, sum, squares }: Sums, sign: number): [number, string, string] {
  const mean = sum / count
  const variance = Math.max(squares - count * mean ** 2, 0) / Math.max(count - 1, 1)
  return [count, (sign * mean).toFixed(2), Math.sqrt(variance).toFixed(2)]
}
