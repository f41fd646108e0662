/** Structural alerts: the user's own patterns, and where a compound matches a pattern. */
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { FormulaPicture } from './evidence.ts'
import { SeriesSmiles } from './series.ts'
import { Theme } from './previews.ts'
import { NO_CONTROL_CHARACTERS } from './text.ts'

/** Maximum patterns per user. */
export const OWN_ALERTS_MAX = 100

/** Source of an alert: Baell and Holloway 2010, Brenk et al. 2008, or the user's own list. */
export const AlertList = z.enum(['PAINS', 'Brenk', 'own'])
export type AlertList = z.infer<typeof AlertList>

const plain = (max: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(max)
    .regex(NO_CONTROL_CHARACTERS, 'must not contain control characters')

export const OwnAlert = z.strictObject({
  name: plain(80),
  /** Hydrogens as counts, `[OX2H1]`; explicit ones are refused, because they match nothing. */
  smarts: plain(500),
})
export type OwnAlert = z.infer<typeof OwnAlert>

const OwnAlerts = z.object({ patterns: z.array(OwnAlert).max(OWN_ALERTS_MAX) })

export const readOwnAlerts = endpoint({
  auth: 'user',
  method: 'GET',
  path: '/alerts',
  summary: 'Returns your own structural alerts.',
  answer: OwnAlerts,
})

export const replaceOwnAlerts = endpoint({
  auth: 'user',
  method: 'PUT',
  path: '/alerts',
  summary: 'Replaces your own structural alerts, all or none; an invalid SMARTS is named.',
  errors: ['too_many_requests'],
  body: OwnAlerts,
  answer: OwnAlerts,
})

export const LocatedAlert = z.object({
  list: AlertList,
  name: z.string(),
  smarts: z.string(),
  atoms: z
    .array(z.number().int())
    .describe('Indices of its atoms in the picture and in the standard SMILES, from 0.'),
})
export type LocatedAlert = z.infer<typeof LocatedAlert>

export const locateAlerts = endpoint({
  auth: 'user',
  method: 'POST',
  path: '/alerts/locate',
  isComputed: true,
  summary: 'Returns the structural alerts of one compound, with their atoms and a picture.',
  errors: ['file_unreadable', 'too_many_requests'],
  body: z.object({ smiles: SeriesSmiles, theme: Theme.default('light') }),
  answer: z.object({
    smiles: z.string(),
    picture: FormulaPicture.nullable().describe('Null if the compound is too large to draw.'),
    alerts: z.array(LocatedAlert),
  }),
})
