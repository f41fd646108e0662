/**
 * Computing time of the series pages: SAR tables of 300 quinazolines and 2,000 phenylpiperazines, and matched pairs and
 * clusters of the latter, on one thread, from SMILES as uploaded. They are the first of their kind in the compound
 * table in PKDEX_SHARED.
 */
import {
  buildSeriesTable,
  findClusters,
  findMatchedPairs,
  openRdkit,
  pickDiverse,
  type RdkitModule,
  readContexts,
  readFingerprints,
  standardise,
} from '@pkdex/biochem'
import { type Figure, limited } from './figure.ts'
import { readSharedSmiles } from './shared-compounds.ts'

const QUINAZOLINE = 'c1ccc2ncncc2c1'
const PHENYLPIPERAZINE = 'c1ccc(N2CCNCC2)cc1'

export async function measureSeries(shared: string): Promise<Figure[]> {
  const rdkit = await openRdkit()
  const all = readSharedSmiles(shared)
  const quinazolines = findWith(rdkit, all, { core: QUINAZOLINE, count: 300 })
  const piperazines = findWith(rdkit, all, { core: PHENYLPIPERAZINE, count: 2000 })
  // The first table of a thread also compiles RDKit.
  tableOf(rdkit, quinazolines.slice(0, 30))
  const work: [name: string, seconds: number, work: () => unknown][] = [
    ['SAR table of 300 compounds', 3, () => tableOf(rdkit, quinazolines)],
    ['SAR table of 2,000 compounds', 12, () => tableOf(rdkit, piperazines)],
    [
      'matched pairs of 2,000 compounds',
      12,
      () => findMatchedPairs(readContexts(rdkit, read(rdkit, piperazines))),
    ],
    ['clusters of 2,000 compounds, 50 diverse ones', 6, () => clustersOf(rdkit, piperazines)],
  ]
  return work.map(([name, seconds, once]) => limited(name, secondsOf(once), 's', seconds))
}

function secondsOf(work: () => unknown): number {
  const started = performance.now()
  work()
  return (performance.now() - started) / 1000
}

function tableOf(rdkit: RdkitModule, smiles: string[]) {
  const table = buildSeriesTable(rdkit, { smiles: read(rdkit, smiles), theme: 'light' })
  if (table === null || table.core === null || table.cells.length === 0) {
    throw new Error('the compounds have no common core')
  }
  return table
}

function clustersOf(rdkit: RdkitModule, smiles: string[]) {
  const fingerprints = readFingerprints(rdkit, read(rdkit, smiles))
  const clusters = findClusters(fingerprints, 0.6)
  return pickDiverse(fingerprints, 50, clusters[0]?.centre ?? 0)
}

function read(rdkit: RdkitModule, smiles: string[]): (string | null)[] {
  return smiles.map((one) => {
    const standard = standardise(rdkit, one)
    return standard.ok ? standard.standardSmiles : null
  })
}

/** The first compounds of the table that have the core. */
function findWith(
  rdkit: RdkitModule,
  all: string[],
  { core, count }: { core: string; count: number },
): string[] {
  using query = rdkit.get_qmol(core)
  if (query === null) throw new Error(`${core} is no query`)
  const found: string[] = []
  for (const smiles of all) {
    using molecule = rdkit.get_mol(smiles)
    if (molecule !== null && molecule.get_substruct_match(query) !== '{}') found.push(smiles)
    if (found.length === count) return found
  }
  throw new Error(`the table has only ${found.length} compounds with ${core}`)
}
