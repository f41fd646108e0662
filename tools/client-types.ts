/**
 * Writes the answer types of the Python client from the OpenAPI document: `npm run client-types` (needs Python with
 * clients/python/requirements-dev.txt). Given a path, it writes them there.
 */
import { spawnSync } from 'node:child_process'
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as contract from '@pkdex/contract'
import { trainingPython } from './training-python.mjs'
// oxlint-disable-next-line no-restricted-imports -- the document that the server serves
import { describeApi } from '../apps/server/src/platform/http/openapi.ts'

type Schema = {
  type?: string
  description?: string
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  $ref?: string
  enum?: unknown[]
  const?: unknown
}

/** Answers that the client reads, under other names in Python where these say more. */
const ANSWERS = {
  ReadCreditsAnswer: 'Balance',
  OwnAlert: 'OwnAlert',
  LocatedAlert: 'LocatedAlert',
  PairsQuote: 'PredictionQuote',
  PairsAnswer: 'Predictions',
  ScreenQuote: 'ScreenQuote',
  Screen: 'Screen',
  ScreenRow: 'ScreenRow',
  Pose: 'Pose',
  PoseReferences: 'PoseReferences',
  ImportedMeasurements: 'ImportedMeasurements',
  MeasurementComparison: 'Comparison',
  CombinedMeasurement: 'CombinedMeasurement',
  Measurement: 'Measurement',
  NextCompounds: 'NextCompounds',
  ListedMolecules: 'TargetLists',
  SeriesTable: 'SeriesTable',
  SeriesPairs: 'SeriesPairs',
  SeriesProducts: 'SeriesProducts',
  SeriesClusters: 'SeriesClusters',
  SeriesScore: 'SeriesScore',
  Share: 'Share',
  Comment: 'Comment',
  SharedScreen: 'SharedScreen',
  CopiedScreen: 'CopiedScreen',
  UploadAnswer: 'Upload',
  PastPrediction: 'PastPrediction',
}

/** Names of their parts, by the last words of the path to them. */
const PARTS: Record<string, string> = {
  'Predictions.predictions': 'Prediction',
  interval: 'Interval',
  best_interval: 'Interval',
  tau_interval: 'Interval',
  domain: 'Domain',
  'ScreenQuote.flagged': 'FlaggedCompounds',
  by_list: 'FlaggedByList',
  'ScreenQuote.structure': 'StructureQuote',
  without_ligand: 'TargetChain',
  ligands: 'PlannedLigand',
  structure_adjusted: 'StructureAdjusted',
  'Pose.pose': 'PlacedPose',
  'PoseReferences.own': 'OwnLigand',
  'ComparedMeasurement.without_own': 'ComparedEstimate',
  'ComparedMeasurement.with_own': 'ComparedEstimate',
  without_own: 'Agreement',
  with_own: 'Agreement',
  mean_of_own: 'Agreement',
  best: 'BestCompound',
  slope: 'ScoreSlope',
  rests_on: 'RestsOn',
  added_with: 'ListedNumber',
  'SeriesTable.core': 'DrawnCore',
  rows: 'SeriesSide',
  columns: 'SeriesSide',
  cells: 'SeriesCell',
  'SeriesTable.gaps': 'SeriesGap',
  'GroupChange.pairs': 'MatchedPair',
  training: 'TrainingChange',
  training_on_target: 'TrainingChange',
  'SeriesProducts.changes': 'AppliedChange',
  products: 'SeriesProduct',
  clusters: 'SeriesCluster',
  cliffs: 'ActivityCliff',
  'SeriesScore.predictions': 'ScoredPrediction',
  renamed: 'Renamed',
  'ChainReport.gaps': 'ChainGap',
  pocket: 'Pocket',
  mapped: 'MappedResidue',
  duplicates: 'Duplicate',
  'Upload.flagged': 'FlaggedUpload',
  news: 'News',
}

/** What each type is. */
const ABOUT: Record<string, string> = {
  ActivityCliff: 'Two similar compounds whose values differ.',
  Agreement:
    "Agreement of predicted and measured values: RMSE in pK units and Kendall's tau (-1 to 1).",
  AppliedChange: 'A change of one group that was applied to the compounds.',
  Balance: 'Credits of the account, and the cost of one prediction.',
  BestCompound: 'The measured compound with the strongest value.',
  ChainGap: 'Neighbours of a gap in a chain, and the number of missing residues.',
  ChainReport: 'What was read of a chain.',
  CombinedMeasurement: 'All values of one compound on a target, combined as predictions use them.',
  ComparedEstimate: 'A prediction with the limits of its 95% interval, in pKd.',
  ComparedMeasurement:
    'One of your values, and the prediction for it without and with your other values.',
  Comment: 'A comment on a screen, or on a compound or pair in it.',
  Comparison:
    'Measured values of one target against predictions without your values, with all but the value compared, and their mean.',
  Compound: 'A compound of the library.',
  CompoundProperties: 'Properties of a compound, without salts and neutralised.',
  CompoundReport: 'What was read of a compound.',
  Domain: 'Applicability domain; similarity to the closest training data, 0 to 1.',
  DrawnCore: 'The core of a series, and its drawing.',
  Duplicate: 'A compound that was listed twice.',
  FlaggedByList: 'Compounds with a structural alert, per list.',
  FlaggedCompounds: 'Compounds of a quote with a structural alert, including those left out.',
  FlaggedUpload: 'An uploaded compound with structural alerts.',
  GroupChange: 'A change of one group, and what it did to pK.',
  ImportedMeasurements: 'Result of importing measured values.',
  Interval: '95% prediction interval of one pair, in pKd.',
  ListedNumber: 'The number that a molecule was added to the list with.',
  LocatedAlert: 'A structural alert of a compound.',
  MappedResidue: 'A modified residue that is read as its standard parent.',
  MatchedPair: 'Two compounds, by their positions in the request, that differ in one group.',
  Measurement: 'A value you measured.',
  News: 'What you have not seen of a screen.',
  NextCompounds: 'A page of five suggestions, the best first.',
  OwnAlert: 'A structural alert of your own.',
  OwnLigand: 'The reference ligand that you gave for a target.',
  PastPrediction: 'A past single prediction.',
  PlacedPose: "A placed compound. Energies are Vina's, in kcal/mol.",
  PlannedLigand: 'The ligand of one target of a screen, and those to choose from.',
  Pocket: 'The ligand in the pocket, the chain that lines it, and its other neighbours.',
  Pose: 'A compound in the pocket of a structure: a model, not an experiment.',
  PoseContact: 'A contact of a placed compound with the pocket.',
  PoseReference: 'A ligand that compounds can be placed on.',
  PoseReferences: 'The ligands of a target, the suggested one first.',
  Prediction: 'Prediction of one SMILES for one target, or the reason why there is none.',
  PredictionQuote: 'Cost of predicting SMILES. Counts are SMILES.',
  Predictions: 'Response of `POST /predict`.',
  RejectedLine: 'A skipped input line and the reason. Lines count from 1.',
  Renamed: 'A name that was taken, and the one given instead.',
  RestsOn: 'A measured value behind a suggestion.',
  ScoreJudgement: "What another tool's score adds to your measured values.",
  ScoreSlope: 'Change in pK per unit of the score, with its 95% interval.',
  ScoredPrediction: "A compound with another tool's score, and its prediction with it.",
  Screen: 'A screen; its status is QUEUED, RUNNING, DONE, CANCELLED or FAILED.',
  ScreenQuote: 'Quote of a screen. Counts are pairs, except `targets` and `compounds`.',
  ScreenRow: 'One pair of a screen.',
  ScreenTarget: 'A target and its chain.',
  SeriesCell: 'A cell of a SAR table with its compounds, by their positions in the request.',
  SeriesCluster: 'Similar compounds, by their positions in the request.',
  SeriesClusters: 'Clusters, a diverse selection, and activity cliffs.',
  SeriesCore: 'A core that compounds share.',
  SeriesGap: 'A combination of groups that no compound has.',
  SeriesGroup: 'A group at one position of the core.',
  SeriesPairs: 'Matched pairs of a series.',
  SeriesProduct: 'A new molecule of a series.',
  SeriesProducts: 'New molecules of a series.',
  SeriesScore: "Another tool's score on a target.",
  SeriesSide:
    'One side of a SAR table: a position of the core and the groups there, the most common first.',
  SeriesTable: 'The SAR table of a series.',
  SharedBy: 'The owner of a screen that was shared with you.',
  Share: 'With whom a screen is shared.',
  SharedScreen: 'A screen that another user shares with you.',
  CopiedScreen: 'How much of a shared screen is in your library.',
  StructureAdjusted: 'The pKd after the pose has moved it, with the limits of its 95% interval.',
  StructureQuote:
    'Poses of a screen, the estimated time in seconds after its predictions, and the ligand of each target.',
  Suggestion: 'An untested compound to make or measure next.',
  Target: 'A target of the library.',
  TargetChain: 'A chain of a target.',
  TargetLists: 'The molecules that you keep for a target, as SMILES, oldest first.',
  TargetReport: 'What was read of a structure.',
  TrainingChange: 'The same change of a group in the training data, within one assay each.',
  UnusableRow: 'A requested target or compound that was skipped.',
  Upload: 'Result of an upload; `names` are the names to use in predictions and screens.',
}

/** Field names in Python for those that it reserves, or that say more; `reading.py` has the way back. */
const FIELDS: Record<string, string> = {
  from: 'origin',
  list: 'source',
  PAINS: 'pains',
  Brenk: 'brenk',
}

const endpoints = Object.values<unknown>(contract).filter(
  (one): one is contract.Endpoint => typeof one === 'object' && one !== null && 'path' in one,
)
const { schemas } = (describeApi(endpoints) as { components: { schemas: Record<string, Schema> } })
  .components
const written = new Map<string, Schema>()

function writeAnswer(name: string): string {
  const own = (ANSWERS as Record<string, string>)[name] ?? name
  if (!written.has(own)) {
    written.set(own, {})
    written.set(own, simplify(schemas[name] ?? {}, own))
  }
  return own
}

/** Types and meanings only: a later server may send other values. */
function simplify(schema: Schema, path: string): Schema {
  const { type, description, properties, required = [], items, anyOf, $ref } = schema
  const about = description === undefined ? {} : { description }
  if ($ref !== undefined) return referTo($ref.split('/').at(-1) ?? '', about)
  if (schema.enum !== undefined) {
    const choices = `One of ${schema.enum.map((value) => `\`${String(value)}\``).join(', ')}.`
    return { type: 'string', description: description ?? choices }
  }
  if (properties !== undefined) {
    // A field that always says the same is left out.
    const told = Object.entries(properties).filter(([, one]) => one.const === undefined)
    const fields = told.map(
      ([name, one]) => [FIELDS[name] ?? name, partOf(one, `${path}.${name}`)] as const,
    )
    const needed = told.flatMap(([name]) => (required.includes(name) ? (FIELDS[name] ?? name) : []))
    return { type: 'object', ...about, properties: Object.fromEntries(fields), required: needed }
  }
  return {
    ...(type !== undefined && { type }),
    ...about,
    ...(items !== undefined && { items: partOf(items, path) }),
    ...(anyOf !== undefined && { anyOf: anyOf.map((one) => partOf(one, path)) }),
  }
}

/** A reference to a named schema; one that lists words becomes a text. */
function referTo(name: string, about: { description?: string }): Schema {
  const schema = schemas[name] ?? {}
  if (schema.enum !== undefined) return { ...simplify(schema, name), ...about }
  return { $ref: `#/components/schemas/${writeAnswer(name)}`, ...about }
}

/** A part that is an object becomes a type of its own; parts of one name are one type. */
function partOf(schema: Schema, path: string): Schema {
  const read = simplify(schema, path)
  if (read.properties === undefined) return read
  const last = path.split('.').slice(-2)
  const name = PARTS[last.join('.')] ?? PARTS[last.at(-1) ?? '']
  if (name === undefined) throw new Error(`Name the part ${path} in tools/client-types.ts.`)
  const before = written.get(name)
  const required = read.required?.filter((one) => before?.required?.includes(one) ?? true) ?? []
  written.set(name, {
    type: 'object',
    properties: { ...before?.properties, ...read.properties },
    required,
  })
  return {
    $ref: `#/components/schemas/${name}`,
    ...(schema.description !== undefined && { description: schema.description }),
  }
}

for (const name of Object.keys(ANSWERS)) writeAnswer(name)
const target = written.get('ScreenTarget')
if (target?.properties === undefined) throw new Error('The API has no ScreenTarget.')
// Requests take one more field than answers have.
target.properties['reference'] = {
  type: 'string',
  description:
    'With `structure=True`: the `id` of the ligand to place on; None for the suggested one.',
}

/** Beside `answers.py`, in `reading.py`. */
const MIXINS = { Prediction: 'pkdex.reading.InNanomolar', Screen: 'pkdex.reading.Progress' }
const HEADER =
  '"""Answers of the server, written by `npm run client-types` from its OpenAPI document."""'

function runPython(module: string, words: string[]): void {
  const { status } = spawnSync(process.env['PYTHON'] ?? trainingPython, ['-m', module, ...words], {
    stdio: 'inherit',
  })
  if (status !== 0) throw new Error(`${module} failed.`)
}

const client = fileURLToPath(new URL('../clients/python/', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'pkdex-types-'))
try {
  const input = join(folder, 'openapi.json')
  const output = process.argv[2] ?? join(client, 'src/pkdex/answers.py')
  const document = {
    openapi: '3.1.0',
    info: { title: 'pKdex', version: '1' },
    paths: {},
    components: {
      schemas: Object.fromEntries(
        [...written].map(([name, schema]) => [name, { ...schema, description: ABOUT[name] }]),
      ),
    },
  }
  writeFileSync(input, JSON.stringify(document))
  const options = {
    input,
    output,
    'input-file-type': 'openapi',
    'output-model-type': 'dataclasses.dataclass',
    'target-python-version': '3.11',
    'base-class-map': JSON.stringify(MIXINS),
    'additional-imports': 'typing.Literal',
    'custom-file-header': HEADER,
    formatters: 'ruff-format',
  }
  const flags = [
    '--frozen-dataclasses',
    '--use-field-description',
    '--use-schema-description',
    '--use-single-line-docstring',
    '--disable-timestamp',
    '--reuse-model',
  ]
  const given = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value])
  runPython('datamodel_code_generator', [...given, ...flags])
  const sorts = schemas['ScreenSort']?.enum ?? []
  appendFileSync(
    output,
    `\n\nSort = Literal[${sorts.map((name) => `"${String(name)}"`).join(', ')}]\n`,
  )
  const config = ['--quiet', '--config', join(client, 'pyproject.toml')]
  runPython('ruff', ['check', '--fix', ...config, output])
  runPython('ruff', ['format', ...config, output])
} finally {
  rmSync(folder, { recursive: true, force: true })
}
