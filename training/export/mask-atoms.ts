/**
 * npm run mask-atoms -- --tables <folder of tables> [--model <folder>] [--compounds 200]: checks whether the atoms
 * reported as most important are. Hides the most important fifth of a compound's atoms, a random fifth and the least
 * important one, and measures how far the prediction falls. As a check without hiding, each heteroatom is replaced by
 * carbon, which gives a real molecule, and the change of its prediction is compared with the atom's contribution.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { gunzipSync } from 'node:zlib'
import {
  chainSegments,
  hideAtoms,
  longestProteinChain,
  openRdkit,
  readStructure,
  standardise,
  type RdkitModule,
} from '@pkdex/biochem'
// oxlint-disable-next-line no-restricted-imports -- the model is asked as the server's thread asks it
import { openModel, type Model, type Pair } from '../../apps/server/src/inference/open-model.ts'

const settings = parseArgs({
  options: {
    tables: { type: 'string' },
    model: { type: 'string' },
    compounds: { type: 'string', default: '200' },
  },
}).values
if (settings.tables === undefined) throw new Error('name the folder of tables: --tables')
const series = join(settings.tables, 'series')
const directory = settings.model ?? fileURLToPath(new URL('../../models/current', import.meta.url))

const SHARE = 0.2
const DRAWS = 5

type Measured = {
  most: number
  random: number
  least: number
  /** An atom's contribution, and the drop in the prediction when it is replaced by carbon. */
  swaps: [contribution: number, fell: number][]
}

const rdkit = await openRdkit()
const model = await openModel({ directory, rdkit })
const nextRandom = randomNumbers(1)
const measured: Measured[] = []
for (const pair of chosenPairs(Number(settings.compounds))) {
  measured.push(await measure(model, pair))
}
report(measured)

/** One compound per series in turn, until there are enough: the middle one first, then its neighbours. */
function* chosenPairs(count: number): Generator<Pair> {
  const lines = gunzipSync(readFileSync(join(series, 'ligands.tsv.gz'))).toString('utf8')
  const [, ...rows] = lines.trimEnd().split('\n')
  const cells = rows.map((row) => row.split('\t'))
  const systems = [...Map.groupBy(cells, ([system = '']) => system)]
  let taken = 0
  for (let round = 0; taken < count; round += 1) {
    for (const [system, ligands] of systems) {
      const [, , smiles = ''] =
        ligands[(Math.floor(ligands.length / 2) + round) % ligands.length] ?? []
      const standard = standardise(rdkit, smiles)
      const segments = segmentsOf(system)
      if (!standard.ok || segments === null || taken >= count) continue
      taken += 1
      yield { segments, smiles: standard.standardSmiles }
    }
  }
}

function segmentsOf(system: string): string[] | null {
  const file = join(series, 'structures', `${system}.pdb.gz`)
  const read = readStructure(gunzipSync(readFileSync(file)).toString('utf8'))
  const chain = read.ok ? longestProteinChain(read.value) : null
  return chain && chainSegments(chain)
}

async function measure(model: Model, { segments, smiles }: Pair): Promise<Measured> {
  const numbers = async (all: string[]) =>
    (await model.predict(all.map((one) => ({ segments, smiles: one })))).map(
      (one) => one.predicted_kd,
    )
  const [whole = 0] = await numbers([smiles])
  const drops = async (masks: number[][]) =>
    (await numbers(masks.map((atoms) => hideAtoms(smiles, atoms)))).map((one) => whole - one)
  const elements = elementsOf(rdkit, smiles)
  const contributions = await drops(elements.map((_, atom) => [atom]))
  const ranked = [...contributions.keys()].toSorted(
    (a, b) => (contributions[b] ?? 0) - (contributions[a] ?? 0),
  )
  const size = Math.max(1, Math.round(SHARE * ranked.length))
  const draws = Array.from({ length: DRAWS }, () => shuffled(ranked).slice(0, size))
  const [most = 0, least = 0, ...random] = await drops([
    ranked.slice(0, size),
    ranked.slice(-size),
    ...draws,
  ])
  const swapped = elements.flatMap((element, atom) => {
    const carbon = element === 6 ? null : withCarbon(rdkit, smiles, atom)
    return carbon === null ? [] : [{ atom, carbon }]
  })
  const fell = (await numbers(swapped.map(({ carbon }) => carbon))).map((one) => whole - one)
  const swaps = swapped.map(({ atom }, at): [number, number] => [
    contributions[atom] ?? 0,
    fell[at] ?? 0,
  ])
  return { most, random: mean(random), least, swaps }
}

type Bond = { bo?: number; atoms: [number, number] }
type MoleculeRecord = {
  molecules: [{ atoms: { z?: number; impHs?: number }[]; bonds?: Bond[] }]
}

function recordOf(module: RdkitModule, smiles: string): MoleculeRecord {
  using molecule = module.get_mol(smiles)
  if (molecule === null) throw new Error(`RDKit cannot read the SMILES ${smiles}`)
  return JSON.parse(molecule.get_json()) as MoleculeRecord
}

function elementsOf(module: RdkitModule, smiles: string): number[] {
  return recordOf(module, smiles).molecules[0].atoms.map(({ z }) => z ?? 6)
}

/** The molecule with this atom and its hydrogens replaced by carbon; null if that is not a valid molecule. */
function withCarbon(module: RdkitModule, smiles: string, atom: number): string | null {
  const record = recordOf(module, smiles)
  const [molecule] = record.molecules
  const bonds = (molecule.bonds ?? []).filter(({ atoms }) => atoms.includes(atom))
  const order = bonds.reduce((sum, { bo = 1 }) => sum + bo, 0)
  if (order > 4) return null
  molecule.atoms[atom] = { z: 6, impHs: 4 - order }
  using swapped = module.get_mol(JSON.stringify(record))
  const text = swapped?.get_smiles() ?? ''
  using again = module.get_mol(text)
  return again === null || text === '' ? null : text
}

function report(all: Measured[]): void {
  const better = all.filter(({ most, random }) => most > random).length
  const swaps = all.flatMap((one) => one.swaps)
  const rows: [what: string, figure: string][] = [
    ['compounds', String(all.length)],
    [
      'fall of pKd, most important fifth of the atoms hidden',
      mean(all.map((one) => one.most)).toFixed(3),
    ],
    ['a random fifth hidden', mean(all.map((one) => one.random)).toFixed(3)],
    ['the least important fifth hidden', mean(all.map((one) => one.least)).toFixed(3)],
    [
      'compounds where the most important fifth lowers the number more than a random one',
      `${better} of ${all.length}`,
    ],
    ['heteroatoms turned into carbon', String(swaps.length)],
    [
      'correlation of what they were said to add with the fall of the number',
      correlation(swaps).toFixed(2),
    ],
  ]
  console.log(
    ['| figure | measured |', '|---|---|', ...rows.map((row) => `| ${row.join(' | ')} |`)].join(
      '\n',
    ),
  )
  if (better <= all.length / 2) process.exitCode = 1
}

function correlation(pairs: [number, number][]): number {
  const [x, y] = [mean(pairs.map(([one]) => one)), mean(pairs.map(([, other]) => other))]
  const sum = (term: (pair: [number, number]) => number) => mean(pairs.map(term))
  const together = sum(([one, other]) => (one - x) * (other - y))
  return together / Math.sqrt(sum(([one]) => (one - x) ** 2) * sum(([, other]) => (other - y) ** 2))
}

function mean(numbers: number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0) / Math.max(numbers.length, 1)
}

function shuffled(items: number[]): number[] {
  return items
    .map((item) => ({ item, rank: nextRandom() }))
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ item }) => item)
}

/** Reproducible random numbers (Lehmer's generator). */
function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}
