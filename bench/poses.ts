/**
 * Cost of placing compounds of published series: CPU time per compound, screens of 60 and of 1,000 compounds on one
 * structure with two threads, and comparing compounds with others. The series are in PKDEX_SHARED.
 */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  listReferences,
  openRdkit,
  placeCompound,
  preparePocket,
  readReference,
  readStructure,
  standardise,
} from '@pkdex/biochem'
// oxlint-disable-next-line no-restricted-imports -- screens are placed as the server's worker does it
import {
  chooseAnchors,
  type Compare,
  openDifferences,
} from '../apps/server/src/inference/differences.ts'
// oxlint-disable-next-line no-restricted-imports -- the same
import { openPlacer, type Placer } from '../apps/server/src/poses/service.ts'
import { type Figure, limited } from './figure.ts'
import { joinLigand, readRows } from './series-structures.ts'

const THREADS = 2
const BLOCK = 25
/** Number of compounds that are compared. */
const COMPARED = 1000
/** Every nth series, with all its compounds. */
const SERIES_STEP = 8

export async function measurePoses(shared: string): Promise<Figure[]> {
  const folder = join(shared, 'data/series')
  const rows = readRows(join(folder, 'ligands.tsv.gz'))
  const series = [...Map.groupBy(rows, ({ system = '' }) => system)].map(([system, of]) => ({
    system,
    smiles: of.map(({ smiles = '' }) => smiles),
  }))
  const times = await placeOneByOne(
    folder,
    series.filter((_, at) => at % SERIES_STEP === 0),
  )
  const largest = series.toSorted((one, other) => other.smiles.length - one.smiles.length)[0]
  if (largest === undefined) throw new Error('there is no series')
  const content = joinLigand(folder, largest.system)
  const rdkit = await openRdkit()
  const compare = openDifferences(
    fileURLToPath(new URL('../models/current', import.meta.url)),
    rdkit,
  )
  const compounds = (count: number) =>
    Array.from({ length: count }, (_, at) => largest.smiles[at % largest.smiles.length] ?? '')
  const placer = openPlacer({ threads: THREADS })
  try {
    await placeAll(placer, content, compounds(BLOCK * THREADS))
    const few = await placeAll(placer, content, compounds(60))
    const many = await placeAll(placer, content, compounds(1000))
    const standard = rows.map(({ smiles = '' }) => standardise(rdkit, smiles))
    const all = standard.flatMap((one) => (one.ok ? one.standardSmiles : []))
    const compared = await msPerCompound(compare, all.slice(0, COMPARED))
    const median = times[times.length >> 1] ?? 0
    const mean = times.reduce((sum, time) => sum + time, 0) / times.length
    return [
      limited(`place a compound, processor time, median of ${times.length}`, median, 'ms', 60),
      limited('place a compound, processor time, mean', mean, 'ms', 100),
      limited('place 60 compounds in one structure, two threads', few, 's', 5),
      limited('place 1,000 compounds in one structure, two threads', many, 's', 60),
      limited('compare a compound with 50 others, processor time, mean', compared, 'ms', 15),
    ]
  } finally {
    await placer.close()
  }
}

/** In ascending order. */
async function placeOneByOne(
  folder: string,
  series: { system: string; smiles: string[] }[],
): Promise<number[]> {
  const rdkit = await openRdkit()
  const times = series.flatMap(({ system, smiles }) => {
    const structure = readStructure(joinLigand(folder, system))
    if (!structure.ok) return []
    const choice = listReferences(structure.value, '').find(({ ligand }) => ligand.name === 'LIG')
    if (choice === undefined) return []
    const reference = readReference(choice.ligand)
    const site = { reference, pocket: preparePocket(structure.value, reference.x) }
    return smiles.map((one) => {
      const before = process.threadCpuUsage()
      placeCompound(rdkit, site, one)
      const { user, system: kernel } = process.threadCpuUsage(before)
      return (user + kernel) / 1000
    })
  })
  return times.toSorted((one, other) => one - other)
}

async function placeAll(placer: Placer, content: string, smiles: string[]) {
  const started = performance.now()
  const blocks = Array.from({ length: Math.ceil(smiles.length / BLOCK) }, (_, at) =>
    smiles.slice(at * BLOCK, (at + 1) * BLOCK),
  )
  // As in the worker: a thread gets its next block when it has finished one.
  const waiting = blocks.values()
  const work = async () => {
    for (let some of waiting) {
      while (some.length > 0) {
        const site = { content, chain: '', reference: null, own: null }
        const answer = await placer.place({ ...site, smiles: some })
        some = 'reason' in answer ? [] : some.slice(answer.compounds.length)
      }
    }
  }
  await Promise.all(Array.from({ length: THREADS }, work))
  return (performance.now() - started) / 1000
}

async function msPerCompound(compare: Compare, smiles: string[]): Promise<number> {
  const anchors = chooseAnchors(smiles)
  await compare({ smiles: anchors, anchors })
  const before = process.threadCpuUsage()
  for (let at = 0; at < smiles.length; at += BLOCK) {
    await compare({ smiles: smiles.slice(at, at + BLOCK), anchors })
  }
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000 / smiles.length
}
