/** Administrators change several users in one step: their credits, their status, or by a list. All or nothing. */
import { z } from 'zod'
import { Credits, CREDITS_MAX, UserText } from './admin-users.ts'
import { endpoint } from './endpoint.ts'
import { Moment } from './text.ts'

/** Maximum users per request. */
export const SEVERAL_USERS_MAX = 1000
const IMPORTED_CHARACTERS_MAX = 500_000

const UserIds = z.array(z.uuid()).min(1).max(SEVERAL_USERS_MAX)

/** Amount to add or remove, to a thousandth. */
export const CreditsChange = z
  .number()
  .min(-CREDITS_MAX)
  .max(CREDITS_MAX)
  .multipleOf(0.001)
  .refine((delta) => delta !== 0, 'must not be 0')

const keyHeader = {
  'Idempotency-Key': 'Your own unique key for this request, at most 200 characters.',
}

export const changeCredits = endpoint({
  method: 'POST',
  path: '/admin/users/credits',
  auth: 'admin',
  errors: ['not_found', 'conflict'],
  summary:
    'Adds or removes credits for one or more users, or sets their balance, with a ledger note. All or none. With an Idempotency-Key, only once.',
  headers: keyHeader,
  body: z
    .object({
      user_ids: UserIds,
      delta: CreditsChange.optional().meta({
        description:
          'Amount added to each balance; removed if negative. Alternatively, send `credits`.',
      }),
      credits: Credits.optional().meta({
        description:
          'New balance of each user; the ledger gets the difference. Alternatively, send `delta`.',
      }),
      /** Written to the ledger, which users can export with their data. */
      note: UserText.default(''),
    })
    .refine(({ delta, credits }) => (delta === undefined) !== (credits === undefined), {
      error: 'Send either `delta` or `credits`.',
    }),
  answer: z.object({
    /** The new balances. */
    users: z.array(z.object({ _id: z.string(), credits: z.number() })),
  }),
})

export const changeStatus = endpoint({
  method: 'POST',
  path: '/admin/users/status',
  auth: 'admin',
  errors: ['not_found'],
  summary:
    'Activates or deactivates one or more users, all or none. Deactivating ends their sessions and keys immediately.',
  body: z.object({ user_ids: UserIds, is_active: z.boolean() }),
  answer: z.object({
    /** Number changed; the others were in that state already. */
    changed: z.number().int(),
  }),
})

/**
 * `create`: a new user. `credit`: an existing user's balance changes. `unchanged`: nothing to do. `refused`: this line
 * stops the whole list.
 */
export const ImportOutcome = z.enum(['create', 'credit', 'unchanged', 'refused'])
export type ImportOutcome = z.infer<typeof ImportOutcome>

export const ImportedUser = z.object({
  /** Line of the file, from 1. */
  line: z.number().int(),
  email: z.string(),
  outcome: ImportOutcome,
  /** Amount added to the balance, or removed. */
  delta: z.number(),
  /** The balance afterwards; null if the line is refused. */
  credits: z.number().nullable(),
  /** Why a line is refused. */
  reason: z.string().nullable(),
})
export type ImportedUser = z.infer<typeof ImportedUser>

export const ImportedUsers = z.object({
  rows: z.array(ImportedUser),
  /** When the list was imported; null if nothing was changed. */
  applied_at: Moment.nullable(),
  /** An earlier request imported the list: this is its result, and nothing was changed now. */
  repeated: z.boolean(),
})
export type ImportedUsers = z.infer<typeof ImportedUsers>

export const importUsers = endpoint({
  method: 'POST',
  path: '/admin/users/import',
  auth: 'admin',
  errors: ['conflict'],
  summary:
    'Creates users and adds credits from a CSV, all lines or none; returns the result per line. The same file is imported only once, unless sent with a new Idempotency-Key.',
  headers: {
    'Idempotency-Key': 'Your own unique key for this import. Default: the file’s content.',
  },
  body: z.object({
    /**
     * A header line with the columns `email` and optionally `name`, `credits` and `note`. `credits` are added to an
     * existing user's balance, or removed (`-5`); a new user starts with them, or with the default number if there are
     * none.
     */
    csv: z.string().min(1).max(IMPORTED_CHARACTERS_MAX),
    /** False: only previews the result of each line. */
    apply: z.boolean().default(false),
  }),
  bodyBytesMax: 2 * 1024 * 1024,
  answer: ImportedUsers,
})
