/** The name that a screen begins with: the files of its compounds, and its targets. */
import { NAME_CHARACTERS_MAX } from '@pkdex/contract'
import { sql } from 'kysely'
import type { Database } from '#server/platform/db/schema.ts'
import type { Plan } from './plan.ts'

/** Named one by one; more of them are counted. */
const NAMED_MAX = 2
const WORD_CHARACTERS_MAX = 40

/** `jak_eln × JAK1, JAK2`; null if none of its compounds is in the library. */
export async function suggestName(
  db: Database,
  userId: string,
  { targets, rows }: Pick<Plan, 'targets' | 'rows'>,
): Promise<string | null> {
  const names = rows.map(({ name }) => name)
  const { rows: files } = await sql<{ filename: string }>`
    select filename from files join compounds on compounds.file_id = files.id
    where compounds.user_id = ${userId} and name = any(${names}::text[])
    group by files.id, filename order by min(seq)`.execute(db)
  const stems = files.map(({ filename }) => filename.replace(/\.[^.]*$/, ''))
  if (stems.length === 0) return null
  const left = listNames(stems, 'files')
  const right = listNames(
    targets.map(({ name }) => name),
    'targets',
  )
  return `${left} × ${right}`.slice(0, NAME_CHARACTERS_MAX)
}

function listNames(names: string[], noun: string): string {
  const distinct = [...new Set(names)]
  if (distinct.length > NAMED_MAX) return `${distinct.length.toLocaleString('en')} ${noun}`
  return distinct.map(shorten).join(', ')
}

function shorten(name: string): string {
  const characters = Array.from(name)
  if (characters.length <= WORD_CHARACTERS_MAX) return name
  return `${characters.slice(0, WORD_CHARACTERS_MAX - 1).join('')}…`
}
