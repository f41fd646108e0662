/**
 * Every column of a result row, once: its schema, what it says, and how it is written. Rows of the API, sorting and filters,
 * the headings and the order of files, the table, its choice of columns, filters and axes on the page, `docs/columns.md` and
 * the Python client follow from it. Where a value comes from: `packages/biochem` (`descriptors`) for properties of compounds.
 */
import { z } from 'zod'
import { DomainState } from './predictions.ts'

export type Column = {
  schema: z.ZodType
  /**
   * `input` and `pair`; `estimate`: of a pair, from its best estimate; `property`: of the compound, from its structure alone;
   * `efficiency`: of a pair, from its best estimate and properties; `structure`: only of a screen with structure;
   * `profile`: only with a profile; `run`: last in files.
   */
  of: 'input' | 'estimate' | 'pair' | 'property' | 'efficiency' | 'structure' | 'profile' | 'run'
  about: string
  /** In files; default: the name. */
  heading?: string
  /** Heading on the page; default: that in files. */
  title?: string
  /** Inside a sentence and on an axis; default: the heading. */
  label?: string
  /** Decimals on the page. */
  digits?: number
  /** Shown on the page until the user chooses; false: can be chosen; missing: not on the page. */
  isShown?: boolean
  /** Pairs can be plotted by it. */
  isAxis?: true
  /** Rows are sorted by it under this name; `ranked`: after "by", default: the title. */
  sort?: string
  ranked?: string
  /** Sorted ascending at first. */
  isAscending?: true
  /** Parameters that filter by it (`ScreenFilter`), for a property beside `name_min` and `name_max`. */
  filters?: readonly string[]
  only?: 'rows' | 'files'
}

const pkd = z.number().nullable()
const similarity = z.number().nullable()
const whole = z.number().int().nullish()
const real = z.number().nullish()

/** In the order of files. */
export const columns = {
  row: {
    schema: z.number().int().min(1),
    of: 'input',
    sort: 'input',
    isAscending: true,
    about: 'Row number of the compound in the input, from 1.',
  },
  compound: {
    schema: z.string(),
    of: 'input',
    about: 'Name of the compound.',
    filters: ['text', 'starred'],
  },
  smiles: {
    schema: z.string(),
    of: 'input',
    filters: ['smarts'],
    about: 'As uploaded; empty for an unknown compound.',
  },
  target: {
    schema: z.string(),
    of: 'input',
    about: 'Name of the target.',
    title: 'Target',
    isShown: true,
    filters: ['target'],
  },
  chain: { schema: z.string(), of: 'input', about: 'Chain of the target that is predicted on.' },
  best_kd: {
    schema: pkd,
    of: 'estimate',
    heading: 'pKd',
    label: 'Predicted pKd',
    isShown: true,
    isAxis: true,
    sort: 'affinity',
    filters: ['min', 'max'],
    about:
      'Best estimate of the pKd: the prediction from sequence and compound, moved by the pose and by your measured values on the target where there are any. Null without a prediction, or until there is one.',
  },
  best_lower: {
    schema: pkd,
    of: 'estimate',
    heading: 'Lower 95%',
    title: 'Interval',
    label: 'Interval width, pKd',
    isShown: true,
    isAxis: true,
    sort: 'interval',
    ranked: 'interval width',
    isAscending: true,
    about: 'Lower end of its 95% interval.',
  },
  best_upper: {
    schema: pkd,
    of: 'estimate',
    heading: 'Upper 95%',
    about: 'Upper end of its 95% interval.',
  },
  predicted_kd: {
    schema: pkd,
    of: 'pair',
    heading: 'pKd (sequence)',
    title: 'pKd, sequence',
    isShown: false,
    about:
      'Predicted pKd from sequence and compound. It never changes for a pair and a model version.',
  },
  lower: {
    schema: pkd,
    of: 'pair',
    heading: 'Lower 95% (sequence)',
    about: 'Lower end of the 95% interval of `predicted_kd`.',
  },
  upper: {
    schema: pkd,
    of: 'pair',
    heading: 'Upper 95% (sequence)',
    about: 'Upper end of the 95% interval of `predicted_kd`.',
  },
  own_values: {
    schema: z.number().int().nullable(),
    of: 'estimate',
    heading: 'Own values used',
    about:
      'Number of your measured values on the target that the best estimate uses; null if none.',
  },
  in_domain: {
    schema: z.boolean().nullable(),
    of: 'pair',
    filters: ['in_domain'],
    about: 'Whether similar compounds were measured on this target.',
  },
  domain_state: {
    schema: DomainState.nullable(),
    of: 'pair',
    title: 'Domain',
    isShown: true,
    filters: ['domain_state'],
    about:
      '`in_domain` is true for `known_on_target`; null if the pair was predicted before there were three states.',
  },
  is_ligand_driven: {
    schema: z.boolean().nullable(),
    of: 'pair',
    about: 'Whether the prediction rests mainly on the compound: no training target is similar.',
  },
  compound_similarity: {
    schema: similarity,
    of: 'pair',
    title: 'Closest compound',
    label: 'Similarity of the closest compound',
    isShown: true,
    isAxis: true,
    sort: 'compound_similarity',
    ranked: 'similarity to the closest compound',
    about: 'Similarity to the closest training compound, 0 to 1.',
  },
  target_similarity: {
    schema: similarity,
    of: 'pair',
    title: 'Closest target',
    label: 'Similarity of the closest target',
    isShown: true,
    isAxis: true,
    sort: 'target_similarity',
    ranked: 'similarity to the closest target',
    about: 'Similarity to the closest training target, 0 to 1.',
  },
  selectivity: {
    schema: pkd,
    of: 'estimate',
    title: 'Selectivity',
    label: 'Selectivity (ΔpKd)',
    isShown: true,
    isAxis: true,
    sort: 'selectivity',
    ranked: 'selectivity',
    about: 'Best estimate minus the highest best estimate of the compound on the other targets.',
  },
  selectivity_error: {
    schema: pkd,
    of: 'estimate',
    only: 'rows',
    about: 'Half-width of the 95% interval of `selectivity`: a smaller difference is within error.',
  },
  reason: {
    schema: z.string().nullable(),
    of: 'pair',
    about: 'Why there is no prediction.',
  },
  mass: {
    schema: real,
    of: 'property',
    heading: 'MW',
    label: 'Molecular weight',
    digits: 0,
    isShown: true,
    about: 'Average molecular mass in g/mol.',
  },
  log_p: {
    schema: real,
    of: 'property',
    heading: 'cLogP',
    digits: 1,
    isShown: true,
    about: 'Octanol-water logP after Crippen.',
  },
  tpsa: {
    schema: real,
    of: 'property',
    heading: 'TPSA',
    label: 'Polar surface area',
    digits: 0,
    about: 'Topological polar surface area in Å².',
  },
  donors: {
    schema: whole,
    of: 'property',
    heading: 'HBD',
    label: 'H-bond donors',
    digits: 0,
    about: "As RDKit defines them, which is not Lipinski's count of N and O.",
  },
  acceptors: {
    schema: whole,
    of: 'property',
    heading: 'HBA',
    label: 'H-bond acceptors',
    digits: 0,
    about: "As RDKit defines them, which is not Lipinski's count of N and O.",
  },
  rotatable_bonds: {
    schema: whole,
    of: 'property',
    heading: 'RotB',
    label: 'Rotatable bonds',
    digits: 0,
    about: 'Rotatable bonds.',
  },
  rings: { schema: whole, of: 'property', heading: 'Rings', digits: 0, about: 'Rings.' },
  aromatic_rings: {
    schema: whole,
    of: 'property',
    heading: 'Aromatic rings',
    digits: 0,
    about: 'Aromatic rings.',
  },
  fsp3: {
    schema: real,
    of: 'property',
    heading: 'Fsp3',
    digits: 2,
    about: 'Share of carbon atoms with four single bonds, 0 to 1.',
  },
  heavy_atoms: {
    schema: whole,
    of: 'property',
    heading: 'Heavy atoms',
    digits: 0,
    about: 'Atoms other than hydrogen.',
  },
  charge: {
    schema: whole,
    of: 'property',
    heading: 'Charge',
    label: 'Formal charge',
    digits: 0,
    about: 'Formal charge.',
  },
  measured_pk: {
    schema: real,
    of: 'pair',
    heading: 'Measured pK',
    isAxis: true,
    about: 'Your measured values for exactly this pair: the mean of the exact ones in pK.',
  },
  ligand_efficiency: {
    schema: real,
    of: 'efficiency',
    heading: 'LE',
    label: 'Ligand efficiency',
    digits: 2,
    isShown: true,
    about: '1.37 × best estimate / heavy atoms, in kcal/mol per heavy atom.',
  },
  lipophilic_efficiency: {
    schema: real,
    of: 'efficiency',
    heading: 'LLE',
    label: 'Lipophilic efficiency',
    digits: 1,
    about: 'Best estimate − cLogP.',
  },
  alerts: {
    schema: z.array(z.string()).nullish(),
    of: 'pair',
    heading: 'Alerts',
    isShown: true,
    filters: ['alerts'],
    about:
      'Structural alerts that the compound matches, such as `PAINS azo_A(324)`, and your own patterns.',
  },
  structure_adjusted: {
    schema: z
      .object({ value: z.number(), lower: z.number(), upper: z.number() })
      .nullable()
      .optional(),
    of: 'structure',
    only: 'rows',
    title: 'pKd, pose',
    isShown: false,
    about:
      'If one of your screens placed the compound in the structure: the prediction moved by the pose, by the similarity to the reference ligand and by learnt differences between compounds, each compared with the other compounds of that screen. Your measured values move it further. Null if there is no pose.',
  },
  structure_adjusted_kd: {
    schema: pkd,
    of: 'structure',
    only: 'files',
    heading: 'pKd (pose)',
    about: 'The same in files.',
  },
  structure_lower: {
    schema: pkd,
    of: 'structure',
    only: 'files',
    heading: 'Lower 95% (pose)',
    about: 'Lower end of its 95% interval.',
  },
  structure_upper: {
    schema: pkd,
    of: 'structure',
    only: 'files',
    heading: 'Upper 95% (pose)',
    about: 'Upper end of its 95% interval.',
  },
  structure_reason: {
    schema: z.string().nullable().optional(),
    of: 'structure',
    heading: 'Why there is no pose',
    about: 'Why there is no pose.',
  },
  profile_probability: {
    schema: real,
    of: 'profile',
    heading: 'Meets the profile',
    title: 'Chance to fit profile',
    isShown: true,
    sort: 'profile',
    ranked: 'profile',
    filters: ['profile'],
    about: 'Probability that the pair meets the profile, 0 to 1.',
  },
  profile_lower: {
    schema: real,
    of: 'profile',
    heading: 'Meets the profile, lower',
    about: "The lowest over the pKd's interval.",
  },
  profile_upper: {
    schema: real,
    of: 'profile',
    heading: 'Meets the profile, upper',
    about: "The highest over the pKd's interval.",
  },
  profile_tied: {
    schema: z.boolean().nullish(),
    of: 'profile',
    heading: 'Tied with the best',
    about: 'Tied with the best score of the screen on this target.',
  },
  model_version: {
    schema: z.string(),
    of: 'run',
    heading: 'Model version',
    about:
      'Of the model that predicted the row: rows differ if the server was upgraded while the screen ran.',
  },
  screen: {
    schema: z.string(),
    of: 'run',
    only: 'files',
    heading: 'Screen',
    about: 'Identifier of the screen.',
  },
} as const satisfies Record<string, Column>

export type Columns = typeof columns
export type ColumnName = keyof Columns
