/**
 * Every column of a result row, once: its schema, what it says, and how it is written. Rows of the API, sorting and filters,
 * the headings and the order of files, the table, its choice of columns, filters and axes on the page, `docs/columns.md` and
 * the Python client follow from it. Where a value comes from: `packages/biochem` (`descriptors`) for properties of compounds.
 */
import { z } from 'zod'
import { DomainState } from './predictions.ts'

type Column = {
  schema: z.ZodType
  /**
   * `input` and `pair`; `property`: of the compound, from its structure alone; `efficiency`: of a pair, from its best estimate
   * and properties; `structure`: only of a screen with structure; `profile`: only with a profile; `run`: last in files.
   */
  of: 'input' | 'pair' | 'property' | 'efficiency' | 'structure' | 'profile' | 'run'
  about: string
  /** In files and on the page; default: the name. */
  heading?: string
  /** Inside a sentence; default: the heading. */
  label?: string
  /** Decimals on the page. */
  digits?: number
  /** Shown on the page until the user chooses; others can be chosen. */
  isShown?: boolean
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
    about: 'Row number of the compound in the input, from 1.',
  },
  compound: { schema: z.string(), of: 'input', about: 'Name of the compound.' },
  smiles: {
    schema: z.string(),
    of: 'input',
    about: 'As uploaded; empty for an unknown compound.',
  },
  target: { schema: z.string(), of: 'input', about: 'Name of the target.' },
  chain: { schema: z.string(), of: 'input', about: 'Chain of the target that is predicted on.' },
  best_kd: {
    schema: pkd,
    of: 'pair',
    heading: 'pKd',
    about:
      'Best estimate of the pKd: the prediction from sequence and compound, moved by the pose and by your measured values on the target where there are any. Null without a prediction, or until there is one.',
  },
  best_lower: {
    schema: pkd,
    of: 'pair',
    heading: 'Lower 95%',
    about: 'Lower end of its 95% interval.',
  },
  best_upper: {
    schema: pkd,
    of: 'pair',
    heading: 'Upper 95%',
    about: 'Upper end of its 95% interval.',
  },
  predicted_kd: {
    schema: pkd,
    of: 'pair',
    heading: 'pKd (sequence)',
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
    of: 'pair',
    heading: 'Own values used',
    about:
      'Number of your measured values on the target that the best estimate uses; null if none.',
  },
  in_domain: {
    schema: z.boolean().nullable(),
    of: 'pair',
    about: 'Whether similar compounds were measured on this target.',
  },
  domain_state: {
    schema: DomainState.nullable(),
    of: 'pair',
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
    about: 'Similarity to the closest training compound, 0 to 1.',
  },
  target_similarity: {
    schema: similarity,
    of: 'pair',
    about: 'Similarity to the closest training target, 0 to 1.',
  },
  selectivity: {
    schema: pkd,
    of: 'pair',
    about: 'Best estimate minus the highest best estimate of the compound on the other targets.',
  },
  selectivity_error: {
    schema: pkd,
    of: 'pair',
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
    heading: 'Not told apart from the best',
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

type Columns = typeof columns
export type ColumnName = keyof Columns
type NameOf<Of extends Column['of']> = {
  [Name in ColumnName]: Columns[Name]['of'] extends Of ? Name : never
}[ColumnName]
type RowName = {
  [Name in ColumnName]: Columns[Name] extends { only: 'files' } ? never : Name
}[ColumnName]
type FileName = Exclude<ColumnName, 'structure_adjusted' | 'selectivity_error'>

const all = Object.entries<Column>(columns)

function namesOf<Of extends Column['of']>(...of: Of[]): NameOf<Of>[] {
  return all.flatMap(([name, column]) =>
    (of as string[]).includes(column.of) ? [name as NameOf<Of>] : [],
  )
}

function inFiles<Name extends ColumnName>(names: Name[]): Extract<Name, FileName>[] {
  return names.filter((name): name is Extract<Name, FileName> => {
    const { only }: Column = columns[name]
    return only !== 'rows'
  })
}

export const ScreenRow = z.object(
  Object.fromEntries(
    all.flatMap(([name, { schema, about, only }]) =>
      only === 'files' ? [] : [[name, schema.describe(about)]],
    ),
  ) as { [Name in RowName]: Columns[Name]['schema'] },
)
export type ScreenRow = z.infer<typeof ScreenRow>

export const compoundProperties = namesOf('property')
export type CompoundProperty = (typeof compoundProperties)[number]
export const pairEfficiencies = namesOf('efficiency')
export const rowProperties = namesOf('property', 'efficiency')
export type RowProperty = (typeof rowProperties)[number]

/** Computed by RDKit from the compound that is predicted on: without salts, neutralised. */
export const CompoundProperties = z.object(
  Object.fromEntries(
    compoundProperties.map((name) => [name, columns[name].schema.unwrap().unwrap()]),
  ) as Record<CompoundProperty, z.ZodNumber>,
)
export type CompoundProperties = z.infer<typeof CompoundProperties>

/** Columns of files per pair, in this order. */
export const screenRowColumns = inFiles(namesOf('input', 'pair', 'property', 'efficiency'))

/** Additional columns in files of a screen with `structure`, in files with a profile, and last in files. */
export const structureColumns = inFiles(namesOf('structure'))
export const profileColumns = inFiles(namesOf('profile'))
export const runColumns = inFiles(namesOf('run'))

type PropertyLabel = { short: string; long: string; digits: number; isShown: boolean }

/** Column heading, wording inside a sentence, number of decimals, and whether the page shows it by default. */
export const propertyLabels = Object.fromEntries(
  rowProperties.map((name): [RowProperty, PropertyLabel] => {
    const { heading, digits, ...column }: Column & { heading: string; digits: number } =
      columns[name]
    return [
      name,
      { short: heading, long: column.label ?? heading, digits, isShown: column.isShown ?? false },
    ]
  }),
) as Record<RowProperty, PropertyLabel>

const headings = new Map(all.map(([name, { heading = name }]) => [name, heading]))

/** Heading of a field in a CSV, an XLSX or an SDF; by default the field name. */
export function fileHeading(field: string): string {
  return headings.get(field) ?? field
}
