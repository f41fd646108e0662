/** Two lists of molecules that a user keeps for a target: those to make, and those not to suggest again. */
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { NAME_CHARACTERS_MAX } from './files.ts'
import { SeriesSmiles } from './series.ts'
import { sharedScreenHeader } from './shared-screen.ts'
import { Tags } from './tags.ts'
import { NO_CONTROL_CHARACTERS } from './text.ts'

/** Maximum molecules per list. */
export const LISTED_MAX = 1000

const Target = z
  .string()
  .min(1)
  .max(NAME_CHARACTERS_MAX)
  .regex(NO_CONTROL_CHARACTERS, 'must not contain control characters')

export const MoleculeList = z.enum(['make', 'excluded'])
export type MoleculeList = z.infer<typeof MoleculeList>

/** A prediction in pKd with its 95% interval. */
const ListedNumber = z.object({ predicted_kd: z.number(), lower: z.number(), upper: z.number() })
export type ListedNumber = z.infer<typeof ListedNumber>

/** SMILES, in the order in which they were added. */
export const ListedMolecules = z.object({
  make_name: z.string().nullable().describe('The name of the make list; null without one.'),
  make_tags: z.array(z.string()).describe('The tags of the make list.'),
  make: z.array(z.string()),
  added_with: z
    .array(ListedNumber.nullable())
    .describe(
      'What each molecule of `make` was predicted at when it was added; null if it had no prediction.',
    ),
  excluded: z.array(z.string()),
})
export type ListedMolecules = z.infer<typeof ListedMolecules>

export const readListedMolecules = endpoint({
  method: 'GET',
  path: '/series/lists',
  headers: sharedScreenHeader,
  auth: 'user',
  summary: 'Returns your make list for a target and the compounds excluded from suggestions.',
  errors: ['not_found'],
  query: z.object({ target: Target }),
  answer: ListedMolecules,
})

export const renameMakeList = endpoint({
  method: 'PATCH',
  path: '/series/lists',
  auth: 'user',
  summary: 'Changes the name or the tags of the make list of a target; an empty one removes it.',
  errors: ['not_found'],
  body: z.object({
    target: Target,
    make_name: z
      .string()
      .max(NAME_CHARACTERS_MAX)
      .regex(NO_CONTROL_CHARACTERS, 'must not contain control characters')
      .optional(),
    make_tags: Tags.optional(),
  }),
  answer: ListedMolecules,
})

export const changeListedMolecules = endpoint({
  method: 'PUT',
  path: '/series/lists',
  auth: 'user',
  summary: 'Adds compounds to one of the two lists of a target, or removes them.',
  errors: ['not_found'],
  body: z.object({
    target: Target,
    list: MoleculeList,
    smiles: z.array(SeriesSmiles).min(1).max(LISTED_MAX),
    listed: z.boolean().describe('False removes them.'),
    added_with: z
      .array(ListedNumber.nullable())
      .max(LISTED_MAX)
      .optional()
      .describe('The number of each molecule, kept with it.'),
  }),
  bodyBytesMax: 3 * 1024 * 1024,
  answer: ListedMolecules,
})
