/** Uploading target and compound files, and listing what was read from them. */
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { CompoundProperties } from './columns.ts'

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
  /** Residues in SEQRES without coordinates; null without SEQRES. */
  missing: z.number().int().nullable(),
  /**
   * The first breaks of the chain: the residue labels on either side, and the number of residues missing according to
   * SEQRES (null: unknown).
   */
  gaps: z.array(
    z.object({ after: z.string(), before: z.string(), missing: z.number().int().nullable() }),
  ),
  /** Total number of breaks, if `gaps` is cut. */
  gap_count: z.number().int().optional(),
})
export type ChainReport = z.infer<typeof ChainReport>

export const TargetReport = z.object({
  title: z.string().nullable(),
  pdb_code: z.string().nullable(),
  chains: z.array(ChainReport),
  /** The default chain; missing in reports of older uploads. */
  default_chain: z.string().nullish(),
  /** The drug-like ligand of the file, the chain with most residues around it, and its other neighbours. */
  pocket: z
    .object({
      ligand: z.string(),
      chain: z.string(),
      /** Residues of that chain within 4.5 Å of the ligand. */
      residues: z.number().int(),
      /** Names as in the file, for example `ZN`, `NAP`. */
      metals: z.array(z.string()),
      cofactors: z.array(z.string()),
    })
    .optional(),
  /** Modified residues that were read as their parent, for example `MSE` as `MET`, with their number. */
  mapped: z.array(z.object({ from: z.string(), to: z.string(), count: z.number().int() })),
  /** Total number of kinds of modified residues, if `mapped` is cut. */
  mapped_count: z.number().int().optional(),
  /** What the prediction ignores, in chemists' words: `2 ligands (STI)`, `168 waters`. */
  dropped: z.array(z.string()),
  /** Sentences about anything unusual: further models, alternate locations, alpha carbons only. */
  warnings: z.array(z.string()),
  /** False if only a sequence was uploaded: there is nothing to draw or to place compounds in. */
  has_coordinates: z.literal(false).optional(),
})
export type TargetReport = z.infer<typeof TargetReport>

export const Target = z.object({
  name: z.string(),
  filename: z.string(),
  /** The file it was read from: several may have the same name. */
  file_id: z.string().optional(),
  size_bytes: z.number().int(),
  /** Identifier of the chain that predictions use. */
  chain: z.string(),
  /** Residues of that chain. */
  residues: z.number().int(),
  report: TargetReport,
})
export type Target = z.infer<typeof Target>

export const CompoundReport = z.object({
  /** Molecular formula in Hill order, of the molecule used. */
  formula: z.string(),
  /** Average molecular mass in g/mol. */
  mass: z.number(),
  heavy_atoms: z.number().int(),
  /** The molecule used, as canonical SMILES. */
  standard_smiles: z.string(),
  /** Removed fragments, as SMILES. */
  stripped: z.array(z.string()),
  /** Number of neutralised charges. */
  neutralised: z.number().int(),
  warnings: z.array(z.string()),
})
export type CompoundReport = z.infer<typeof CompoundReport>

export const Compound = z.object({
  name: z.string(),
  filename: z.string(),
  file_id: z.string().optional(),
  /** The SMILES as uploaded. */
  smiles: z.string(),
  report: CompoundReport,
  /** The same as in `properties`; for a single compound, not in lists. */
  log_p: z.number().optional(),
  tpsa: z.number().optional(),
  /** Missing until they are computed. */
  properties: CompoundProperties.optional(),
  /** Structural alerts that it matches, for example `PAINS azo_A(324)`. */
  alerts: z.array(z.string()).optional(),
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
  /** Names as in the lists, in file order. */
  names: z.array(z.string()),
  /** Names that were taken by another structure or molecule, and the names stored instead. */
  renamed: z.array(z.object({ from: z.string(), to: z.string() })),
  /** Names that existed already with the same content: nothing was stored twice. */
  unchanged: z.array(z.string()),
  targets: z.array(Target),
  /** The first ones; `names` contains all. */
  compounds: z.array(Compound),
  /** Number of these compounds whose structure you had before under another name, and the first of them. */
  duplicate_count: z.number().int().optional(),
  duplicates: z.array(z.object({ name: z.string(), same_as: z.string() })).optional(),
  /** Total number of skipped lines, if `rejected` is cut. */
  rejected: z.array(RejectedLine),
  rejected_count: z.number().int().optional(),
  /** Number of compounds that match a structural alert; missing until all are checked. */
  flagged_count: z.number().int().optional(),
  /** The first of them, with the names of their alerts: PAINS, Brenk and the user's own patterns. */
  flagged: z.array(z.object({ name: z.string(), alerts: z.array(z.string()) })).optional(),
  /** False if there was no time for the user's own patterns: `flagged` then contains only PAINS and Brenk. */
  own_alerts_checked: z.boolean().optional(),
})
export type UploadAnswer = z.infer<typeof UploadAnswer>

export const uploadFile = endpoint({
  method: 'POST',
  path: '/file_manager/upload',
  auth: 'user',
  summary: 'Uploads one structure (.pdb) or compound file (.txt) and returns what was read.',
  /** The part `file` is sent with these. */
  body: z.object({ file_type: FileType }),
  multipart: true,
  errors: ['conflict', 'unavailable'],
  answer: UploadAnswer,
})

/** The files that a list's names were read from. */
const Origin = z.object({
  /** Several may have the same name. */
  file_names: z.array(z.string()).default([]),
  /** For each name, the index of its file among them, from 0. */
  files: z.array(z.number().int()).default([]),
})

export const listTargets = endpoint({
  method: 'GET',
  path: '/dta/get_protein_names',
  auth: 'user',
  summary: 'Lists your targets, oldest first, with their lengths.',
  /** Only the names are complete; the other lists may be shorter. */
  answer: z.object({
    protein_names: z.array(z.string()),
    /** For each name, the residues of the chain that predictions use. */
    residues: z.array(z.number().int()).default([]),
    /** Number of files they were read from. */
    file_count: z.number().int().optional(),
    ...Origin.shape,
  }),
})

export const readTarget = endpoint({
  method: 'GET',
  path: '/file_manager/targets/:name',
  auth: 'user',
  summary: 'Returns one of your targets and its report.',
  answer: Target,
})

export const readStructure = endpoint({
  method: 'GET',
  path: '/file_manager/targets/:name/structure',
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
    /** For each name, in g/mol. */
    masses: z.array(z.number()).default([]),
    /** Those on the shortlist. */
    starred: z.array(z.string()).default([]),
    file_count: z.number().int().optional(),
    ...Origin.shape,
  }),
})

export const readCompound = endpoint({
  method: 'GET',
  path: '/file_manager/compounds/:name',
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
