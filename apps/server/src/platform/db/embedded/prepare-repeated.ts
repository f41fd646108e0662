/**
 * Prepares repeated statements. For a join, the embedded database needs 2 ms for planning and 0.4 ms for running; a
 * stored plan saves the former.
 *
 * A plan suits the table sizes at the time it was made. The embedded database never notices that tables have grown:
 * a plan made for empty tables would scan them row by row. So all plans are dropped once a table has grown by half.
 * A stored plan also expects a list of ten values: with the 10,000 compounds of a screen it compared each pair with each
 * compound, for minutes. Statements with long lists are planned every time.
 */
import type pg from 'pg'

/** A plan takes 15 kB; that of a join of three tables takes 75 kB. */
const STATEMENTS_MAX = 300
/** Longer statements are lists of rows, and each has another length. */
const TEXT_LENGTH_MAX = 3000
/** Uses before a statement is worth a plan. */
const USES_MIN = 2
const TEXTS_MAX = 2000
const LISTED_VALUES_MAX = 30
const GROWN_ROWS_MIN = 50

type Query = (config: unknown, values?: unknown, callback?: unknown) => Promise<pg.QueryResult>

/** `client`: the single connection of the embedded database. */
export function prepareRepeated(client: pg.PoolClient): void {
  const query = client.query.bind(client) as unknown as Query
  const names = openNames()
  const growth = openGrowth()

  async function askPrepared(text: string, values: unknown[]): Promise<pg.QueryResult> {
    if (growth.isLarge() && client.getTransactionStatus() !== 'E') {
      growth.reset()
      await query('discard plans')
    }
    const name = values.some(isLongList) ? undefined : names.of(text)
    const result = await query(name === undefined ? text : { name, text }, values)
    if (result.command === 'INSERT') growth.add(text, result.rowCount ?? 0)
    return result
  }

  const repeated: Query = async (config, values, callback) => {
    // Only a text with values is certain to be a single statement.
    const hasValues = Array.isArray(values) && values.length > 0 && callback === undefined
    if (typeof config === 'string' && hasValues) return askPrepared(config, values)
    if (changesTables(config)) {
      names.clear()
      await query('deallocate all')
    }
    return query(config, values, callback)
  }
  Object.assign(client, { query: repeated })
}

function isLongList(value: unknown): boolean {
  return Array.isArray(value) && value.length > LISTED_VALUES_MAX
}

/** Migrations change tables; after that, a prepared `select *` would always fail. */
function changesTables(text: unknown): boolean {
  return typeof text === 'string' && /\b(?:alter|drop)\s+(?:table|view)\b/i.test(text)
}

/** Names of statements that have been used before. */
function openNames() {
  const names = new Map<string, string>()
  const uses = new Map<string, number>()
  let last = 0
  return {
    clear: () => names.clear(),
    of(text: string): string | undefined {
      const known = names.get(text)
      if (known !== undefined) return known
      if (text.length > TEXT_LENGTH_MAX || names.size >= STATEMENTS_MAX) return undefined
      const used = (uses.get(text) ?? 0) + 1
      if (used < USES_MIN) {
        if (uses.size >= TEXTS_MAX) uses.clear()
        uses.set(text, used)
        return undefined
      }
      uses.delete(text)
      last += 1
      const name = `repeated-${last}`
      names.set(text, name)
      return name
    },
  }
}

/** Rows inserted per table, before plans were last dropped and since. */
function openGrowth() {
  const tables = new Map<string, { before: number; added: number }>()
  let hasGrown = false
  return {
    add(text: string, rows: number): void {
      const [, name = ''] = /^\s*insert\s+into\s+(\S+)/i.exec(text) ?? []
      const table = tables.get(name) ?? { before: 0, added: 0 }
      table.added += rows
      tables.set(name, table)
      hasGrown ||= table.added >= Math.max(GROWN_ROWS_MIN, table.before / 2)
    },
    isLarge: () => hasGrown,
    reset(): void {
      hasGrown = false
      for (const table of tables.values()) {
        table.before += table.added
        table.added = 0
      }
    },
  }
}
