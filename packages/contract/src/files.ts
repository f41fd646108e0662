/** Uploading target and compound files, and listing what was read from them. */
import { z } from 'zod'
import { endpoint } from './endpoint.ts'

/** Longest name of a target or a compound, in characters. */
export const NAME_CHARACTERS_MAX = 200

export const FileType = z.enum(['protein_pdb', 'drug_smiles'])
export type FileType = z.infer<typeof FileType>

/** File extension, in lower case, that each type accepts. */
export const acceptedExtension = { protein_pdb: '.pdb', drug_smiles: '.txt' } as const

/** Further extensions that the upload call reads; the boxes of the upload page keep to the one above. */
export const furtherExtensions = {
  protein_pdb: ['.ent', '.cif', '.mmcif', '.pdb.gz', '.ent.gz', '.cif.gz', '.mmcif.gz'],
  drug_smiles: [],
} as const satisfies Record<FileType, readonly string[]>

/** One chain as it was read: what was observed, and what is missing. */
export const ChainReport = z.object({
  id: z.string(),
  kind: z.enum(['protein', 'nucleic acid']),
  residues: z.number().int(),
  /** Residues that SEQRES names but that have no coordinates; null without SEQRES. */
  missing: z.number().int().nullable(),
  /** The first breaks in the chain: the residue labels on either side, and how many residues SEQRES puts between them (null: unknown). */
  gaps: z.array(
    z.object({ after: z.string(), before: z.string(), missing: z.number().int().nullable() }),
  ),
  /** How many breaks there are in all, where `gaps` does not hold every one. */
  gap_count: z.number().int().optional(),
})
export type ChainReport = z.infer<typeof ChainReport>

export const TargetReport = z.object({
  title: z.string().nullable(),
  pdb_code: z.string().nullable(),
  chains: z.array(ChainReport),
  /** The chain that is used until another is chosen; reports of older uploads do not say. */
  default_chain: z.string().nullish(),
  /** The drug-like ligand that the file shows, the chain with most residues around it, and what lies beside it. */
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
  /** How many kinds of modified residues there are in all, where `mapped` does not hold every one. */
  mapped_count: z.number().int().optional(),
  /** What the predictor does not use, in words a chemist reads: `2 ligands (STI)`, `168 waters`. */
  dropped: z.array(z.string()),
  /** Sentences about anything unusual: other models, alternate locations, alpha carbons only. */
  warnings: z.array(z.string()),
})
export type TargetReport = z.infer<typeof TargetReport>

export const Target = z.object({
  name: z.string(),
  filename: z.string(),
  /** The file it was read from: two may carry one name. */
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
  /** Molecular formula in Hill order, of the molecule that is used. */
  formula: z.string(),
  /** Average molecular mass in g/mol. */
  mass: z.number(),
  heavy_atoms: z.number().int(),
  /** The molecule that is used, as canonical SMILES. */
  standard_smiles: z.string(),
  /** Fragments that were left out, as SMILES. */
  stripped: z.array(z.string()),
  /** Number of charges that were neutralised. */
  neutralised: z.number().int(),
  warnings: z.array(z.string()),
})
export type CompoundReport = z.infer<typeof CompoundReport>

export const Compound = z.object({
  name: z.string(),
  filename: z.string(),
  file_id: z.string().optional(),
  /** The SMILES as it was uploaded. */
  smiles: z.string(),
  report: CompoundReport,
  /** Octanol-water logP after Crippen; like the next worked out where one compound is read, not in lists. */
  log_p: z.number().optional(),
  /** Topological polar surface area in Å². */
  tpsa: z.number().optional(),
})
export type Compound = z.infer<typeof Compound>

/** A line of a compound file that was not taken, and why. Lines count from 1. */
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
  /** Names as the lists show them, in file order. */
  names: z.array(z.string()),
  /** Names that were taken by another structure or molecule, and what is stored instead. */
  renamed: z.array(z.object({ from: z.string(), to: z.string() })),
  /** Names that were there already with the same content: nothing was stored twice. */
  unchanged: z.array(z.string()),
  targets: z.array(Target),
  /** The first of them; `names` holds all. */
  compounds: z.array(Compound),
  /** How many lines were not taken in all, where `rejected` does not hold every one. */
  rejected: z.array(RejectedLine),
  rejected_count: z.number().int().optional(),
})
export type UploadAnswer = z.infer<typeof UploadAnswer>

export const uploadFile = endpoint({
  method: 'POST',
  path: '/file_manager/upload',
  auth: 'user',
  summary: 'Stores one target file (.pdb) or compound file (.txt) and says what was read.',
  query: z.object({}),
  /** The part `file` travels beside these. */
  body: z.object({ file_type: FileType }),
  multipart: true,
  errors: ['conflict', 'unavailable'],
  answer: UploadAnswer,
})

/** The files that names of a list were read from. */
const Origin = z.object({
  /** Two may carry one name. */
  file_names: z.array(z.string()).default([]),
  /** Of each name in turn, the place of its file among them, from 0. */
  files: z.array(z.number().int()).default([]),
})

export const listTargets = endpoint({
  method: 'GET',
  path: '/dta/get_protein_names',
  auth: 'user',
  summary: 'The names of your targets, oldest first, and how long each is.',
  query: z.object({}),
  body: z.undefined(),
  /** The names are the list; the rest is what a client shows beside a name, and may be shorter. */
  answer: z.object({
    protein_names: z.array(z.string()),
    /** Of each name in turn, the residues of the chain that predictions use. */
    residues: z.array(z.number().int()).default([]),
    /** How many files they were read from. */
    file_count: z.number().int().optional(),
    ...Origin.shape,
  }),
})

export const readTarget = endpoint({
  method: 'GET',
  path: '/file_manager/targets/:name',
  auth: 'user',
  summary: 'What was read of one of your targets.',
  query: z.object({}),
  body: z.undefined(),
  answer: Target,
})

export const readStructure = endpoint({
  method: 'GET',
  path: '/file_manager/targets/:name/structure',
  auth: 'user',
  summary: 'The file of one of your targets, as text.',
  errors: ['file_unreadable'],
  query: z.object({}),
  body: z.undefined(),
  answer: z.object({ filename: z.string(), content: z.string() }),
})

export const readUsage = endpoint({
  method: 'GET',
  path: '/file_manager/usage',
  auth: 'user',
  summary: 'How many bytes your files take, and how many are kept for you at most.',
  query: z.object({}),
  body: z.undefined(),
  answer: z.object({ bytes_used: z.number().int(), bytes_max: z.number().int() }),
})

export const listCompounds = endpoint({
  method: 'GET',
  path: '/dta/get_compound_names',
  auth: 'user',
  summary: 'The names of your compounds, oldest first, and the mass of each.',
  query: z.object({}),
  body: z.undefined(),
  answer: z.object({
    compound_names: z.array(z.string()),
    /** Of each name in turn, in g/mol. */
    masses: z.array(z.number()).default([]),
    file_count: z.number().int().optional(),
    ...Origin.shape,
  }),
})

export const readCompound = endpoint({
  method: 'GET',
  path: '/file_manager/compounds/:name',
  auth: 'user',
  summary: 'What was read of one of your compounds.',
  query: z.object({}),
  body: z.undefined(),
  answer: Compound,
})

export const chooseChain = endpoint({
  method: 'PUT',
  path: '/file_manager/targets/:name/chain',
  auth: 'user',
  summary: 'Chooses the protein chain of a target that predictions use.',
  query: z.object({}),
  body: z.object({ chain: z.string().min(1).max(4) }),
  answer: Target,
})

/** `GET /samples/index.json`: the files under `/samples/` that a newcomer can try; they are uploaded like any other. */
export const SampleIndex = z.object({
  targets: z.array(z.string()),
  compounds: z.array(z.string()),
})
export type SampleIndex = z.infer<typeof SampleIndex>
