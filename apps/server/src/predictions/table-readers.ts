/**
 * Limits how many tables of screens are in memory at the same time. A table is sorted, filtered or written as a whole:
 * some 20 MB for a large screen.
 */
import { busy, openPlaces } from '#server/platform/limits/places.ts'

type Reading = { userId: string; gone: AbortSignal }

export type TableReaders = {
  /** For a response that is sent in one piece. */
  page<Answer>(reading: Reading, work: () => Promise<Answer>): Promise<Answer>
  /** For a stream, which lasts as long as its client needs to read it. */
  download<Answer>(reading: Reading, work: () => Promise<Answer>): Promise<Answer>
}

export const TABLES_MAX = { all: 8, perUser: 3 }
/** The share of downloads, so that slow clients leave room for pages. */
const DOWNLOADS_MAX = { all: 5, perUser: 3 }
/** A page of results requests its table and its heat map at the same time, and again with every keystroke. */
const WAIT_MS_MAX = 10_000

export function openTableReaders(waitMsMax = WAIT_MS_MAX): TableReaders {
  const patience = {
    waitMsMax,
    refusal: busy(
      `${TABLES_MAX.perUser} tables are already being read for you. Try again when one is complete.`,
      'The server is reading many large tables. Try again in a few seconds.',
    ),
  }
  const tables = openPlaces({ ...TABLES_MAX, ...patience })
  const downloads = openPlaces({ ...DOWNLOADS_MAX, ...patience })

  const page: TableReaders['page'] = ({ userId, gone }, work) => tables.use(userId, work, { gone })
  return {
    page,
    download: (reading, work) =>
      downloads.use(reading.userId, () => page(reading, work), { gone: reading.gone }),
  }
}
