/** What a user keeps: files, targets and compounds seen, renamed and deleted. */
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { FileType } from './files.ts'
import { PageNumber, pageSize, TOTAL_COUNT_HEADER } from './paging.ts'

/** Of what was read from a file, a list of files names this much. */
export const FILE_NAMES_SHOWN = 5

export const KeptFile = z.object({
  file_id: z.string(),
  filename: z.string(),
  file_type: FileType,
  /** As it was uploaded. */
  size_bytes: z.number().int(),
  created_at: z.string(),
  target_count: z.number().int(),
  compound_count: z.number().int(),
  /** Names of the first targets or compounds that were read from it and are still there. */
  names: z.array(z.string()),
  /** What was read, in one line: `Chain A of 2, 274 residues`, `10 compounds`. */
  summary: z.string(),
  /** How many sentences about anything unusual the report of a structure has. */
  warning_count: z.number().int(),
})
export type KeptFile = z.infer<typeof KeptFile>

export const listFiles = endpoint({
  method: 'GET',
  path: '/file_manager/files',
  auth: 'user',
  summary: 'Your files, newest first, a page at a time; the total in X-Total-Count.',
  answerHeaders: { [TOTAL_COUNT_HEADER]: 'How many files you have, on all pages.' },
  query: z.object({ page: PageNumber.default(1), page_size: pageSize(50) }),
  body: z.undefined(),
  answer: z.object({ files: z.array(KeptFile) }),
})

/** What went, and what is kept now. */
export const Deletion = z.object({
  message: z.string(),
  files: z.number().int(),
  targets: z.number().int(),
  compounds: z.number().int(),
  /** Predictions under way that ended without a number; what they cost was returned. */
  predictions_ended: z.number().int(),
  bytes_used: z.number().int(),
})
export type Deletion = z.infer<typeof Deletion>

export const deleteFile = endpoint({
  method: 'DELETE',
  path: '/file_manager/files/:fileId',
  auth: 'user',
  summary: 'Deletes one of your files with all targets or compounds that were read from it.',
  query: z.object({}),
  body: z.undefined(),
  answer: Deletion,
})

export const deleteTarget = endpoint({
  method: 'DELETE',
  path: '/file_manager/targets/:name',
  auth: 'user',
  summary: 'Deletes one of your targets, and its file with the last that was read from it.',
  query: z.object({}),
  body: z.undefined(),
  answer: Deletion,
})

export const deleteCompound = endpoint({
  method: 'DELETE',
  path: '/file_manager/compounds/:name',
  auth: 'user',
  summary: 'Deletes one of your compounds, and its file with the last that was read from it.',
  query: z.object({}),
  body: z.undefined(),
  answer: Deletion,
})

/** Names are checked like those that are read from a file. */
const NewName = z.object({ name: z.string().max(1000) })
const Renamed = z.object({ name: z.string() })

export const renameFile = endpoint({
  method: 'PATCH',
  path: '/file_manager/files/:fileId',
  auth: 'user',
  summary: 'Gives one of your files another name, with the same ending.',
  query: z.object({}),
  body: z.object({ filename: z.string().max(1000) }),
  errors: ['conflict', 'wrong_file_type'],
  answer: z.object({ filename: z.string() }),
})

export const renameTarget = endpoint({
  method: 'PATCH',
  path: '/file_manager/targets/:name',
  auth: 'user',
  summary: 'Gives one of your targets another name.',
  query: z.object({}),
  body: NewName,
  errors: ['conflict'],
  answer: Renamed,
})

export const renameCompound = endpoint({
  method: 'PATCH',
  path: '/file_manager/compounds/:name',
  auth: 'user',
  summary: 'Gives one of your compounds another name.',
  query: z.object({}),
  body: NewName,
  errors: ['conflict'],
  answer: Renamed,
})
