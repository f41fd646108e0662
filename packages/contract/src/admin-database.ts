/** Administrators look at the database, export it, and read what administrators did. */
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { LogPage, SearchText, TOTAL_COUNT_HEADER } from './paging.ts'

const Count = z.number().int().min(0)

/** One table of the database. Sizes in bytes, without indexes. */
export const Collection = z.object({ count: Count, avgObjSize: z.number(), size: z.number() })
export type Collection = z.infer<typeof Collection>

export const readDatabaseStats = endpoint({
  method: 'GET',
  path: '/admin/database/stats',
  auth: 'admin',
  summary: 'Numbers of users, active API keys, credits and rows; sizes in bytes.',
  query: z.object({}),
  body: z.undefined(),
  answer: z.object({
    user_count: Count,
    active_api_key_count: Count,
    total_credits: z.number(),
    /** Rows by collection. */
    collection_stats: z.record(z.string(), Count),
    /** Mean size of a row over all collections. */
    avgObjSize: z.number(),
    /** Size of all collections together. */
    size: z.number(),
    collections: z.record(z.string(), Collection),
  }),
})

export const listCollections = endpoint({
  method: 'GET',
  path: '/admin/database/collections',
  auth: 'admin',
  summary: 'The collections that can be exported, with their sizes.',
  query: z.object({}),
  body: z.undefined(),
  answer: z.object({ collections: z.record(z.string(), Collection) }),
})

export const ExportFormat = z.enum(['json', 'ndjson', 'csv'])
export type ExportFormat = z.infer<typeof ExportFormat>

/** Answers a stream, described here only for the documentation. */
export const exportCollection = endpoint({
  method: 'GET',
  path: '/admin/database/export/:collection',
  auth: 'admin',
  summary: 'Streams one collection from one snapshot: a JSON array, NDJSON or CSV.',
  query: z.object({ format: ExportFormat.default('json') }),
  body: z.undefined(),
  answer: z.unknown(),
  mediaTypes: ['application/json', 'application/x-ndjson', 'text/csv'],
})

export const exportPredictions = endpoint({
  method: 'GET',
  path: '/admin/database/predictions',
  auth: 'admin',
  summary:
    'Streams every prediction as one flat table with the names of user, target and compound: single ones first, then the pairs of screens.',
  query: z.object({ format: ExportFormat.default('csv') }),
  body: z.undefined(),
  answer: z.unknown(),
  mediaTypes: ['text/csv', 'application/json', 'application/x-ndjson'],
})

export const exportAll = endpoint({
  method: 'GET',
  path: '/admin/database/export-all',
  auth: 'admin',
  summary: 'Streams a zip with one JSON file a collection, all from one snapshot.',
  query: z.object({}),
  body: z.undefined(),
  answer: z.unknown(),
  mediaTypes: ['application/zip'],
})

export const AuditEntry = z.object({
  id: z.string(),
  at: z.string(),
  administrator: z.string(),
  action: z.string(),
  subject: z.string(),
  before: z.unknown(),
  after: z.unknown(),
})
export type AuditEntry = z.infer<typeof AuditEntry>

export const listAudit = endpoint({
  method: 'GET',
  path: '/admin/audit',
  auth: 'admin',
  summary: 'What administrators did, newest first; the total in X-Total-Count.',
  answerHeaders: { [TOTAL_COUNT_HEADER]: 'How many entries match, on all pages.' },
  query: LogPage.extend({ search: SearchText }),
  body: z.undefined(),
  answer: z.object({ entries: z.array(AuditEntry) }),
})
