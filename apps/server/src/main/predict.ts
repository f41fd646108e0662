/** npm run predict: predicts the compounds of a file on structures, without a server. `--help` lists its options. */
import { createHash } from 'node:crypto'
import { createWriteStream, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import { fileHeading } from '@pkdex/contract'
import {
  type CompoundTable,
  openOfflinePredictor,
  openResumableFile,
  type PredictedRow,
  predictedColumns,
  readAlertFile,
  readCompounds,
  readProfileOption,
  type ResumableFile,
  scoreColumns,
} from '#server/command-line/service.ts'
import { encodeRows } from '#server/platform/db/encode-rows.ts'
import { readConfig } from './settings.ts'
import { OperatorError } from '#server/platform/errors.ts'

const help = `Usage: npm run -s predict -- --target FILE --compounds FILE [options]

  --target FILE         structure, PDB or mmCIF, plain or .gz; repeat for several
  --compounds FILE      table (.csv, .tsv, .xlsx) with a SMILES column, SD file, or lines of "SMILES name";
                        all but .xlsx may be .gz; - for standard input
  --sheet NAME          sheet of a workbook (.xlsx) that has several
  --out FILE            output file; - or omitted: standard output. An interrupted command continues when it is given
                        again; until then its rows are in FILE.pkdex-partial
  --chain ID            chain to use in every structure (default: the longest protein chain)
  --smiles-column NAME  name of the SMILES column, if it is not SMILES
  --name-column NAME    name of the name column, if it is not name, compound or id
  --alerts FILE         your own structural alerts, beside PAINS and Brenk: lines of "SMARTS name"
  --profile TEXT        adds the probability of meeting a profile, such as "pkd:7..;mass:..500~50": names of columns
                        of the API, each with a range and, after ~, a tolerance
  --json                write one JSON object per line instead of CSV
  --quiet               do not show progress

Predictions are pKd. Exit codes: 0 all rows predicted; 3 some rows have no prediction (see the last column);
2 invalid command or file; 1 other failure.`

const { values } = readArguments()

function readArguments() {
  try {
    return parseArgs({
      options: {
        target: { type: 'string', multiple: true },
        compounds: { type: 'string' },
        out: { type: 'string', default: '-' },
        chain: { type: 'string' },
        sheet: { type: 'string' },
        alerts: { type: 'string' },
        profile: { type: 'string' },
        'smiles-column': { type: 'string' },
        'name-column': { type: 'string' },
        json: { type: 'boolean', default: false },
        quiet: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    })
  } catch (error) {
    return endWith(2, `${String(error instanceof Error ? error.message : error)}\n\n${help}`)
  }
}

function endWith(code: number, message: string): never {
  console.error(message)
  process.exit(code)
}

if (values.help) {
  console.info(help)
  process.exit(0)
}
const { target: structures = [], compounds: compoundFile } = values
if (structures.length === 0 || compoundFile === undefined) {
  endWith(2, `--target and --compounds are required.\n\n${help}`)
}
try {
  const missing = await predictFiles(structures, compoundFile)
  const sentence = `${missing.toLocaleString('en')} ${missing === 1 ? 'row' : 'rows'} without a prediction.`
  if (missing > 0 && !values.quiet) console.error(sentence)
  process.exit(missing > 0 ? 3 : 0)
} catch (error) {
  if (isBrokenPipe(error)) process.exit(0)
  if (error instanceof OperatorError) endWith(2, error.message)
  if (isSystemError(error)) endWith(error.code === 'ENOSPC' ? 1 : 2, describeSystemError(error))
  throw error
}

/** Returns the number of rows without a prediction. */
async function predictFiles(paths: string[], compoundPath: string): Promise<number> {
  const { alerts: alertPath } = values
  const alerts =
    alertPath === undefined ? [] : readAlertFile(await readFile(alertPath), basename(alertPath))
  const profile = values.profile === undefined ? null : readProfileOption(values.profile)
  const filename = compoundPath === '-' ? 'Standard input' : basename(compoundPath)
  const choice = { smiles: values['smiles-column'], name: values['name-column'] }
  const bytes = await readInput(compoundPath)
  const table = readCompounds(bytes, { filename, choice, sheet: values.sheet })
  if (table.rows.length === 0) throw new OperatorError('The input contains no compounds.')
  const targets = await Promise.all(
    paths.map(async (path) => ({ name: stemOf(path), bytes: await readFile(path) })),
  )
  const scores = profile === null ? [] : scoreColumns
  const written = [...predictedColumns, ...scores, 'model_version']
  const taken = new Set([...written, ...written.map(fileHeading)].map((one) => one.toLowerCase()))
  const own = new Map(
    table.columns
      .filter((column) => !isRepeated(table, column))
      .map((column) => [column, freeColumn(column, taken)]),
  )
  const predictor = await openOfflinePredictor(readConfig().modelDir)
  const { modelVersion: model_version } = predictor
  const { json, chain, sheet } = values
  const options = [model_version, filename, json, chain, choice, sheet, written, profile, alerts]
  const contents = targets.flatMap(({ name, bytes: content }) => [name, content])
  const file = await openOutput([JSON.stringify(options), bytes, ...contents])
  const from = file?.done.compounds ?? 0
  const total = table.rows.length * targets.length
  const count = { missing: file?.done.missing ?? 0, done: from * targets.length, total }
  async function* pages() {
    for await (const rows of predictor.predict({
      targets,
      chain,
      compounds: table.rows,
      alerts,
      profile,
      from,
    })) {
      count.missing += rows.filter(({ reason }) => reason !== null).length
      count.done += rows.length
      showProgress(count)
      yield rows.map((row: PredictedRow) => ({
        ...renameOwn(table.rows[row.row - 1]?.own, own),
        ...row,
        // A list becomes one cell of a table.
        ...(json ? {} : { alerts: row.alerts?.join('; ') }),
        model_version,
      }))
    }
  }
  const isOwn = new Set(own.values())
  const headingOf = (column: string) => (isOwn.has(column) ? column : fileHeading(column))
  const output = { columns: [...isOwn, ...written], headingOf, pages: pages() }
  const chunks = encodeRows(json ? 'ndjson' : 'csv', output)
  // The heading is written already.
  if (from > 0 && !json) await chunks.next()
  const { length } = targets
  const doneNow = () => ({ compounds: count.done / length, missing: count.missing })
  await (file?.write(chunks, doneNow) ?? pipeline(Readable.from(chunks), outputStream()))
  await predictor.close()
  return count.missing
}

/** Whether the output has the same column under this name: the molecules or the names. */
function isRepeated({ rows }: CompoundTable, column: string): boolean {
  const written = { smiles: 'smiles', compound: 'name' } as const
  const field = Object.entries(written).find(([name]) => name === column.toLowerCase())?.[1]
  return field !== undefined && rows.every((row) => row.own[column] === row[field])
}

/** A column of the input that has the name of one that is written is renamed, as in downloads of the server. */
function freeColumn(column: string, taken: Set<string>): string {
  let free = column
  while (taken.has(free.toLowerCase())) free = `${free} (input)`
  taken.add(free.toLowerCase())
  return free
}

function renameOwn(cells: Record<string, string> = {}, own: Map<string, string>) {
  return Object.fromEntries(
    Object.entries(cells).flatMap(([column, cell]) => {
      const name = own.get(column)
      return name === undefined ? [] : [[name, cell]]
    }),
  )
}

function readInput(path: string): Promise<Uint8Array> {
  return path === '-' ? buffer(process.stdin) : readFile(path)
}

/** Null for a pipe or a device. `input`: everything that the rows depend on. */
async function openOutput(input: (string | Uint8Array)[]): Promise<ResumableFile | null> {
  if (values.out === '-' || isDevice(values.out)) return null
  const hash = createHash('sha256')
  for (const one of input) hash.update(`${one.length} `).update(one)
  const file = await openResumableFile(values.out, hash.digest('hex'))
  const stop = (code: number) =>
    endWith(code, file.interrupt() ? '\nStopped. The same command continues here.' : '\nStopped.')
  process.once('SIGINT', () => stop(130))
  process.once('SIGTERM', () => stop(143))
  const { compounds } = file.done
  if (values.quiet) return file
  if (compounds > 0) console.error(`Continuing after ${compounds.toLocaleString('en')} compounds.`)
  if (file.isAnew) console.error('Beginning anew: the command or its input has changed.')
  return file
}

function isDevice(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === false
}

function outputStream(): NodeJS.WritableStream {
  return values.out === '-' ? process.stdout : createWriteStream(values.out)
}

function stemOf(path: string): string {
  return basename(path).replace(/(\.(pdb|ent|cif|mmcif))?(\.gz)?$/i, '')
}

/** Updates one line of a terminal; a log gets only the final count. */
function showProgress({ done, total }: { done: number; total: number }): void {
  if (values.quiet) return
  const text = `${done.toLocaleString('en')} of ${total.toLocaleString('en')} pairs`
  if (process.stderr.isTTY) process.stderr.write(`\r${text}${done === total ? '\n' : ''}`)
  else if (done === total) console.error(text)
}

/** The program that reads the output has closed it, as in `| head`. */
function isBrokenPipe(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EPIPE'
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error && 'code' in error
}

function describeSystemError({ code, path, message }: NodeJS.ErrnoException): string {
  if (code === 'ENOENT') return `There is no file or folder "${path}".`
  if (code === 'EISDIR') return `"${path ?? 'The input'}" is a folder, not a file.`
  if (code === 'EACCES') return `"${path}" may not be read or written by this user.`
  if (code === 'ENOSPC') return 'The disk is full; the rows could not be written.'
  return message
}
