/** Administrators list, create, change and delete users, their credits and their API keys. */
import { z } from 'zod'
import { DeletionPreview } from './library.ts'
import { endpoint } from './endpoint.ts'
import { LedgerEntry } from './credits.ts'
import { LogPage, PageNumber, pageSize, SearchText, TOTAL_COUNT_HEADER } from './paging.ts'
import { Moment, NO_CONTROL_CHARACTERS } from './text.ts'

/** Rows on one page of the user list. */
export const USERS_PAGE_SIZE = 10

export const AdminUser = z.object({
  _id: z.string(),
  email: z.string(),
  /** Empty if the user has none; shown as `(No name)`. */
  name: z.string(),
  googleId: z.string().nullable(),
  credits: z.number().min(0),
  is_active: z.boolean(),
  created_at: Moment,
})
export type AdminUser = z.infer<typeof AdminUser>

const email = z.email().max(320)
export const CREDITS_MAX = 1_000_000_000
/** Credits have a resolution of a thousandth. */
export const Credits = z.number().min(0).max(CREDITS_MAX).multipleOf(0.001)
/** In a URL: digits; JavaScript reads an empty text as 0 and `1e3` as 1000. */
const creditsText = z
  .string()
  .trim()
  .regex(/^\d+(\.\d+)?$/, 'must be a number such as 12 or 12.5')
  .transform(Number)
  .pipe(Credits)
/** Maximum length of a name or Google ID: that of names from Google. */
export const USER_TEXT_CHARACTERS_MAX = 500
export const UserText = z
  .string()
  .trim()
  .max(USER_TEXT_CHARACTERS_MAX)
  .regex(NO_CONTROL_CHARACTERS, 'must not contain control characters')

export const CreateUser = z.object({
  email,
  /** Accepted because the specification has it; users sign in with Google, so it is not stored. */
  password: z.string().max(1024).default(''),
  is_active: z.boolean().default(true),
  credits: Credits.optional(),
  name: UserText.default(''),
  googleId: UserText.nullish(),
})

/** Omitted fields are unchanged; send `credits` only to change them. */
export const UpdateUser = z.object({
  email: email.optional(),
  is_active: z.boolean().optional(),
  credits: Credits.optional(),
  name: UserText.optional(),
  googleId: UserText.nullish(),
})

/** `last_seen`: users who were never seen come first; it reads every user, the others an index. */
export const UserSort = z.enum(['name', 'email', 'credits', 'last_seen'])

export const UserStatus = z.enum(['active', 'inactive'])

/** Without `page` the whole list is returned. */
export const ListUsersQuery = z.object({
  page: PageNumber.optional(),
  page_size: pageSize(USERS_PAGE_SIZE),
  search: SearchText,
  sort: UserSort.default('email'),
  order: z.enum(['asc', 'desc']).default('asc'),
  /** Default: both. */
  status: UserStatus.optional(),
})

export const listUsers = endpoint({
  method: 'GET',
  path: '/admin/users',
  auth: 'admin',
  summary: 'Lists users; with `page`, one page of them and the total in X-Total-Count.',
  answerHeaders: { [TOTAL_COUNT_HEADER]: 'Total number of matching users.' },
  query: ListUsersQuery,
  answer: z.array(AdminUser),
})

export const createUser = endpoint({
  method: 'POST',
  path: '/admin/users',
  auth: 'admin',
  errors: ['conflict'],
  summary: 'Creates a user. Default credits: INITIAL_CREDITS.',
  body: CreateUser,
  ignoresUnknownFields: true,
  answer: AdminUser,
})

export const readUser = endpoint({
  method: 'GET',
  path: '/admin/users/:userId',
  auth: 'admin',
  summary: 'Returns one user.',
  answer: AdminUser,
})

export const updateUser = endpoint({
  method: 'PUT',
  path: '/admin/users/:userId',
  auth: 'admin',
  errors: ['conflict'],
  summary: 'Updates a user. A new balance is recorded in the ledger as a difference.',
  body: UpdateUser,
  ignoresUnknownFields: true,
  answer: AdminUser,
})

const Done = z.object({ message: z.string() })

export const deleteUser = endpoint({
  method: 'DELETE',
  path: '/admin/users/:userId',
  auth: 'admin',
  summary:
    'Deletes a user with all keys, files and predictions. The ledger is kept without the name.',
  answer: Done,
})

export const previewUserDeletion = endpoint({
  method: 'GET',
  path: '/admin/users/:userId/deletion',
  auth: 'admin',
  summary: 'Counts what the deletion of a user would delete.',
  answer: DeletionPreview,
})

export const UserFile = z.object({
  id: z.string(),
  filename: z.string(),
  fileType: z.string(),
  uploadDate: Moment,
  size: z.number(),
})

export const listUserFiles = endpoint({
  method: 'GET',
  path: '/admin/users/:userId/files',
  auth: 'admin',
  summary:
    'Lists a user’s files, newest first; with `page`, one page of them and the total in X-Total-Count.',
  answerHeaders: { [TOTAL_COUNT_HEADER]: 'Total number of files.' },
  query: z.object({ page: PageNumber.optional(), page_size: pageSize(200) }),
  answer: z.object({ files: z.array(UserFile) }),
})

export const setUserCredits = endpoint({
  method: 'PUT',
  path: '/admin/users/:userId/credits',
  auth: 'admin',
  summary: 'Sets a user’s balance. Recorded in the ledger as a difference.',
  query: z.object({ credits: creditsText }),
  answer: AdminUser,
})

/** How long an invitation link works. */
export const INVITATION_DAYS = 7

export const createInvitation = endpoint({
  method: 'POST',
  path: '/admin/users/:userId/invitation',
  auth: 'admin',
  errors: ['conflict'],
  summary:
    'Creates the code of an invitation link, `/#invitation=<code>`: whoever opens it signs in as this user, once, with any account of a sign-in provider. It replaces the earlier link.',
  answer: z.object({ code: z.string(), expires_at: Moment }),
})

export const createUserKey = endpoint({
  method: 'POST',
  path: '/admin/users/:userId/api-key',
  auth: 'admin',
  errors: ['conflict'],
  summary:
    'Creates an API key for a user; it is shown only once. The user’s other keys stay valid.',
  answer: z.object({ key: z.string(), prefix: z.string() }),
})

export const UserKey = z.object({
  id: z.string(),
  prefix: z.string(),
  created_at: Moment,
  last_used_at: Moment.nullable(),
})

export const listUserKeys = endpoint({
  method: 'GET',
  path: '/admin/users/:userId/api-keys',
  auth: 'admin',
  summary: 'Lists a user’s API keys by prefix.',
  answer: z.object({ keys: z.array(UserKey) }),
})

export const revokeUserKey = endpoint({
  method: 'DELETE',
  path: '/admin/users/:userId/api-keys/:keyId',
  auth: 'admin',
  summary: 'Revokes a user’s API key immediately.',
  answer: Done,
})

export const UserLedgerEntry = LedgerEntry.extend({
  /** An administrator's email, `user`, or `server`. */
  actor: z.string(),
  /** Why the administrator changed the balance; empty if no reason was given. */
  note: z.string(),
})

export const listUserLedger = endpoint({
  method: 'GET',
  path: '/admin/users/:userId/ledger',
  auth: 'admin',
  summary: 'Lists all changes of a user’s balance, newest first; total in X-Total-Count.',
  answerHeaders: { [TOTAL_COUNT_HEADER]: 'Total number of changes.' },
  query: LogPage,
  answer: z.object({ entries: z.array(UserLedgerEntry) }),
})
