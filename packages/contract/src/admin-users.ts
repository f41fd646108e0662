/** Administrators list, create, change and delete users, their credits and their API keys. */
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { LogPage, PageNumber, pageSize, SearchText, TOTAL_COUNT_HEADER } from './paging.ts'

/** Rows on one page of the user list. */
export const USERS_PAGE_SIZE = 10

export const AdminUser = z.object({
  _id: z.string(),
  email: z.string(),
  /** Empty when the user has none; shown as `(No name)`. */
  name: z.string(),
  googleId: z.string().nullable(),
  credits: z.number().min(0),
  is_active: z.boolean(),
  created_at: z.string(),
})
export type AdminUser = z.infer<typeof AdminUser>

const email = z.email().max(320)
export const CREDITS_MAX = 1_000_000_000
/** Credits are kept to a thousandth. */
const credits = z.number().min(0).max(CREDITS_MAX).multipleOf(0.001)
/** In an address: digits; JavaScript reads an empty text as 0 and `1e3` as 1000. */
const creditsText = z
  .string()
  .trim()
  .regex(/^\d+(\.\d+)?$/, 'it must be a number in digits, such as 12 or 12.5')
  .transform(Number)
  .pipe(credits)
/** Longest name or Google ID of a user: as long as a name that Google gives may be. */
export const USER_TEXT_CHARACTERS_MAX = 500
export const UserText = z
  .string()
  .trim()
  .max(USER_TEXT_CHARACTERS_MAX)
  .regex(/^\P{Cc}*$/u, 'it holds a character that cannot be shown')

export const CreateUser = z.object({
  email,
  /** Accepted because the specification has it; users sign in with Google, so it is not kept. */
  password: z.string().max(1024).default(''),
  is_active: z.boolean().default(true),
  credits: credits.optional(),
  name: UserText.default(''),
  googleId: UserText.nullish(),
})

/** Fields that are left out stay as they are; send `credits` only where they are to change. */
export const UpdateUser = z.object({
  email: email.optional(),
  is_active: z.boolean().optional(),
  credits: credits.optional(),
  name: UserText.optional(),
  googleId: UserText.nullish(),
})

export const UserSort = z.enum(['name', 'email', 'credits'])

export const UserStatus = z.enum(['active', 'inactive'])

/** Without `page` the whole list is answered. */
export const ListUsersQuery = z.object({
  page: PageNumber.optional(),
  page_size: pageSize(USERS_PAGE_SIZE),
  search: SearchText,
  sort: UserSort.default('email'),
  order: z.enum(['asc', 'desc']).default('asc'),
  /** Without it both. */
  status: UserStatus.optional(),
})

export const listUsers = endpoint({
  method: 'GET',
  path: '/admin/users',
  auth: 'admin',
  summary: 'The users; with `page` one page of them, the total in X-Total-Count.',
  answerHeaders: { [TOTAL_COUNT_HEADER]: 'How many users match, on all pages.' },
  query: ListUsersQuery,
  body: z.undefined(),
  answer: z.array(AdminUser),
})

export const createUser = endpoint({
  method: 'POST',
  path: '/admin/users',
  auth: 'admin',
  errors: ['conflict'],
  summary: 'Creates a user; credits default to the initial credits.',
  query: z.object({}),
  body: CreateUser,
  answer: AdminUser,
})

export const readUser = endpoint({
  method: 'GET',
  path: '/admin/users/:userId',
  auth: 'admin',
  summary: 'One user.',
  query: z.object({}),
  body: z.undefined(),
  answer: AdminUser,
})

export const updateUser = endpoint({
  method: 'PUT',
  path: '/admin/users/:userId',
  auth: 'admin',
  errors: ['conflict'],
  summary: 'Changes a user; a new balance is written to the ledger as a difference.',
  query: z.object({}),
  body: UpdateUser,
  answer: AdminUser,
})

const Done = z.object({ message: z.string() })

export const deleteUser = endpoint({
  method: 'DELETE',
  path: '/admin/users/:userId',
  auth: 'admin',
  summary: 'Deletes a user with keys, files and predictions; the ledger stays without the name.',
  query: z.object({}),
  body: z.undefined(),
  answer: Done,
})

export const UserFile = z.object({
  id: z.string(),
  filename: z.string(),
  fileType: z.string(),
  uploadDate: z.string(),
  size: z.number(),
})

export const listUserFiles = endpoint({
  method: 'GET',
  path: '/admin/users/:userId/files',
  auth: 'admin',
  summary: 'The files a user has uploaded, newest first, in pages; the total in X-Total-Count.',
  answerHeaders: { [TOTAL_COUNT_HEADER]: 'How many files there are, on all pages.' },
  query: z.object({ page: PageNumber.default(1), page_size: pageSize(200) }),
  body: z.undefined(),
  answer: z.object({ files: z.array(UserFile) }),
})

export const setUserCredits = endpoint({
  method: 'PUT',
  path: '/admin/users/:userId/credits',
  auth: 'admin',
  summary: 'Sets a user’s balance; written to the ledger as a difference.',
  query: z.object({ credits: creditsText }),
  body: z.undefined(),
  answer: AdminUser,
})

export const createUserKey = endpoint({
  method: 'POST',
  path: '/admin/users/:userId/api-key',
  auth: 'admin',
  errors: ['conflict'],
  summary: 'Makes a programmatic API key, shown this once; the user’s other keys stay.',
  query: z.object({}),
  body: z.undefined(),
  answer: z.object({ key: z.string(), prefix: z.string() }),
})

export const UserKey = z.object({
  id: z.string(),
  prefix: z.string(),
  created_at: z.string(),
  last_used_at: z.string().nullable(),
})

export const listUserKeys = endpoint({
  method: 'GET',
  path: '/admin/users/:userId/api-keys',
  auth: 'admin',
  summary: 'A user’s programmatic keys, by prefix.',
  query: z.object({}),
  body: z.undefined(),
  answer: z.object({ keys: z.array(UserKey) }),
})

export const revokeUserKey = endpoint({
  method: 'DELETE',
  path: '/admin/users/:userId/api-keys/:keyId',
  auth: 'admin',
  summary: 'Revokes a programmatic key at once.',
  query: z.object({}),
  body: z.undefined(),
  answer: Done,
})

export const LedgerEntry = z.object({
  id: z.string(),
  delta: z.number(),
  balance_after: z.number(),
  reason: z.string(),
  actor: z.string(),
  /** What the administrator said about it; empty where nothing was said. */
  note: z.string(),
  created_at: z.string(),
})

export const listUserLedger = endpoint({
  method: 'GET',
  path: '/admin/users/:userId/ledger',
  auth: 'admin',
  summary: 'Every change of a user’s balance, newest first; the total in X-Total-Count.',
  answerHeaders: { [TOTAL_COUNT_HEADER]: 'How many changes there are, on all pages.' },
  query: LogPage,
  body: z.undefined(),
  answer: z.object({ entries: z.array(LedgerEntry) }),
})
