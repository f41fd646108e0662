/**
 * How many tables of screens are read at the same time. Each is held whole while it is sorted, filtered or written:
 * some 20 MB for a large screen.
 */
import { inPlace, openPlaces } from '#server/platform/places.ts'

type Reading = { userId: string; gone: AbortSignal }

export type TableReaders = {
  /** For a response that is sent in one piece. */
  page<Answer>(reading: Reading, work: () => Promise<Answer>): Promise<Answer>
  /** For a stream, which lasts as long as its reader likes. */
  download<Answer>(reading: Reading, work: () => Promise<Answer>): Promise<Answer>
}

export const TABLES_MAX = { all: 8, perReader: 3 }
/** Of these, so that slow readers of downloads leave room for pages. */
const DOWNLOADS_MAX = { all: 5, perReader: 3 }
/** A page of results asks for its table and its heat map at the same time, and again with every key. */
const WAIT_MS_MAX = 10_000

export function openTableReaders(waitMsMax = WAIT_MS_MAX): TableReaders {
  const patience = {
    waitMsMax,
    ownTaken: `${TABLES_MAX.perReader} tables are already being read for you. Try again when one is complete.`,
    allTaken: 'The server is reading many large tables. Try again in a few seconds.',
  }
  const tables = openPlaces({ ...TABLES_MAX, ...patience })
  const downloads = openPlaces({ ...DOWNLOADS_MAX, ...patience })

  const page: TableReaders['page'] = async ({ userId, gone }, work) =>
    inPlace(await tables.take(userId, gone), work)
  return {
    page,
    download: async (reading, work) =>
      inPlace(await downloads.take(reading.userId, reading.gone), () => page(reading, work)),
  }
}
