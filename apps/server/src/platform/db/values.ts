/** Query values from user input: ids and search patterns. */
import { type RawBuilder, sql } from 'kysely'

/**
 * A LIKE pattern over lower-case text that matches exactly what was typed, percent signs included. The database
 * lower-cases it, as it did the text, because its rules differ from JavaScript's.
 */
export function containsPattern(text: string): RawBuilder<string> {
  return sql<string>`lower(${`%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`})`
}

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/** The database rejects a query that compares an id with anything else. */
export function isUuid(text: string): boolean {
  return uuid.test(text)
}
