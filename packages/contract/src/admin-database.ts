/** Administrators view and export the database, and read the audit log. */
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
  summary: 'Returns counts of users, active API keys, credits and rows; sizes in bytes.',
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
  summary: 'Lists exportable collections with their sizes.',
  answer: z.object({ collections: z.record(z.string(), Collection) }),
})

export const ExportFormat = z.enum(['json', 'ndjson', 'csv'])
export type ExportFormat = z.infer<typeof ExportFormat>

/** Returns a stream, described here only for the documentation. */
export const exportCollection = endpoint({
  method: 'GET',
  path: '/admin/database/export/:collection',
  auth: 'admin',
  summary: 'Exports one collection from a single snapshot, as JSON, NDJSON or CSV.',
  query: z.object({ format: ExportFormat.default('json') }),
  answer: z.unknown(),
  mediaTypes: ['application/json', 'application/x-ndjson', 'text/csv'],
})

export const exportPredictions = endpoint({
  method: 'GET',
  path: '/admin/database/predictions',
  auth: 'admin',
  summary:
    'Exports all predictions as one table with user, target and compound names: single predictions first, then screens.',
  query: z.object({ format: ExportFormat.default('csv') }),
  answer: z.unknown(),
  mediaTypes: ['text/csv', 'application/json', 'application/x-ndjson'],
})

export const exportAll = endpoint({
  method: 'GET',
  path: '/admin/database/export-all',
  auth: 'admin',
  summary:
    'Exports the whole database from a single snapshot: a zip with one JSON file per collection.',
  answer: z.unknown(),
  mediaTypes: ['application/zip'],
})

export const AuditEntry = z.object({
  id: z.string(),
  at: z.string(),
  administrator: z.string(),
  action: z.string(),
  subject: z.string(),
  /** Email of the user that the entry is about; null if it is about something else. */
  person: z.string().nullable(),
  before: z.unknown(),
  after: z.unknown(),
})
export type AuditEntry = z.infer<typeof AuditEntry>

export const listAudit = endpoint({
  method: 'GET',
  path: '/admin/audit',
  auth: 'admin',
  summary:
    'Lists the audit log, newest first; `search` also finds a user’s entries by email. An action on several users is one entry. Total in X-Total-Count.',
  answerHeaders: { [TOTAL_COUNT_HEADER]: 'Total number of matching entries.' },
  query: LogPage.extend({
    search: SearchText,
    /** Email of an administrator, or `server` or `user`. */
    administrator: SearchText,
    action: SearchText,
    /** First and last day, in UTC. */
    from: z.iso.date().optional(),
    to: z.iso.date().optional(),
  }),
  answer: z.object({
    entries: z.array(AuditEntry),
    /** All users and actions in the log. */
    administrators: z.array(z.string()),
    actions: z.array(z.string()),
  }),
})
