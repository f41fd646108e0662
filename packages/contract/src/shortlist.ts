/** The shortlist: compounds that a user has starred, marked in the list of compounds. */
import { z } from 'zod'
import { endpoint } from './endpoint.ts'

export const starCompound = endpoint({
  method: 'PUT',
  path: '/file_manager/compounds/:name/star',
  auth: 'user',
  summary: 'Adds one of your compounds to the shortlist, or removes it.',
  body: z.object({ starred: z.boolean() }),
  answer: z.object({ name: z.string(), starred: z.boolean() }),
})

export const downloadShortlist = endpoint({
  method: 'GET',
  path: '/file_manager/shortlist.csv',
  auth: 'user',
  summary: 'Exports your shortlist as a table: name, SMILES, formula and mass.',
  answer: z.unknown(),
  mediaTypes: ['text/csv'],
})
