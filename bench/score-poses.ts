/**
 * npm run score-poses -- --tables <folder of tables> --scores <table of score-series> --reference-poses <SDF> [--series
 * <n>] [--out <file>] [--model <folder>]: places the compounds of the published series as the product does, with the
 * reference ligand read from HETATM records without bond orders, and reports what poses, and differences from the other
 * compounds (of models/current, or of --model), add to the plain prediction. With --model the weights and these figures
 * are written to that folder, as structure.json.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import {
  listReferences,
  openRdkit,
  placeCompound,
  poseFeature,
  preparePocket,
  readReference,
  readStructure,
  relaxedReferenceEnergy,
  similarityWithoutOrders,
  standardise,
} from '@pkdex/biochem'
// oxlint-disable-next-line no-restricted-imports -- compounds are compared as the server's worker does it
import { chooseAnchors, openDifferences } from '../apps/server/src/inference/differences.ts'
import { joinLigand, readRows, readText } from './series-structures.ts'
import { fitWeights, reportPoses, shippedFigures, type PoseRow } from './pose-report.ts'

const { values } = parseArgs({
  options: {
    tables: { type: 'string' },
    scores: { type: 'string' },
    'reference-poses': { type: 'string' },
    series: { type: 'string', default: '1000' },
    out: { type: 'string', default: '.cache/training/pose-scores.tsv' },
    model: { type: 'string' },
  },
})
const { tables, scores, 'reference-poses': referencePoses, model } = values
if (tables === undefined || scores === undefined || referencePoses === undefined) {
  throw new Error('name --tables, --scores and --reference-poses')
}

const folder = join(tables, 'series')
const rdkit = await openRdkit()
const shipped = fileURLToPath(new URL('../models/current', import.meta.url))
const compare = openDifferences(model ?? shipped, rdkit)
const yardstick = readYardstick(readText(referencePoses))
const bySystem = Map.groupBy(readRows(scores), (row) => row['system'] ?? '')
const rows: PoseRow[] = []
let failed = 0
for (const [system, compounds] of [...bySystem].slice(0, Number(values.series))) {
  const wanted = compounds.filter(
    ({ name, in_training }) => in_training === '0' && yardstick.has(`${system} ${name}`),
  )
  if (wanted.length >= 7) rows.push(...(await compareSeries(wanted, placeSeries(system, wanted))))
}
mkdirSync(dirname(values.out), { recursive: true })
const columns = Object.keys(rows[0] ?? {}) as (keyof PoseRow)[]
const lines = rows.map((row) => columns.map((column) => row[column]).join('\t'))
writeFileSync(values.out, `${[columns.join('\t'), ...lines].join('\n')}\n`)
console.log(`${rows.length} compounds placed, ${failed} not: ${values.out}`)
console.log(reportPoses(rows))
if (model !== undefined) writeWeights(model)

/** A separate file: the model's version does not change with it. */
function writeWeights(folder: string): void {
  const card = readFileSync(join(folder, 'model-card.json'), 'utf8')
  const [, version] = /"version": "([^"]+)"/.exec(card) ?? []
  const settings = {
    model_version: version,
    weights: fitWeights(rows),
    centring: 'compounds placed together',
    figures: shippedFigures(rows),
  }
  writeFileSync(join(folder, 'structure.json'), `${JSON.stringify(settings, null, 2)}\n`)
}

type PlacedRow = Omit<PoseRow, 'difference' | 'differenceMs'>

/** As in a screen of these compounds: those that cannot be placed can be anchors as well. */
async function compareSeries(
  compounds: Record<string, string>[],
  placed: PlacedRow[],
): Promise<PoseRow[]> {
  const known = new Map(compounds.map((row) => [row['name'], standardSmiles(row['smiles'] ?? '')]))
  const smiles = placed.map(({ name }) => known.get(name) ?? '')
  const before = process.threadCpuUsage()
  const differences = await compare({ smiles, anchors: chooseAnchors([...known.values()]) })
  const { user, system: kernel } = process.threadCpuUsage(before)
  const differenceMs = (user + kernel) / 1000 / smiles.length
  return placed.map((row, at) => ({ ...row, difference: differences[at] ?? 0, differenceMs }))
}

function standardSmiles(smiles: string): string {
  const standard = standardise(rdkit, smiles)
  if (!standard.ok) throw new Error(`${smiles} was scored, but is no compound`)
  return standard.standardSmiles
}

function placeSeries(system: string, compounds: Record<string, string>[]): PlacedRow[] {
  const structure = readStructure(joinLigand(folder, system))
  const choice = structure.ok
    ? listReferences(structure.value, '').find(({ ligand }) => ligand.name === 'LIG')
    : undefined
  if (!structure.ok || choice === undefined) {
    console.log(`${system}: no reference ligand was read`)
    failed += compounds.length
    return []
  }
  const reference = readReference(choice.ligand)
  const site = { reference, pocket: preparePocket(structure.value, reference.x) }
  const zero = relaxedReferenceEnergy(site)
  return compounds.flatMap((row) => {
    const before = process.threadCpuUsage()
    const placed = placeCompound(rdkit, site, row['smiles'] ?? '')
    const { user, system: kernel } = process.threadCpuUsage(before)
    if (!placed.ok) {
      failed += 1
      console.log(`${system} ${row['name']}: ${placed.reason}`)
      return []
    }
    const { pose } = placed
    const known = yardstick.get(`${system} ${row['name']}`) ?? { vina: 0, reference: 0 }
    return {
      system,
      gene: row['gene'] ?? '',
      name: row['name'] ?? '',
      pk: Number(row['pk']),
      plain: Number(row['predicted']),
      half: (Number(row['upper']) - Number(row['lower'])) / 2,
      heavyAtoms: Number(row['heavy_atoms']),
      best: poseFeature(pose.energy, zero),
      mean: poseFeature(pose.meanEnergy, zero),
      python: poseFeature(known.vina, known.reference),
      similarity: similarityWithoutOrders(pose.parts, reference.parts),
      keepsStereo: Number(pose.keepsStereo),
      cpuMs: (user + kernel) / 1000,
    }
  })
}

function readYardstick(sdf: string): Map<string, { vina: number; reference: number }> {
  const poses = new Map<string, { vina: number; reference: number }>()
  for (const entry of sdf.split('$$$$\n')) {
    const field = (name: string) => new RegExp(`<${name}>\\n(.*)`).exec(entry)?.[1] ?? ''
    poses.set(`${field('system')} ${field('name')}`, {
      vina: Number(field('vina')),
      reference: Number(field('reference_relaxed')),
    })
  }
  return poses
}
