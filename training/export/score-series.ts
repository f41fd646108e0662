/**
 * npm run score-series -- --tables <folder of tables> [--model <folder>] [--pairs <file>] [--out <file>]: a model's
 * predictions for the published series, or for the pairs of a table (smiles, target_id, pk, type), read, encoded and
 * predicted like an upload. One row per compound, as input of `score-poses`; `in training` marks compounds
 * with the fingerprint of a training compound. Rows the product rejects are reported and skipped.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { gunzipSync } from 'node:zlib'
import {
  chainSegments,
  compoundFeatures,
  featureSpec,
  kernelDescriptorNames,
  longestProteinChain,
  openRdkit,
  readStructure,
  standardise,
} from '@pkdex/biochem'
// oxlint-disable-next-line no-restricted-imports -- the model is scored as the server's worker runs it
import { foldMorgan } from '../../apps/server/src/inference/fingerprints.ts'
// oxlint-disable-next-line no-restricted-imports -- the same
import {
  openModel,
  type Explained,
  type Model,
} from '../../apps/server/src/inference/open-model.ts'

type Row = Record<string, string | number>

const settings = parseArgs({
  options: {
    tables: { type: 'string' },
    model: { type: 'string' },
    pairs: { type: 'string' },
    out: { type: 'string' },
  },
}).values
if (settings.tables === undefined) throw new Error('name the folder of tables: --tables')
const { tables } = settings
const series = join(tables, 'series')
const directory = settings.model ?? fileURLToPath(new URL('../../models/current', import.meta.url))
const out = settings.out ?? '.cache/training/series-scores.tsv'

const rdkit = await openRdkit()
const model = await openModel({ directory, rdkit })
const scored: Row[] = []
for (const group of settings.pairs === undefined ? readSeries() : readPairs(settings.pairs)) {
  scored.push(...(await scoreGroup(group)))
}
mkdirSync(dirname(out), { recursive: true })
writeFileSync(out, toTable(scored))
console.log(`${scored.length} compounds, model ${model.version}: ${out}`)

/** Compounds predicted against one chain; `names` are written to every row. */
type Group = { names: Row; segments: () => string[]; compounds: Record<string, string>[] }

function readSeries(): Group[] {
  const ligands = Map.groupBy(
    readRows(join(series, 'ligands.tsv.gz')),
    (row) => row['system'] ?? '',
  )
  return readRows(join(series, 'systems.tsv')).map(({ system = '', gene = '', assay = '' }) => ({
    names: { system, gene, assay },
    segments: () => readTarget(join(series, 'structures', `${system}.pdb.gz`)),
    compounds: (ligands.get(system) ?? []).map((row) => ({
      ...row,
      pk: row['pK'] ?? '',
      fep: row['fep_pK'] ?? '',
    })),
  }))
}

function readPairs(file: string): Group[] {
  const sequences = new Map(
    readRows(join(tables, 'general/targets.tsv.gz')).map((row) => [
      row['target_id'],
      row['sequence'],
    ]),
  )
  const groups = Map.groupBy(readRows(file), (row) => row['target_id'] ?? '')
  return [...groups].map(([target, compounds]) => ({
    names: { system: target, gene: target, assay: '' },
    segments: () => [sequences.get(target) ?? ''],
    compounds,
  }))
}

async function scoreGroup({ names, segments: read, compounds }: Group): Promise<Row[]> {
  const segments = read()
  const readable = compounds.flatMap((row) => {
    const standard = standardised(row['smiles'] ?? '')
    return standard === null ? [] : [{ row, standard }]
  })
  if (readable.length === 0) return []
  const pairs = readable.map(({ standard }) => ({ segments, smiles: standard.standardSmiles }))
  const results = await model.predict(pairs)
  const explained = await model.explain(pairs)
  return readable.map(({ row, standard }, index): Row => {
    const [result, known] = [results[index], explained[index]]
    if (result === undefined || known === undefined) {
      throw new Error('the model left a compound out')
    }
    return {
      ...names,
      name: row['name'] ?? '',
      type: row['type'] ?? '',
      pk: row['pk'] ?? '',
      fep: row['fep'] ?? '',
      ...describeCompound(standard),
      ...describeResult(result),
      ...describeKnown(known),
    }
  })
}

function describeCompound({ standardSmiles: smiles, heavyAtoms }: Standard): Row {
  const { bits, descriptors } = compoundFeatures(rdkit, smiles)
  return {
    smiles,
    heavy_atoms: heavyAtoms,
    logp: descriptors[featureSpec.compound.descriptors.indexOf('CrippenClogP')] ?? 0,
    fingerprint: hexadecimal(foldMorgan(bits)),
    ...Object.fromEntries(
      kernelDescriptorNames.map((name) => [
        `descriptor_${name}`,
        descriptors[featureSpec.compound.descriptors.indexOf(name)] ?? 0,
      ]),
    ),
  }
}

type Result = Awaited<ReturnType<Model['predict']>>[number]

function describeResult({ interval, domain, ...result }: Result): Row {
  return {
    predicted: result.predicted_kd,
    lower: interval.lower,
    upper: interval.upper,
    is_inside: Number(domain.is_inside),
    // Related by sequence, closest first.
    aligned_targets: result.nearest_targets
      .flatMap(({ name, identity_percent }) => (identity_percent === undefined ? [] : [name]))
      .join('|'),
    in_training: Number(result.nearest_compound.similarity === 1),
  }
}

function describeKnown({ regression, near, values }: Explained): Row {
  return {
    regression,
    near: near.mean,
    labels_on_target: values,
    similarity_on_target: near.similarity,
  }
}

/** Eight digits for each word. */
function hexadecimal(words: Uint32Array): string {
  return [...words].map((word) => word.toString(16).padStart(8, '0')).join('')
}

function readTarget(file: string): string[] {
  const structure = readStructure(gunzipSync(readFileSync(file)).toString('utf8'))
  const chain = structure.ok ? longestProteinChain(structure.value) : null
  if (chain === null) throw new Error(`${file} holds no protein chain`)
  return chainSegments(chain)
}

type Standard = { standardSmiles: string; heavyAtoms: number }

function standardised(smiles: string): Standard | null {
  const standard = standardise(rdkit, smiles)
  if (standard.ok) return standard
  console.log(`left out: ${smiles}: ${standard.reason}`)
  return null
}

function readRows(file: string): Record<string, string>[] {
  const bytes = readFileSync(file)
  const text = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')
  const [columns = [], ...rows] = text
    .trimEnd()
    .split(/\r?\n/)
    .map((line) => line.split('\t'))
  return rows.map((row) =>
    Object.fromEntries(columns.map((column, index) => [column, row[index] ?? ''])),
  )
}

function toTable(rows: Row[]): string {
  const columns = Object.keys(rows[0] ?? {})
  const lines = rows.map((row) => columns.map((column) => row[column]).join('\t'))
  return `${[columns.join('\t'), ...lines].join('\n')}\n`
}
