/** One page of a user's files, each with a one-line summary of what was read from it. */
import { FILE_NAMES_SHOWN, type KeptFile } from '@pkdex/contract'
import { sql } from 'kysely'
import type { Database } from '#server/platform/db/schema.ts'

type Page = { page: number; page_size: number }

export async function listFiles(
  db: Database,
  userId: string,
  page: Page,
): Promise<{ total: number; files: KeptFile[] }> {
  const { total } = await db
    .selectFrom('files')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  const rows = await readPage(db, userId, page)
  return { total, files: rows.map(toFile) }
}

type Structure = { name: string; chain: string; residues: number; chains: number; warnings: number }

type Row = {
  file_id: string
  filename: string
  file_type: KeptFile['file_type']
  size_bytes: number
  uploaded_at: Date
  structures: Structure[]
  target_count: number
  compound_count: number
  compounds: string[]
}

/** Only the files on the page are summarised. */
async function readPage(db: Database, userId: string, { page, page_size }: Page): Promise<Row[]> {
  const { rows } = await sql<Row>`
    with page as (
      select id, filename, file_type, size_bytes, uploaded_at from files
      where user_id = ${userId}
      order by uploaded_at desc, id
      limit ${page_size} offset ${(page - 1) * page_size}
    )
    select id as file_id, filename, file_type, size_bytes, uploaded_at,
      (select count(*) from targets where file_id = page.id) as target_count,
      (select count(*) from compounds where file_id = page.id) as compound_count,
      array(select jsonb_build_object('name', name, 'chain', chain, 'residues', residues,
          'chains', jsonb_array_length(report -> 'chains'),
          'warnings', jsonb_array_length(report -> 'warnings'))
        from targets where file_id = page.id order by seq limit ${FILE_NAMES_SHOWN}) as structures,
      array(select name from compounds
        where file_id = page.id order by seq limit ${FILE_NAMES_SHOWN}) as compounds
    from page order by uploaded_at desc, id`.execute(db)
  return rows
}

function toFile({ structures, compounds, uploaded_at, ...file }: Row): KeptFile {
  return {
    ...file,
    created_at: uploaded_at.toISOString(),
    names: [...structures.map(({ name }) => name), ...compounds],
    summary: summarise(structures[0], file.compound_count),
    warning_count: structures[0]?.warnings ?? 0,
  }
}

function summarise(structure: Structure | undefined, compounds: number): string {
  if (structure === undefined) return `${compounds} ${compounds === 1 ? 'compound' : 'compounds'}`
  const { chain, chains, residues } = structure
  const which = chains > 1 ? `Chain ${chain} of ${chains}` : `Chain ${chain}`
  return `${which}, ${residues} ${residues === 1 ? 'residue' : 'residues'}`
}
