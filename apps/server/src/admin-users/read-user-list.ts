/** Reads a CSV of users: a header line, then one user per line, each with what is wrong with it. */
import { createUser, CreditsChange, SEVERAL_USERS_MAX } from '@pkdex/contract'
import { parse } from 'csv-parse/sync'
import { AppError } from '#server/platform/errors.ts'

export type ListedUser = {
  line: number
  email: string
  name: string
  /** Null if the line has no credits. */
  credits: number | null
  note: string
  /** Why the line is invalid; null if it is valid. */
  reason: string | null
}

const columnNames = ['email', 'name', 'credits', 'note'] as const
type Column = (typeof columnNames)[number]

/** Other names that spreadsheets use for the columns. */
const otherNames: Record<string, Column> = {
  'e-mail': 'email',
  mail: 'email',
  'e-mail address': 'email',
  'email address': 'email',
}

export function readUserList(text: string): ListedUser[] {
  const [header, ...records] = parseRecords(text)
  if (header === undefined) throw unusable('The list is empty.')
  const columns = findColumns(header.record)
  if (records.length === 0) throw unusable('The list has a header line but no users.')
  if (records.length > SEVERAL_USERS_MAX) {
    const [found, most] = [records.length, SEVERAL_USERS_MAX].map((n) => n.toLocaleString('en'))
    throw unusable(`The list has ${found} users; the maximum is ${most}.`)
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
    // With `info`, records include their line number, which is missing in the package's types.
    return parse(text, options) as unknown as Parsed[]
  } catch (error) {
    throw unusable(
      `The list cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
}

function unusable(reason: string): AppError {
  return new AppError('invalid_request', reason)
}

function findColumns(header: string[]): Map<Column, number> {
  const found = new Map<Column, number>()
  for (const [place, cell] of header.entries()) {
    const name = cell.toLowerCase()
    const column =
      columnNames.find((one) => one === name) ??
      (Object.hasOwn(otherNames, name) ? otherNames[name] : undefined)
    if (column === undefined) throw unusable(`Unknown column “${cell}”; ${known}`)
    if (found.has(column)) throw unusable(`Column “${column}” appears twice.`)
    found.set(column, place)
  }
  if (!found.has('email')) throw unusable(`Column “email” is missing; ${known}`)
  return found
}

const known = `allowed columns: ${columnNames.join(', ')} (named in the first line).`

function readLine(record: string[], columns: Map<Column, number>, line: number): ListedUser {
  const cell = (column: Column) => record[columns.get(column) ?? -1] ?? ''
  const { shape } = createUser.body
  const [email, name, note] = [cell('email'), cell('name'), cell('note')]
  const credits = cell('credits') === '' ? null : readCredits(cell('credits'))
  const reasons = [
    record.length > columns.size && 'The line has more cells than columns.',
    email === '' && 'The email is missing.',
    !shape.email.safeParse(email).success && 'The email address is not valid.',
    !shape.name.safeParse(name).success && 'The name is too long or contains a control character.',
    !shape.name.safeParse(note).success && 'The note is too long or contains a control character.',
    Number.isNaN(credits) && `“${cell('credits')}” is not a valid number of credits.`,
  ]
  const reason = reasons.find((one) => one !== false) ?? null
  return { line, email, name, note, credits: Number.isNaN(credits) ? null : credits, reason }
}

/** Digits with a sign, as in `-2.5`; NaN for anything else, or for too large a number. */
function readCredits(text: string): number {
  const plain = text.replace(/^−/, '-')
  if (!/^[+-]?\d+(\.\d+)?$/.test(plain)) return Number.NaN
  const credits = Number(plain)
  return credits === 0 || CreditsChange.safeParse(credits).success ? credits : Number.NaN
}
