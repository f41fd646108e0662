/** Still pictures of a target or a compound. */
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { NAME_CHARACTERS_MAX } from './files.ts'
import { sharedScreenHeader } from './shared-screen.ts'

export const Theme = z.enum(['light', 'dark'])
export type Theme = z.infer<typeof Theme>

/** The client also understands `image_url`. */
export const Preview = z.object({
  /** A `data:` URL: WebP for a protein, SVG for a molecule. */
  visualizationUrl: z.string().optional(),
  image_url: z.string().optional(),
  /** The text alternative. */
  alt: z.string().optional(),
})
export type Preview = z.infer<typeof Preview>

const themed = z.object({ theme: Theme.default('light') })

export const readTargetPreview = endpoint({
  method: 'GET',
  path: '/visualization/protein/:name',
  headers: sharedScreenHeader,
  auth: 'user',
  summary: 'Returns a picture of the target: ribbon drawing of chains and ligands.',
  errors: ['file_unreadable'],
  query: themed,
  answer: Preview,
})

export const readCompoundPreview = endpoint({
  method: 'GET',
  path: '/visualization/molecule/:name',
  headers: sharedScreenHeader,
  auth: 'user',
  summary: 'Returns the structural formula of a compound.',
  errors: ['file_unreadable'],
  query: themed,
  answer: Preview,
})

/** Maximum number of compounds visible in a list. */
export const DRAWN_COMPOUNDS_MAX = 60
/** Maximum number of a list's compounds in which a core is searched. */
export const CORE_COMPOUNDS_MAX = 12

const Name = z
  .string()
  .min(1)
  .max(5 * NAME_CHARACTERS_MAX)
/** The maximum length of a line of a compound file, because an extension may follow the SMILES. */
const Smiles = z.string().min(1).max(5000)

export const drawCompounds = endpoint({
  method: 'POST',
  path: '/visualization/molecules',
  isComputed: true,
  auth: 'user',
  summary:
    'Returns small structural formulas of several compounds; compounds that contain the core shared by `like` are drawn in the same orientation.',
  body: z
    .object({
      names: z.array(Name).max(DRAWN_COMPOUNDS_MAX).default([]),
      /** Instead of names: molecules, which need not be your compounds. Drawn without salts, as they are predicted. */
      smiles: z.array(Smiles).max(DRAWN_COMPOUNDS_MAX).default([]),
      /** A sample of the list that contains the compounds: names, or SMILES with `smiles`. */
      like: z.array(Smiles).max(CORE_COMPOUNDS_MAX).default([]),
      theme: Theme.default('light'),
    })
    .refine(({ names, smiles }) => (names.length === 0) !== (smiles.length === 0), {
      error: 'Send either `names` or `smiles`.',
    }),
  answer: z.object({
    /** In the requested order; null if you have no such compound, or it cannot be drawn. */
    pictures: z.array(Preview.nullable()),
  }),
})
