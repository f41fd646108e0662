/** Uploading target and compound files, and listing what was read from them. */
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { CompoundProperties } from './result-rows.ts'
import { sharedScreenHeader } from './shared-screen.ts'

/** Maximum length of a target or compound name, in characters. */
export const NAME_CHARACTERS_MAX = 200

export const FileType = z.enum(['protein_pdb', 'drug_smiles'])
export type FileType = z.infer<typeof FileType>

/** File extension, in lower case, that each type accepts. */
export const acceptedExtension = { protein_pdb: '.pdb', drug_smiles: '.txt' } as const

/** Further extensions that the upload endpoint reads; the upload page's boxes accept only the one above. */
export const furtherExtensions = {
  protein_pdb: [
    '.ent',
    '.cif',
    '.mmcif',
    '.pdb.gz',
    '.ent.gz',
    '.cif.gz',
    '.mmcif.gz',
    '.fasta',
    '.fa',
  ],
  drug_smiles: [],
} as const satisfies Record<FileType, readonly string[]>

/** One chain as read: observed and missing residues. */
export const ChainReport = z.object({
  id: z.string(),
  kind: z.enum(['protein', 'nucleic acid']),
  residues: z.number().int(),
  missing: z
    .number()
    .int()
    .nullable()
    .describe('Residues in SEQRES without coordinates; null without SEQRES.'),
  /**
   * The first breaks of the chain: the residue labels on either side, and the number of residues missing according to
   * SEQRES (null: unknown).
   */
  gaps: z.array(
    z.object({ after: z.string(), before: z.string(), missing: z.number().int().nullable() }),
  ),
  gap_count: z.number().int().optional().describe('Total number of breaks, if `gaps` is cut.'),
})
export type ChainReport = z.infer<typeof ChainReport>

export const TargetReport = z.object({
  title: z.string().nullable(),
  pdb_code: z.string().nullable(),
  chains: z.array(ChainReport),
  default_chain: z
    .string()
    .nullish()
    .describe('The default chain; missing in reports of older uploads.'),
  /** The drug-like ligand of the file, the chain with most residues around it, and its other neighbours. */
  pocket: z
    .object({
      ligand: z.string(),
      chain: z.string(),
      residues: z.number().int().describe('Residues of that chain within 4.5 Å of the ligand.'),
      metals: z.array(z.string()).describe('Names as in the file, for example `ZN`, `NAP`.'),
      cofactors: z.array(z.string()),
    })
    .optional(),
  mapped: z
    .array(z.object({ from: z.string(), to: z.string(), count: z.number().int() }))
    .describe(
      'Modified residues that were read as their parent, for example `MSE` as `MET`, with their number.',
    ),
  mapped_count: z
    .number()
    .int()
    .optional()
    .describe('Total number of kinds of modified residues, if `mapped` is cut.'),
  dropped: z
    .array(z.string())
    .describe("What the prediction ignores, in chemists' words: `2 ligands (STI)`, `168 waters`."),
  warnings: z
    .array(z.string())
    .describe(
      'Sentences about anything unusual: further models, alternate locations, alpha carbons only.',
    ),
  has_coordinates: z
    .literal(false)
    .optional()
    .describe(
      'False if only a sequence was uploaded: there is nothing to draw or to place compounds in.',
    ),
})
export type TargetReport = z.infer<typeof TargetReport>

export const Target = z.object({
  name: z.string(),
  filename: z.string(),
  file_id: z
    .string()
    .optional()
    .describe('The file it was read from: several may have the same name.'),
  size_bytes: z.number().int(),
  chain: z.string().describe('Identifier of the chain that predictions use.'),
  residues: z.number().int().describe('Residues of that chain.'),
  report: TargetReport,
})
export type Target = z.infer<typeof Target>

export const CompoundReport = z.object({
  formula: z.string().describe('Molecular formula in Hill order, of the molecule used.'),
  mass: z.number().describe('Average molecular mass in g/mol.'),
  heavy_atoms: z.number().int(),
  standard_smiles: z.string().describe('The molecule used, as canonical SMILES.'),
  stripped: z.array(z.string()).describe('Removed fragments, as SMILES.'),
  neutralised: z.number().int().describe('Number of neutralised charges.'),
  warnings: z.array(z.string()),
})
export type CompoundReport = z.infer<typeof CompoundReport>

export const Compound = z.object({
  name: z.string(),
  filename: z.string(),
  file_id: z.string().optional(),
  smiles: z.string().describe('The SMILES as uploaded.'),
  report: CompoundReport,
  log_p: z
    .number()
    .optional()
    .describe('The same as in `properties`; for a single compound, not in lists.'),
  tpsa: z.number().optional(),
  properties: CompoundProperties.optional().describe('Missing until they are computed.'),
  alerts: z
    .array(z.string())
    .optional()
    .describe('Structural alerts that it matches, for example `PAINS azo_A(324)`.'),
})
export type Compound = z.infer<typeof Compound>

/** A skipped line of a compound file, and why. Lines count from 1. */
export const RejectedLine = z.object({
  line: z.number().int(),
  text: z.string(),
  reason: z.string(),
})
export type RejectedLine = z.infer<typeof RejectedLine>

export const UploadAnswer = z.object({
  message: z.string(),
  file_type: FileType,
  filename: z.string(),
  names: z.array(z.string()).describe('Names as in the lists, in file order.'),
  renamed: z
    .array(z.object({ from: z.string(), to: z.string() }))
    .describe(
      'Names that were taken by another structure or molecule, and the names stored instead.',
    ),
  unchanged: z
    .array(z.string())
    .describe('Names that existed already with the same content: nothing was stored twice.'),
  targets: z.array(Target),
  compounds: z.array(Compound).describe('The first ones; `names` contains all.'),
  duplicate_count: z
    .number()
    .int()
    .optional()
    .describe(
      'Number of these compounds whose structure you had before under another name, and the first of them.',
    ),
  duplicates: z.array(z.object({ name: z.string(), same_as: z.string() })).optional(),
  rejected: z.array(RejectedLine),
  rejected_count: z
    .number()
    .int()
    .optional()
    .describe('Total number of skipped lines, if `rejected` is cut.'),
  flagged_count: z
    .number()
    .int()
    .optional()
    .describe('Number of compounds that match a structural alert; missing until all are checked.'),
  flagged: z
    .array(z.object({ name: z.string(), alerts: z.array(z.string()) }))
    .optional()
    .describe(
      "The first of them, with the names of their alerts: PAINS, Brenk and the user's own patterns.",
    ),
  own_alerts_checked: z
    .boolean()
    .optional()
    .describe(
      "False if there was no time for the user's own patterns: `flagged` then contains only PAINS and Brenk.",
    ),
})
export type UploadAnswer = z.infer<typeof UploadAnswer>

export const uploadFile = endpoint({
  method: 'POST',
  path: '/file_manager/upload',
  auth: 'user',
  summary: 'Uploads one structure (.pdb) or compound file (.txt) and returns what was read.',
  body: z.object({ file_type: FileType }).describe('The part `file` is sent with these.'),
  multipart: true,
  errors: ['conflict', 'unavailable'],
  answer: UploadAnswer,
})

/** The files that a list's names were read from. */
const Origin = z.object({
  file_names: z.array(z.string()).default([]).describe('Several may have the same name.'),
  files: z
    .array(z.number().int())
    .default([])
    .describe('For each name, the index of its file among them, from 0.'),
})

export const listTargets = endpoint({
  method: 'GET',
  path: '/dta/get_protein_names',
  auth: 'user',
  summary: 'Lists your targets, oldest first, with their lengths.',
  /** Only the names are complete; the other lists may be shorter. */
  answer: z.object({
    protein_names: z.array(z.string()),
    residues: z
      .array(z.number().int())
      .default([])
      .describe('For each name, the residues of the chain that predictions use.'),
    file_count: z.number().int().optional().describe('Number of files they were read from.'),
    ...Origin.shape,
  }),
})

export const readTarget = endpoint({
  method: 'GET',
  path: '/file_manager/targets/:name',
  headers: sharedScreenHeader,
  auth: 'user',
  summary: 'Returns one of your targets and its report.',
  answer: Target,
})

export const readStructure = endpoint({
  method: 'GET',
  path: '/file_manager/targets/:name/structure',
  headers: sharedScreenHeader,
  auth: 'user',
  summary: 'Returns the structure file of a target as text.',
  errors: ['file_unreadable'],
  answer: z.object({ filename: z.string(), content: z.string() }),
})

export const readUsage = endpoint({
  method: 'GET',
  path: '/file_manager/usage',
  auth: 'user',
  summary: 'Returns your storage use and limit in bytes.',
  answer: z.object({ bytes_used: z.number().int(), bytes_max: z.number().int() }),
})

export const listCompounds = endpoint({
  method: 'GET',
  path: '/dta/get_compound_names',
  auth: 'user',
  summary: 'Lists your compounds, oldest first, with their masses.',
  answer: z.object({
    compound_names: z.array(z.string()),
    masses: z.array(z.number()).default([]).describe('For each name, in g/mol.'),
    starred: z.array(z.string()).default([]).describe('Those on the shortlist.'),
    file_count: z.number().int().optional(),
    ...Origin.shape,
  }),
})

export const readCompound = endpoint({
  method: 'GET',
  path: '/file_manager/compounds/:name',
  headers: sharedScreenHeader,
  auth: 'user',
  summary: 'Returns one of your compounds and its report.',
  answer: Compound,
})

export const chooseChain = endpoint({
  method: 'PUT',
  path: '/file_manager/targets/:name/chain',
  auth: 'user',
  summary: 'Sets the protein chain of a target used for predictions.',
  body: z.object({ chain: z.string().min(1).max(4) }),
  answer: Target,
})

/** `GET /samples/index.json`: the files under `/samples/` that a newcomer can try; they are uploaded like any other. */
export const SampleIndex = z.object({
  targets: z.array(z.string()),
  compounds: z.array(z.string()),
})
export type SampleIndex = z.infer<typeof SampleIndex>
