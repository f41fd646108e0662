/** Still pictures of a target or a compound. */
import { z } from 'zod'
import { endpoint } from './endpoint.ts'

export const Theme = z.enum(['light', 'dark'])
export type Theme = z.infer<typeof Theme>

/** The client also understands `image_url`. */
export const Preview = z.object({
  /** A `data:` address: WebP for a protein, SVG for a molecule. */
  visualizationUrl: z.string().optional(),
  image_url: z.string().optional(),
  /** What the picture shows, for people who do not see it. */
  alt: z.string().optional(),
})
export type Preview = z.infer<typeof Preview>

const themed = z.object({ theme: Theme.default('light') })

export const readTargetPreview = endpoint({
  method: 'GET',
  path: '/visualization/protein/:name',
  auth: 'user',
  summary: 'A picture of the target: a cartoon of its chains with its ligands.',
  errors: ['file_unreadable'],
  query: themed,
  body: z.undefined(),
  answer: Preview,
})

export const readCompoundPreview = endpoint({
  method: 'GET',
  path: '/visualization/molecule/:name',
  auth: 'user',
  summary: 'A structural formula of the compound.',
  errors: ['file_unreadable'],
  query: themed,
  body: z.undefined(),
  answer: Preview,
})
