/** Texts from outside as values of a query: ids and search patterns. */
import { type RawBuilder, sql } from 'kysely'

/**
 * A pattern for LIKE over lower-case text that finds exactly what was typed, percent signs and all. The
 * database makes it lower case, as it did the text: it knows other rules than JavaScript.
 */
export function containsPattern(text: string): RawBuilder<string> {
  return sql<string>`lower(${`%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`})`
}

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/** The database refuses a query that compares an id with anything else. */
export function isUuid(text: string): boolean {
  return uuid.test(text)
}
