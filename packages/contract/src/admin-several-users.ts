/** Administrators do one thing to several users: credit them, switch them off, or take in a list. All of it happens, or none. */
import { z } from 'zod'
import { CREDITS_MAX, UserText } from './admin-users.ts'
import { endpoint } from './endpoint.ts'

/** Users of one call, at most. */
export const SEVERAL_USERS_MAX = 1000
const IMPORTED_CHARACTERS_MAX = 500_000

const UserIds = z.array(z.uuid()).min(1).max(SEVERAL_USERS_MAX)

/** More or less than before, to a thousandth. */
export const CreditsChange = z
  .number()
  .min(-CREDITS_MAX)
  .max(CREDITS_MAX)
  .multipleOf(0.001)
  .refine((delta) => delta !== 0, 'it must be more or less than 0')

const keyHeader = { 'Idempotency-Key': 'Your own name for this order, at most 200 characters.' }

export const changeCredits = endpoint({
  method: 'POST',
  path: '/admin/users/credits',
  auth: 'admin',
  errors: ['not_found', 'conflict'],
  summary:
    'Adds credits to the balance of one or several users, or takes some away, with a note for the ledger; of all of them or of none. With an Idempotency-Key it happens once.',
  headers: keyHeader,
  query: z.object({}),
  body: z.object({
    user_ids: UserIds,
    /** Below 0: taken away. */
    delta: CreditsChange,
    /** Stands in the ledger, which users can take along with their own data. */
    note: UserText.default(''),
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
    'Switches one or several users on or off, all of them or none. Off ends their sessions and keys at once.',
  query: z.object({}),
  body: z.object({ user_ids: UserIds, is_active: z.boolean() }),
  answer: z.object({
    /** Of these; the others were so already. */
    changed: z.number().int(),
  }),
})

/**
 * `create`: there is no such user yet. `credit`: the balance of one changes. `unchanged`: there is nothing to do.
 * `refused`: this line stops the whole list.
 */
export const ImportOutcome = z.enum(['create', 'credit', 'unchanged', 'refused'])
export type ImportOutcome = z.infer<typeof ImportOutcome>

export const ImportedUser = z.object({
  /** Line of the file, from 1. */
  line: z.number().int(),
  email: z.string(),
  outcome: ImportOutcome,
  /** What is added to the balance, or taken away. */
  delta: z.number(),
  /** The balance afterwards; null where the line is refused. */
  credits: z.number().nullable(),
  /** Why a line is refused. */
  reason: z.string().nullable(),
})
export type ImportedUser = z.infer<typeof ImportedUser>

export const ImportedUsers = z.object({
  rows: z.array(ImportedUser),
  /** When the list was taken in; null: nothing was changed. */
  applied_at: z.string().nullable(),
  /** It was taken in by an earlier call, of which this is the answer; nothing was changed by this one. */
  repeated: z.boolean(),
})
export type ImportedUsers = z.infer<typeof ImportedUsers>

export const importUsers = endpoint({
  method: 'POST',
  path: '/admin/users/import',
  auth: 'admin',
  errors: ['conflict'],
  summary:
    'Creates and credits users from a CSV, every line of it or none, and answers what became of each line. The same file is taken in once; with another Idempotency-Key, again.',
  headers: {
    'Idempotency-Key': 'Your own name for this order; without one, the file itself is the key.',
  },
  query: z.object({}),
  body: z.object({
    /**
     * A first line that names the columns: `email`, and if wanted `name`, `credits` and `note`. `credits` are added to the
     * balance of a user who is there, or taken away (`-5`); a new user begins with them, or with the usual number where
     * there are none.
     */
    csv: z.string().min(1).max(IMPORTED_CHARACTERS_MAX),
    /** False: only says what would become of each line. */
    apply: z.boolean().default(false),
  }),
  bodyBytesMax: 2 * 1024 * 1024,
  answer: ImportedUsers,
})
