import { type RawBuilder, sql } from 'kysely'

/**
 * A pattern for LIKE over lower-case text that finds exactly what was typed, percent signs and all. The
 * database makes it lower case, as it did the text: it knows other rules than JavaScript.
 */
export function containsPattern(text: string): RawBuilder<string> {
  return sql<string>`lower(${`%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`})`
}
