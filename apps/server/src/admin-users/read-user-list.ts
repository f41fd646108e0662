/** Reads a CSV of users: a first line that names the columns, then a user a line, each with what is wrong with it. */
import { createUser, CreditsChange, SEVERAL_USERS_MAX } from '@pkdex/contract'
import { parse } from 'csv-parse/sync'
import { AppError } from '#server/platform/errors.ts'

export type ListedUser = {
  line: number
  email: string
  name: string
  /** Null where the line says nothing about credits. */
  credits: number | null
  note: string
  /** Why it cannot be used; null where it can. */
  reason: string | null
}

const columnNames = ['email', 'name', 'credits', 'note'] as const
type Column = (typeof columnNames)[number]

/** What spreadsheets call the same. */
const otherNames: Record<string, Column> = {
  'e-mail': 'email',
  mail: 'email',
  'e-mail address': 'email',
  'email address': 'email',
}

export function readUserList(text: string): ListedUser[] {
  const [header, ...records] = parseRecords(text)
  if (header === undefined) throw unusable('It is empty.')
  const columns = findColumns(header.record)
  if (records.length === 0) throw unusable('It names its columns, and no user.')
  if (records.length > SEVERAL_USERS_MAX) {
    const [found, most] = [records.length, SEVERAL_USERS_MAX].map((n) => n.toLocaleString('en'))
    throw unusable(`It has ${found} users; ${most} are taken in at a time.`)
  }
  return records.map(({ record, info }) => readLine(record, columns, info.lines))
}

type Parsed = { record: string[]; info: { lines: number } }

function parseRecords(text: string): Parsed[] {
  const first = text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/, 1)[0] ?? ''
  const delimiter = [';', '\t', ','].find((one) => first.includes(one)) ?? ','
  const options = {
    bom: true,
    delimiter,
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    skip_records_with_empty_values: true,
    trim: true,
  } as const
  try {
    // With `info` a record comes with where it stood; the types of the package leave that out.
    return parse(text, options) as unknown as Parsed[]
  } catch (error) {
    throw unusable(error instanceof Error ? error.message : String(error))
  }
}

function unusable(reason: string): AppError {
  return new AppError('invalid_request', `The list cannot be read. ${reason}`)
}

function findColumns(header: string[]): Map<Column, number> {
  const found = new Map<Column, number>()
  for (const [place, cell] of header.entries()) {
    const name = cell.toLowerCase()
    const column = columnNames.find((one) => one === name) ?? otherNames[name]
    if (column === undefined) throw unusable(`It has a column “${cell}”; ${known}`)
    if (found.has(column)) throw unusable(`It has two columns “${column}”.`)
    found.set(column, place)
  }
  if (!found.has('email')) throw unusable(`It has no column “email”; ${known}`)
  return found
}

const known = `the columns are ${columnNames.join(', ')}, named in the first line.`

function readLine(record: string[], columns: Map<Column, number>, line: number): ListedUser {
  const cell = (column: Column) => record[columns.get(column) ?? -1] ?? ''
  const { shape } = createUser.body
  const [email, name, note] = [cell('email'), cell('name'), cell('note')]
  const credits = cell('credits') === '' ? null : readCredits(cell('credits'))
  const reasons = [
    record.length > columns.size && 'The line has more cells than there are columns.',
    email === '' && 'There is no e-mail.',
    !shape.email.safeParse(email).success && 'This is not an e-mail address.',
    !shape.name.safeParse(name).success && 'The name is too long, or cannot be shown.',
    !shape.name.safeParse(note).success && 'The note is too long, or cannot be shown.',
    Number.isNaN(credits) && `“${cell('credits')}” is no number of credits.`,
  ]
  const reason = reasons.find((one) => one !== false) ?? null
  return { line, email, name, note, credits: Number.isNaN(credits) ? null : credits, reason }
}

/** Digits with a sign, as in `-2.5`; not a number where it is something else, or too much. */
function readCredits(text: string): number {
  const plain = text.replace(/^−/, '-')
  if (!/^[+-]?\d+(\.\d+)?$/.test(plain)) return Number.NaN
  const credits = Number(plain)
  return credits === 0 || CreditsChange.safeParse(credits).success ? credits : Number.NaN
}
