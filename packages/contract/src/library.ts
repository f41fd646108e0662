/** Files, targets and compounds of a user: listing, renaming, deleting. */
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { FileType, NAME_CHARACTERS_MAX } from './files.ts'
import { PageNumber, pageSize, TOTAL_COUNT_HEADER } from './paging.ts'
import { Moment } from './text.ts'

/** Number of names listed per file. */
export const FILE_NAMES_SHOWN = 5

export const KeptFile = z.object({
  file_id: z.string(),
  filename: z.string(),
  file_type: FileType,
  /** As uploaded. */
  size_bytes: z.number().int(),
  created_at: Moment,
  target_count: z.number().int(),
  compound_count: z.number().int(),
  /** Names of the first targets or compounds read from it that still exist. */
  names: z.array(z.string()),
  /** Its contents in one line: `Chain A of 2, 274 residues`, `10 compounds`. */
  summary: z.string(),
  /** Number of warnings in the report of a structure. */
  warning_count: z.number().int(),
})
export type KeptFile = z.infer<typeof KeptFile>

export const listFiles = endpoint({
  method: 'GET',
  path: '/file_manager/files',
  auth: 'user',
  summary: 'Lists your files, newest first, paged; total in X-Total-Count.',
  answerHeaders: { [TOTAL_COUNT_HEADER]: 'Total number of your files.' },
  query: z.object({ page: PageNumber.default(1), page_size: pageSize(50) }),
  answer: z.object({ files: z.array(KeptFile) }),
})

/** What was deleted, and the storage used now. */
export const Deletion = z.object({
  message: z.string(),
  files: z.number().int(),
  targets: z.number().int(),
  compounds: z.number().int(),
  /** Predictions in progress that were cancelled and refunded. */
  predictions_ended: z.number().int(),
  bytes_used: z.number().int(),
})
export type Deletion = z.infer<typeof Deletion>

/** Identifies a file, target or compound; the whole account if none is given. */
const DeletedThing = z.object({
  file_id: z.string().max(100).optional(),
  target: z.string().max(1000).optional(),
  compound: z.string().max(1000).optional(),
})

/** What a deletion would delete, end and keep. */
export const DeletionPreview = z.object({
  files: z.number().int(),
  targets: z.number().int(),
  compounds: z.number().int(),
  /** Finished predictions. They stay in the history without the name, unless the account is deleted. */
  predictions: z.number().int(),
  /** Predictions in progress, which will be cancelled and refunded. */
  predictions_under_way: z.number().int(),
  /** Measured values. They are kept, unless the account is deleted. */
  measured_values: z.number().int(),
  /** Only with the account. */
  screens: z.number().int(),
})
export type DeletionPreview = z.infer<typeof DeletionPreview>

export const previewDeletion = endpoint({
  method: 'GET',
  path: '/file_manager/deletion',
  auth: 'user',
  summary:
    'Counts what the deletion of one file, target or compound would affect; without a parameter, of your account.',
  errors: ['not_found'],
  query: DeletedThing,
  answer: DeletionPreview,
})

export const deleteFile = endpoint({
  method: 'DELETE',
  path: '/file_manager/files/:fileId',
  auth: 'user',
  summary: 'Deletes a file and all targets or compounds read from it.',
  answer: Deletion,
})

export const deleteTarget = endpoint({
  method: 'DELETE',
  path: '/file_manager/targets/:name',
  auth: 'user',
  summary: 'Deletes a target; also deletes its file if nothing else was read from it.',
  answer: Deletion,
})

export const deleteCompound = endpoint({
  method: 'DELETE',
  path: '/file_manager/compounds/:name',
  auth: 'user',
  summary: 'Deletes a compound; also deletes its file if nothing else was read from it.',
  answer: Deletion,
})

/** Names are checked like those that are read from a file. JSON Schema counts characters as the server does, zod counts UTF-16. */
const NewName = z.object({
  name: z
    .string()
    .max(5 * NAME_CHARACTERS_MAX)
    .meta({ minLength: 1, maxLength: NAME_CHARACTERS_MAX }),
})
const Renamed = z.object({ name: z.string() })

export const renameFile = endpoint({
  method: 'PATCH',
  path: '/file_manager/files/:fileId',
  auth: 'user',
  summary: 'Renames a file; the extension must stay the same.',
  body: z.object({ filename: z.string().max(1000) }),
  errors: ['conflict', 'wrong_file_type'],
  answer: z.object({ filename: z.string() }),
})

export const renameTarget = endpoint({
  method: 'PATCH',
  path: '/file_manager/targets/:name',
  auth: 'user',
  summary: 'Renames a target.',
  body: NewName,
  errors: ['conflict'],
  answer: Renamed,
})

export const renameCompound = endpoint({
  method: 'PATCH',
  path: '/file_manager/compounds/:name',
  auth: 'user',
  summary: 'Renames a compound.',
  body: NewName,
  errors: ['conflict'],
  answer: Renamed,
})
