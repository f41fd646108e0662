/**
 * Sharing: the owner of a screen shows it to other users, with its series, report and make lists. Viewers read what the
 * owner reads; nothing is predicted or charged for them.
 */
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { sharedScreenHeader } from './shared-screen.ts'
import { Moment } from './text.ts'

/** Maximum names listed of those who opened a link. */
export const LINK_VIEWERS_MAX = 100

/** Maximum shares per screen. */
export const SHARES_MAX = 100

export const SharedBy = z.object({
  owner: z.string().describe('Name of the owner.'),
  exports: z.boolean().describe('Whether viewers may download and copy.'),
})
export type SharedBy = z.infer<typeof SharedBy>

const Email = z.email().max(320)

export const Share = z.object({
  id: z.string(),
  email: z.string().nullable().describe('Null: everyone who is signed in and has the link.'),
  exports: z.boolean(),
  created_at: Moment,
  viewers: z
    .array(z.string())
    .describe('Names of those who opened the link, first come first, at most 100; else empty.'),
})
export type Share = z.infer<typeof Share>

const Shares = z.object({ shares: z.array(Share).describe('Oldest first.') })

export const listShares = endpoint({
  auth: 'user',
  method: 'GET',
  path: '/screens/:id/shares',
  summary: 'Lists with whom you share a screen.',
  answer: Shares,
})

export const shareScreen = endpoint({
  auth: 'user',
  method: 'POST',
  path: '/screens/:id/shares',
  summary:
    'Shares a screen, with its series, report and make lists, for viewing. The answer does not tell whether the address has an account here. Sharing again changes `exports`.',
  errors: ['conflict'],
  body: z.object({
    email: Email.nullable().describe('Null: everyone who is signed in and has the link.'),
    exports: z.boolean().default(true).describe('Whether viewers may download and copy.'),
  }),
  answer: Shares,
})

export const endShare = endpoint({
  auth: 'user',
  method: 'DELETE',
  path: '/screens/:id/shares/:shareId',
  summary: 'Ends a share at once, for open event streams too.',
  answer: Shares,
})

export const CopiedScreen = z.object({
  targets: z.number().int(),
  compounds: z.number().int(),
  measured_values: z.number().int(),
})
export type CopiedScreen = z.infer<typeof CopiedScreen>

export const copyScreen = endpoint({
  auth: 'user',
  method: 'POST',
  path: '/screens/:id/copy',
  summary:
    'Copies targets, compounds and measured values of a screen that you may read into your library, and returns how many of each it has there. Costs nothing; what you have already is not stored twice.',
  headers: sharedScreenHeader,
  errors: ['conflict', 'file_unreadable'],
  body: z.object({
    targets: z.boolean().default(true),
    compounds: z.boolean().default(true),
    measured_values: z.boolean().default(false).describe('Needs `targets`.'),
  }),
  answer: CopiedScreen,
})

export const SharedScreen = z.object({
  id: z.string(),
  name: z.string().nullable(),
  owner: z.string(),
  targets: z.number().int(),
  compounds: z.number().int(),
  exports: z.boolean(),
  shared_at: Moment,
})
export type SharedScreen = z.infer<typeof SharedScreen>

export const listShared = endpoint({
  auth: 'user',
  method: 'GET',
  path: '/shared',
  summary:
    'Lists the screens shared with your email, or by a link that you have opened, latest first, at most 1,000.',
  answer: z.object({ screens: z.array(SharedScreen) }),
})

export const listUserShares = endpoint({
  auth: 'admin',
  method: 'GET',
  path: '/admin/users/:userId/shares',
  summary: 'Lists the screens that a user shares, latest first.',
  answer: z.object({
    shares: z.array(Share.extend({ screen_id: z.string(), screen: z.string().nullable() })),
  }),
})

export const endUserShare = endpoint({
  auth: 'admin',
  method: 'DELETE',
  path: '/admin/users/:userId/shares/:shareId',
  summary: 'Ends a share of a user at once.',
  answer: z.object({ message: z.string() }),
})
