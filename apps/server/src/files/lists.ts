/** The lists of a user's targets and compounds, oldest first, as the contract words them. */
import type { Compound, Target } from '@pkdex/contract'
import type { Database } from '#server/db/schema.ts'
import { pageOfCompounds, pageOfTargets } from './store.ts'

/** Long lists come in pages, so that the one embedded connection serves others in between. */
const PAGE_ROWS = 1000

/** All, or those of the given names. */
export async function listTargets(
  db: Database,
  userId: string,
  names?: string[],
): Promise<Target[]> {
  const rows = await allPages((page) => pageOfTargets(db, { userId, ...page, ...only(names) }))
  return rows.map(({ name, filename, file_id, size_bytes, chain, report }) => ({
    name,
    filename,
    file_id,
    size_bytes,
    chain,
    residues:
      report.chains.find(({ id, kind }) => id === chain && kind === 'protein')?.residues ?? 0,
    report,
  }))
}

export async function listCompounds(
  db: Database,
  userId: string,
  names?: string[],
): Promise<Compound[]> {
  const rows = await allPages((page) => pageOfCompounds(db, { userId, ...page, ...only(names) }))
  return rows.map(({ name, filename, file_id, smiles, report }) => {
    return { name, filename, file_id, smiles, report }
  })
}

function only(names: string[] | undefined): { names?: string[] } {
  return names === undefined ? {} : { names }
}

async function allPages<Row extends { seq: number }>(
  readPage: (page: { afterSeq: number; limit: number }) => Promise<Row[]>,
): Promise<Row[]> {
  const rows: Row[] = []
  for (;;) {
    const page = await readPage({ afterSeq: rows.at(-1)?.seq ?? 0, limit: PAGE_ROWS })
    rows.push(...page)
    if (page.length < PAGE_ROWS) return rows
  }
}
