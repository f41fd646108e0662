/**
 * Files in which users of such programs got stuck (`samples/reports`), and what each is read as. The table in its README
 * gives the right outcome, which every door that reads such a file must have.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import { readStructure } from '@pkdex/biochem'
import { enumerateSeries } from '@pkdex/contract'
import { chooseValueColumns, readTable, readTextTable, readValueText } from '@pkdex/intake'
import { describe, expect, test } from 'vitest'
// oxlint-disable-next-line no-restricted-imports -- a door of the server
import { readTarget } from '../apps/server/src/files/parsing/parsing-tasks.ts'
// oxlint-disable-next-line no-restricted-imports -- what the server writes
import { encodeRows } from '../apps/server/src/platform/db/encode-rows.ts'
import { kindOf, toValueLines } from '../apps/web/src/features/measurements/value-columns.ts'
import { decompose } from '../packages/biochem/src/series/decompose.ts'
import { findCores } from '../packages/biochem/src/series/find-cores.ts'
import {
  type Fixture,
  onCommandLine,
  openOnPage,
  rdkit,
  splitOnServer,
  standard,
  textOfPage,
} from './doors.ts'

const folder = new URL('../samples/reports/', import.meta.url)

type Report = { file: string; as: string; right: string[] }

/** The rows of the table: entry, file, read as, right outcome, kind of fault. */
const reports: Report[] = readFileSync(new URL('README.md', folder), 'utf8')
  .split('\n')
  .filter((line) => /^\| \d/.test(line))
  .map((line) => {
    const [, , file = '', as = '', right = ''] = line.split(/(?<!\\)\|/).map((cell) => cell.trim())
    const lines = right
      .split('<br>')
      .map((one) => one.replaceAll('\\|', '|').replace(/^`(.*)`$/s, '$1'))
    return { file: file.replaceAll('`', ''), as, right: lines }
  })

const rightOf = (as: string): [string, string[]][] =>
  reports.filter((report) => report.as === as).map(({ file, right }) => [file, right])

function open(name: string): Fixture {
  return { name, bytes: Uint8Array.from(readFileSync(new URL(name, folder))) }
}

/** Lines, or the refusal of the whole file. */
async function attempt(read: () => string[] | Promise<string[]>): Promise<string[]> {
  try {
    return await read()
  } catch (error) {
    // The command line names the file, and the option for its column.
    const reason = (error as Error).message.replace(
      /^(\S+ cannot be read|Name .* with --smiles-column\.):? /,
      '',
    )
    return [`refused: ${reason}`]
  }
}

test('every file is in the table, and every row has a file', () => {
  const files = readdirSync(folder).filter((name) => name !== 'README.md')
  expect(reports.map(({ file }) => file).toSorted()).toEqual(files.toSorted())
})

describe('values, on the page and as text in the API', () => {
  const told = ({ lines, rejected }: ReturnType<typeof readValueText>) => [
    ...lines.map(({ name, measured: { value, pk } }) => `${name}: ${value}, pK ${pk.toFixed(2)}`),
    ...rejected.map(({ reason }) => `refused: ${reason}`),
  ]

  async function onPage(fixture: Fixture): Promise<string[]> {
    const { table } = await openOnPage(fixture)
    if (table === null) throw new Error('no table')
    const { columns, rivals, doubt } = chooseValueColumns(table)
    const isClear = rivals.length === 0 && doubt === null
    if (columns.value === null || !isClear) return ['asked: which column']
    const kind = kindOf(table.heading[columns.value] ?? '', { type: 'Kd', unit: 'nM' })
    const { comma, isLikePk, ...read } = toValueLines(table, { columns, kind, comma: null })
    if (comma === 'asked') return ['asked: which comma']
    return isLikePk ? ['asked: which unit'] : told({ ...read, hasHeader: true })
  }

  const sent = ({ bytes }: Fixture) =>
    told(readValueText(readTable(bytes).text, { type: 'Kd', unit: undefined }))
  const isAsked = ([, [first = '']]: [string, string[]]) => first.startsWith('asked')
  const files = rightOf('values')

  test.each(files.filter((file) => !isAsked(file)))('%s', async (file, right) => {
    expect(await onPage(open(file))).toEqual(right)
    expect(sent(open(file))).toEqual(right)
  })

  test.each(files.filter(isAsked))('%s: a question, and refused as text', async (file, right) => {
    expect(await onPage(open(file))).toEqual(right)
    const lines = sent(open(file))
    expect(lines.length).toBeGreaterThan(0)
    expect(lines.filter((line) => !line.startsWith('refused'))).toEqual([])
  })
})

describe('compounds, on the page, in the API and on the command line', () => {
  const line = (
    [name, smiles, reason]: [string, string | null, string | null],
    own: readonly (readonly [string, string])[],
  ) => {
    if (smiles === null) return `refused: ${reason}`
    const columns = own.map(([column, cell]) => `${column} ${cell}`).join(', ')
    return `${name} is ${smiles}${columns === '' ? '' : `, with ${columns}`}`
  }
  const sorted = (lines: string[]) =>
    lines.toSorted((a, b) => Number(a.startsWith('refused')) - Number(b.startsWith('refused')))

  function onServer(bytes: Uint8Array): string[] {
    const { molecules, rejected } = splitOnServer(bytes)
    const read = molecules.map((molecule) => line(standard(molecule), molecule.own ?? []))
    return sorted([...read, ...rejected.map(({ reason }) => `refused: ${reason}`)])
  }

  async function onPage(fixture: Fixture): Promise<string[]> {
    const { unread } = await openOnPage(fixture)
    const text = new TextEncoder().encode(await textOfPage(fixture))
    return sorted([
      ...onServer(text),
      ...unread.map((one) => `refused: ${one.replace(/^Record \d+: /, '')}`),
    ])
  }

  async function told(fixture: Fixture): Promise<string[]> {
    const { table, columns } = await openOnPage(fixture)
    const kept = columns.kept.map((at) => table?.heading[at] ?? '')
    return sorted(
      onCommandLine(fixture).rows.map(({ reason, own, ...molecule }) =>
        reason === undefined
          ? line(
              standard(molecule),
              kept
                .map((name) => [name, own[name] ?? ''] as const)
                .filter(([, cell]) => cell !== ''),
            )
          : `refused: ${reason}`,
      ),
    )
  }

  test.each(rightOf('compounds'))('%s', async (file, right) => {
    const fixture = open(file)
    expect(await attempt(() => onPage(fixture))).toEqual(right)
    expect(await attempt(() => onServer(fixture.bytes))).toEqual(right)
    expect(await attempt(() => told(fixture))).toEqual(right)
  })
})

describe('targets, at every door', () => {
  const unpacked = ({ name, bytes }: Fixture) =>
    new TextDecoder().decode(name.endsWith('.gz') ? gunzipSync(bytes) : bytes)

  function outcome(fixture: Fixture): string[] {
    const read = readTarget({ input: fixture.bytes, steps: new Int32Array(1) })
    if (!read.ok) return [`refused: ${read.reason}`]
    const structure = readStructure(unpacked(fixture))
    if (!structure.ok) throw new Error(structure.reason)
    const {
      chain: used,
      report: { chains, pocket },
    } = read.value
    const listed = chains.map(
      ({ id, kind, residues }) =>
        `${kind} ${id}, ${residues} residues${id === used ? ', predicted' : ''}`,
    )
    const ligands = structure.value.ligands.map(
      ({ name, atoms }) => `ligand ${name}, ${atoms.length} heavy atoms`,
    )
    const site = pocket === undefined ? [] : [`pocket of ${pocket.ligand} in chain ${pocket.chain}`]
    return [...listed, ...ligands, ...site]
  }

  test.each(rightOf('target'))('%s', (file, right) => {
    expect(outcome(open(file))).toEqual(right)
  })
})

describe('series', () => {
  test.each(rightOf('series'))('%s', (file, right) => {
    const smiles = splitOnServer(open(file).bytes).molecules.map(
      (molecule) => standard(molecule)[1] ?? '',
    )
    const [core] = findCores(rdkit, smiles)
    const rows = decompose(rdkit, { core: core?.smiles ?? '', smiles })?.rows ?? []
    const labels = [...new Set(rows.flatMap(({ groups }) => Object.keys(groups)))]
    const columns = labels.map((label) =>
      rows.map(({ groups }) => (groups[label] ?? '').replaceAll(/\[\*:\d\]/g, '*')).join(', '),
    )
    expect([`core ${core?.smiles}`, ...columns.toSorted()]).toEqual(right)
  })

  test.each(rightOf('change of a linker'))('%s', (file, right) => {
    const compounds = splitOnServer(open(file).bytes).molecules.map(({ smiles }) => smiles)
    const change = { from: '*CC*', to: '*C(C)C*' }
    const read = enumerateSeries.body.safeParse({ compounds, by: 'changes', change })
    const reasons = new Set(read.error?.issues.map(({ message }) => `refused: ${message}`))
    expect([...reasons]).toEqual(right)
  })
})

test.each(rightOf('written again'))(
  'the cells of %s are written as CSV and read back',
  async (file, right) => {
    const { heading, rows } = readTable(open(file).bytes)
    async function* pages() {
      yield rows.map((row) => Object.fromEntries(row.map((cell, at) => [heading[at], cell])))
    }
    const csv = await text(Readable.from(encodeRows('csv', { columns: heading, pages: pages() })))
    expect(csv.trimEnd().split('\r\n')).toEqual(right)
    expect(readTextTable(csv)).toMatchObject({ heading, rows })
  },
)
