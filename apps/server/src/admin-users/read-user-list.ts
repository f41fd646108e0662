/** Reads a table of users: a header line, then one user per line, each with what is wrong with it. */
import { createUser, CreditsChange, SEVERAL_USERS_MAX } from '@pkdex/contract'
import { expectLines, splitText, type TableRecord } from '@pkdex/intake'
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
  const [header, ...records] = readRecords(text)
  if (header === undefined) throw unusable('The list is empty.')
  const columns = findColumns(header.cells)
  if (records.length === 0) throw unusable('The list has a header line but no users.')
  if (records.length > SEVERAL_USERS_MAX) {
    const [found, most] = [records.length, SEVERAL_USERS_MAX].map((n) => n.toLocaleString('en'))
    throw unusable(`The list has ${found} users; the maximum is ${most}.`)
  }
  return records.map(({ cells, line }) => readLine(cells, columns, line))
}

/** From the header, which is the first record with an email column; titles may be above it. */
function readRecords(text: string): TableRecord[] {
  try {
    const isPiped = /^[^,;\t]*\|/.test(text)
    // Twice the maximum, because cells may have several lines.
    expectLines(text, 2 * SEVERAL_USERS_MAX)
    const filled = (splitText(text, isPiped ? '|' : ',')?.records ?? []).filter(({ cells }) =>
      cells.some((cell) => cell !== ''),
    )
    const header = filled.findIndex(({ cells }) => cells.some((cell) => columnOf(cell) === 'email'))
    return filled.slice(Math.max(0, header))
  } catch (error) {
    throw unusable(error instanceof Error ? error.message : String(error))
  }
}

function columnOf(cell: string): Column | undefined {
  const name = cell.toLowerCase()
  const other = Object.hasOwn(otherNames, name) ? otherNames[name] : undefined
  return columnNames.find((columnName) => columnName === name) ?? other
}

function unusable(reason: string): AppError {
  return new AppError('invalid_request', reason)
}

function findColumns(header: string[]): Map<Column, number> {
  const found = new Map<Column, number>()
  for (const [place, cell] of header.entries()) {
    const column = columnOf(cell)
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
    record.slice(columns.size).some((one) => one !== '') && 'The line has more cells than columns.',
    email === '' && 'The email is missing.',
    !shape.email.safeParse(email).success && 'The email address is not valid.',
    !shape.name.safeParse(name).success && 'The name is too long or contains a control character.',
    !shape.name.safeParse(note).success && 'The note is too long or contains a control character.',
    Number.isNaN(credits) && `“${cell('credits')}” is not a valid number of credits.`,
  ]
  const reason = reasons.find((reason) => reason !== false) ?? null
  return { line, email, name, note, credits: Number.isNaN(credits) ? null : credits, reason }
}

/** Digits with a sign, as in `-2.5`; NaN for anything else, or for too large a number. */
function readCredits(text: string): number {
  const plain = text.replace(/^−/, '-')
  if (!/^[+-]?\d+(\.\d+)?$/.test(plain)) return Number.NaN
  const credits = Number(plain)
  return credits === 0 || CreditsChange.safeParse(credits).success ? credits : Number.NaN
}
