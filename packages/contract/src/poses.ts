/** Poses: a compound placed on the ligand of an uploaded structure. A model, not an experiment. Field names here are the wire's. */
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { AskedName } from './predictions.ts'
import { sharedScreenHeader } from './shared-screen.ts'

/** Shown with every pose, on screen and in files. */
export const POSE_LABEL = 'Placed by common substructure, not an experimental pose.'

/** `id` of the user's own reference ligand. */
export const OWN_LIGAND = 'own ligand'

const Kind = z.enum(['hydrogen bond', 'hydrophobic', 'clash'])

export const PoseContact = z.object({
  kind: Kind,
  residue: z.string().describe('Of the pocket, for example `MET 318`, with its chain and atom.'),
  chain: z.string(),
  atom: z.string(),
  compound_atom: z.number().int().describe('Of the compound: atom number in its SMILES, from 1.'),
  distance: z.number().describe('In Å, between heavy atoms.'),
  words: z.string(),
})
export type PoseContact = z.infer<typeof PoseContact>

/** A ligand that compounds can be placed on: the user's own, or one of the structure. Never a buffer, ion, sugar or cofactor. */
export const PoseReference = z.object({ id: z.string(), heavy_atoms: z.number().int() })
export type PoseReference = z.infer<typeof PoseReference>

const PlacedPose = z.object({
  energy: z
    .number()
    .describe(
      "Vina's energy with the pocket in kcal/mol; of this pose, and the mean over the best few.",
    ),
  mean_energy: z.number(),
  reference_energy: z.number().describe('Energy of the reference ligand, relaxed in place.'),
  relative: z
    .number()
    .describe(
      'How much better than the reference, from the mean energy, clipped to −6 to 3; more is better.',
    ),
  similarity: z.number().describe('To the reference ligand, without bond orders, from 0 to 1.'),
  heavy_atoms: z.number().int(),
  core_atoms: z.number().int().describe('Number of atoms placed on atoms of the reference ligand.'),
  keeps_stereo: z
    .boolean()
    .describe('False if a stereocentre or a double bond of the pose has the wrong configuration.'),
  contacts: z.array(PoseContact),
  sdf: z.string().describe('A record with coordinates, hydrogens implicit.'),
})

export const Pose = z.object({
  target: z.string(),
  chain: z.string(),
  compound: z.string(),
  label: z.string(),
  references: z.array(PoseReference).describe('Ligands to choose from, the suggested one first.'),
  reference: z.string().nullable().describe('The one that is used; null if there is none.'),
  own_ligand: z
    .string()
    .nullable()
    .describe("The user's own ligand as a molecule file, if it is the one that is used."),
  pose: PlacedPose.nullable().describe('Null if the compound cannot be placed.'),
  reason: z.string().nullable().describe('Why there is no pose.'),
})
export type Pose = z.infer<typeof Pose>

const ReferenceName = z.string().min(1).max(100)

const question = z.object({
  target: AskedName,
  compound: AskedName,
  chain: z.string().min(1).max(4).optional().describe('Default: the chain that predictions use.'),
  reference: ReferenceName.optional().describe(
    'The `id` of a ligand; without it the suggested one.',
  ),
})

/** Ligands of one target. */
export const PoseReferences = z.object({
  target: z.string(),
  chain: z.string(),
  references: z
    .array(PoseReference)
    .describe(
      "The suggested one first: the user's own if there is one, otherwise a large one that touches the chain.",
    ),
  /** The user's own ligand. */
  own: z
    .object({
      smiles: z.string(),
      heavy_atoms: z.number().int(),
      coordinates_of: z
        .string()
        .nullable()
        .describe('The ligand of the structure whose coordinates it has; null if it has its own.'),
    })
    .nullable(),
})
export type PoseReferences = z.infer<typeof PoseReferences>

const LIGAND_CHARACTERS_MAX = 100_000

const call = { method: 'GET', auth: 'user' } as const
const errors = ['not_found', 'too_many_requests', 'file_unreadable'] as const

export const readPose = endpoint({
  ...call,
  path: '/poses',
  headers: sharedScreenHeader,
  summary:
    'Places a compound in the pocket of a structure’s ligand; returns score, contacts and coordinates. A model, not an experiment. Free.',
  errors: [...errors],
  query: question,
  answer: Pose,
})

export const downloadPose = endpoint({
  ...call,
  path: '/poses/file',
  headers: sharedScreenHeader,
  summary:
    'Exports the placed compound: SDF contains the compound alone, PDB the structure with it in place of the reference ligand.',
  errors: [...errors],
  query: question.extend({ format: z.enum(['sdf', 'pdb']) }),
  answer: z.unknown(),
  mediaTypes: ['chemical/x-mdl-sdfile', 'chemical/x-pdb'],
})

const ofTarget = { target: AskedName, chain: z.string().min(1).max(4).optional() }

export const readReferences = endpoint({
  ...call,
  path: '/poses/references',
  headers: sharedScreenHeader,
  summary: 'Returns the ligands of a target that compounds can be placed on.',
  errors: [...errors],
  query: z.object(ofTarget),
  answer: PoseReferences,
})

export const keepOwnLigand = endpoint({
  method: 'PUT',
  auth: 'user',
  path: '/poses/own-ligand',
  summary:
    'Sets your own reference ligand of a target: an SDF with 3D coordinates in the frame of the structure, or the SMILES of a ligand of the structure, which adds its bond orders.',
  errors: [...errors, 'file_too_large'],
  body: z
    .object({
      ...ofTarget,
      sdf: z.string().min(1).max(LIGAND_CHARACTERS_MAX).optional(),
      smiles: z.string().min(1).max(LIGAND_CHARACTERS_MAX).optional(),
    })
    .refine(({ sdf, smiles }) => (sdf === undefined) !== (smiles === undefined), {
      message: 'Send either sdf or smiles.',
    }),
  answer: PoseReferences,
})

export const removeOwnLigand = endpoint({
  ...call,
  method: 'DELETE',
  path: '/poses/own-ligand',
  summary:
    'Removes your own reference ligand of a target. Screens keep the one that they were started with.',
  errors: [...errors],
  query: z.object(ofTarget),
  answer: PoseReferences,
})
