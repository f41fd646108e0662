/** npm run predict: predicts the compounds of a file on structures, without a server. `--help` says how. */
import { createWriteStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { Readable, type Writable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import {
  openOfflinePredictor,
  type PredictedRow,
  predictedColumns,
  readCompoundTable,
  TableError,
  TargetError,
} from '#server/command-line/service.ts'
import { encodeRows } from '#server/platform/db/encode-rows.ts'
import { ConfigError, readConfig } from './settings.ts'

const help = `npm run predict -- --target a.pdb --compounds b.csv --out c.csv

  --target FILE         a structure: PDB or mmCIF, plain or .gz; several times for several
  --compounds FILE      a table (.csv, .tsv) with a column SMILES, or lines of "SMILES name"; - reads standard input
  --out FILE            where the rows go; without it, or as -, standard output
  --chain ID            the chain of every structure; otherwise its longest protein chain
  --smiles-column NAME  where the column is not called SMILES
  --name-column NAME    where the column is not called name, compound or id
  --json                an object a line instead of CSV
  --quiet               no progress on standard error

Numbers are pKd. Ends with 0 when every row has a number, 3 when some have none (their reason stands in the last
column), 2 when the command or a file cannot be used, 1 when something failed.`

const { values } = readArguments()

function readArguments() {
  try {
    return parseArgs({
      options: {
        target: { type: 'string', multiple: true },
        compounds: { type: 'string' },
        out: { type: 'string', default: '-' },
        chain: { type: 'string' },
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
  endWith(2, `Say which --target and which --compounds.\n\n${help}`)
}
try {
  const missing = await predictFiles(structures, compoundFile)
  const sentence = `${missing.toLocaleString('en')} rows have no number.`
  if (missing > 0 && !values.quiet) console.error(sentence)
  process.exit(missing > 0 ? 3 : 0)
} catch (error) {
  if (isBrokenPipe(error)) process.exit(0)
  const isExpected =
    error instanceof TableError || error instanceof TargetError || error instanceof ConfigError
  if (isExpected || isFileError(error)) endWith(2, error.message)
  throw error
}

/** Answers how many rows got no number. */
async function predictFiles(paths: string[], compoundPath: string): Promise<number> {
  const text = new TextDecoder().decode(await readInput(compoundPath))
  const choice = { smiles: values['smiles-column'], name: values['name-column'] }
  const table = readCompoundTable(text, { filename: basename(compoundPath), choice })
  if (table.rows.length === 0) throw new TableError('There are no compounds in the input.')
  const targets = await Promise.all(
    paths.map(async (path) => ({ name: stemOf(path), bytes: await readFile(path) })),
  )
  const own = table.columns.filter((column) => !predictedColumns.some((taken) => taken === column))
  const predictor = await openOfflinePredictor(readConfig().modelDir)
  const count = { missing: 0, done: 0, total: table.rows.length * targets.length }
  async function* pages() {
    for await (const rows of predictor.predict({
      targets,
      chain: values.chain,
      compounds: table.rows,
    })) {
      count.missing += rows.filter(({ reason }) => reason !== null).length
      count.done += rows.length
      showProgress(count)
      yield rows.map((row: PredictedRow) => ({ ...table.rows[row.row - 1]?.own, ...row }))
    }
  }
  const columns = [...own, ...predictedColumns]
  await pipeline(
    Readable.from(encodeRows(values.json ? 'ndjson' : 'csv', { columns, pages: pages() })),
    openOutput(),
  )
  await predictor.close()
  return count.missing
}

function readInput(path: string): Promise<Uint8Array> {
  return path === '-' ? buffer(process.stdin) : readFile(path)
}

function openOutput(): Writable {
  return values.out === '-' ? process.stdout : createWriteStream(values.out)
}

function stemOf(path: string): string {
  return basename(path).replace(/(\.(pdb|ent|cif|mmcif))?(\.gz)?$/i, '')
}

/** On one line of a terminal; a log gets the last word only. */
function showProgress({ done, total }: { done: number; total: number }): void {
  if (values.quiet) return
  const text = `${done.toLocaleString('en')} of ${total.toLocaleString('en')} pairs`
  if (process.stderr.isTTY) process.stderr.write(`\r${text}${done === total ? '\n' : ''}`)
  else if (done === total) console.error(text)
}

/** Whoever read the output has what it wanted: `| head`. */
function isBrokenPipe(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EPIPE'
}

function isFileError(error: unknown): error is Error {
  return error instanceof Error && 'syscall' in error && 'path' in error
}
