/** A user's own measured values: imported for a target, and used to adjust predictions. */
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { NAME_CHARACTERS_MAX, RejectedLine } from './files.ts'
import { PageNumber, pageSize, SearchText, TOTAL_COUNT_HEADER } from './paging.ts'
import { OwnValuesVerdict } from './predictions.ts'
import { sharedScreenHeader } from './shared-screen.ts'
import { Moment, NO_CONTROL_CHARACTERS } from './text.ts'

/** Maximum values per target. */
export const TARGET_MEASUREMENTS_MAX = 500
/** Maximum values per user. */
export const MEASUREMENTS_MAX = 5000
/** Maximum lines per import; the text limit follows from it. */
export const IMPORTED_LINES_MAX = 1000
const IMPORTED_CHARACTERS_MAX = 500_000

/** As measured. All three are compared with the predicted pKd; an IC50 also depends on the assay. */
export const MeasurementType = z.enum(['Kd', 'Ki', 'IC50'])
export type MeasurementType = z.infer<typeof MeasurementType>

/** `p`: the negative decimal logarithm, as in pKd, pKi and pIC50. */
export const MeasurementUnit = z.enum(['pM', 'nM', 'µM', 'mM', 'M', 'p'])
export type MeasurementUnit = z.infer<typeof MeasurementUnit>

/** Longer than any name; unknown names are repeated in the response. */
const AskedName = z
  .string()
  .min(1)
  .max(5 * NAME_CHARACTERS_MAX)
  .regex(NO_CONTROL_CHARACTERS, 'must not contain control characters')

export const Measurement = z.object({
  id: z.string(),
  target: z.string(),
  compound: z.string().describe('Name of the compound, or its SMILES as entered.'),
  smiles: z.string().describe('Standard SMILES of the molecule.'),
  type: MeasurementType,
  value: z.string().describe('As entered: `12 nM`, `> 10 µM`, `7.2`.'),
  pk: z.number().describe('Negative decimal logarithm of the value in mol/L.'),
  bound: z
    .enum(['upper', 'lower'])
    .nullable()
    .describe(
      '`upper`: the pK is at most this (entered as `>` a concentration); `lower`: at least this.',
    ),
  created_at: Moment,
})
export type Measurement = z.infer<typeof Measurement>

/** May start with `<`, `>` or similar, which refers to the number as entered: a concentration, or a pK. */
const Value = z.union([z.number(), z.string().min(1).max(40)])

export const MeasurementImport = z.object({
  target: AskedName,
  type: MeasurementType.default('Kd').describe('Default type and unit for values that state none.'),
  unit: MeasurementUnit.optional(),
  replace: z
    .boolean()
    .default(false)
    .describe(
      'First deletes the stored values of these compounds; otherwise the new ones are added.',
    ),
  text: z
    .string()
    .max(IMPORTED_CHARACTERS_MAX)
    .optional()
    .describe(
      'CSV or pasted lines: compound (name or SMILES), value, and, unless given for all of them, unit, as `nM`, `uM`, `pKi` or `IC50 nM`. A header line may name the columns, as `compound;IC50 (nM)` or `ID,SMILES,IC50 nM`: then the SMILES is the molecule and the ID its name.',
    ),
  /** The same as rows, for programs. */
  values: z
    .array(
      z.strictObject({
        compound: z.string().min(1).max(5000),
        value: Value,
        unit: MeasurementUnit.optional(),
        type: MeasurementType.optional(),
      }),
    )
    .max(IMPORTED_LINES_MAX)
    .optional(),
})
export type MeasurementImport = z.output<typeof MeasurementImport>

/** The result of an import. Lines (of the text) and rows (of values) count from 1. */
export const ImportedMeasurements = z.object({
  added: z.number().int(),
  replaced: z
    .number()
    .int()
    .describe('Values deleted because the import replaces those of its compounds.'),
  repeated: z
    .number()
    .int()
    .describe(
      'Values that are stored already, for example when an import is sent twice; they are not stored again.',
    ),
  rejected: z.array(RejectedLine),
  has_header: z
    .boolean()
    .describe('Whether the text has a header line: send it again with corrected lines.'),
})
export type ImportedMeasurements = z.infer<typeof ImportedMeasurements>

/** What several values of one compound say together. */
const combinedValue = {
  pk: z
    .number()
    .describe('The mean of several values, which is the geometric mean of the concentrations.'),
  bound: Measurement.shape.bound.describe(
    'Only if all values of the compound are bounds; `pk` is the closest of them.',
  ),
  count: z
    .number()
    .int()
    .describe('Values that went into `pk`: Kd and Ki before IC50, exact ones before bounds.'),
  spread: z
    .number()
    .nullable()
    .describe('Standard deviation of these values in pK; null for one value and for bounds.'),
}

/** All values of one compound on a target, combined. */
export const CombinedMeasurement = z.object({
  smiles: z.string().describe('Standard SMILES.'),
  names: z
    .array(z.string())
    .describe('Name of the compound in its values: a name of yours, or its SMILES as entered.'),
  ...combinedValue,
})
export type CombinedMeasurement = z.infer<typeof CombinedMeasurement>

const ComparedNumber = z.object({ lower: z.number(), upper: z.number(), predicted: z.number() })

/** A measured compound with its predictions; `with_own` uses the values of all other compounds. */
export const ComparedMeasurement = z.object({
  id: z.string().describe('Id of its first value.'),
  compound: z.string(),
  smiles: z.string(),
  ...combinedValue,
  without_own: ComparedNumber.nullable().describe(
    'Null without a prediction of this pair: predict it to see it here.',
  ),
  with_own: ComparedNumber.nullable(),
})
export type ComparedMeasurement = z.infer<typeof ComparedMeasurement>

/** Over exact values. Null if there are too few. */
const Agreement = z.object({
  rmse: z.number().nullable().describe('Root mean square error in pK.'),
  tau: z
    .number()
    .nullable()
    .describe("Kendall's tau b: 1 for the right order, 0 for a random one."),
  tau_interval: z
    .object({ lower: z.number(), upper: z.number() })
    .nullable()
    .describe('95% interval of `tau`; null with fewer than five compounds.'),
})
export type Agreement = z.infer<typeof Agreement>

export const MeasurementComparison = z.object({
  target: z.string(),
  compared: z.array(ComparedMeasurement).describe('Strongest first.'),
  waiting: z
    .number()
    .int()
    .describe('Values whose compound the model has not predicted yet; ask again.'),
  without_own: Agreement,
  with_own: Agreement.describe('Each value predicted from all others.'),
  mean_of_own: Agreement.describe('Each value predicted as the mean of all others.'),
  verdict: OwnValuesVerdict,
  summary: z.string().describe('The verdict as a sentence.'),
  use: z
    .boolean()
    .nullable()
    .describe(
      "The user's choice for the target; null: own values are used unless they harm or are no better than their average.",
    ),
  is_used: z.boolean().describe('Whether predictions on the target use your values now.'),
})
export type MeasurementComparison = z.infer<typeof MeasurementComparison>

export const listMeasurements = endpoint({
  auth: 'user',
  method: 'GET',
  path: '/measurements',
  summary:
    'Lists your measured values, newest first, for all targets or one; total in X-Total-Count.',
  answerHeaders: { [TOTAL_COUNT_HEADER]: 'Total number of values.' },
  query: z.object({
    page: PageNumber.default(1),
    page_size: pageSize(50),
    target: SearchText.describe('Name of a target.'),
  }),
  answer: z.object({
    measurements: z.array(Measurement),
    targets: z
      .array(z.object({ name: z.string(), count: z.number().int() }))
      .describe('Targets with values, and their number.'),
  }),
})

export const combineMeasurements = endpoint({
  auth: 'user',
  method: 'GET',
  path: '/measurements/combined',
  headers: sharedScreenHeader,
  summary:
    'Returns your measured values for a target, one per compound: replicates combined, bounds kept as bounds.',
  query: z.object({ target: AskedName }),
  answer: z.object({ compounds: z.array(CombinedMeasurement) }),
})

export const importMeasurements = endpoint({
  auth: 'user',
  method: 'POST',
  path: '/measurements',
  summary:
    'Imports measured values for a target, any number per compound. Invalid lines are skipped and returned with a reason.',
  errors: ['not_found', 'conflict', 'unavailable'],
  body: MeasurementImport,
  bodyBytesMax: 2 * 1024 * 1024,
  answer: ImportedMeasurements,
})

export const changeMeasurement = endpoint({
  auth: 'user',
  method: 'PUT',
  path: '/measurements/:id',
  summary: 'Replaces a measured value.',
  body: z.object({ value: Value, unit: MeasurementUnit, type: MeasurementType }),
  answer: Measurement,
})

export const deleteMeasurement = endpoint({
  auth: 'user',
  method: 'DELETE',
  path: '/measurements/:id',
  summary: 'Deletes a measured value.',
  answer: z.object({ deleted: z.number().int() }),
})

export const deleteMeasurements = endpoint({
  auth: 'user',
  method: 'DELETE',
  path: '/measurements',
  summary: 'Deletes all your measured values for a target.',
  errors: ['not_found'],
  query: z.object({ target: AskedName }),
  answer: z.object({ deleted: z.number().int() }),
})

export const chooseUseOfMeasurements = endpoint({
  auth: 'user',
  method: 'PUT',
  path: '/measurements/use',
  summary:
    'Sets whether predictions for a target use your values. With `null`, they are used unless they make predictions worse or are no better than the average of your values. Such values never narrow an interval.',
  errors: ['not_found'],
  body: z.object({ target: AskedName, use: z.boolean().nullable() }),
  answer: z.object({ use: z.boolean().nullable() }),
})

export const compareMeasurements = endpoint({
  auth: 'user',
  method: 'GET',
  path: '/measurements/comparison',
  headers: sharedScreenHeader,
  summary:
    'Compares the measured values of a target with three predictions: one without your values, one with all of them except the value compared (leave-one-out), and the mean of the other values.',
  errors: ['not_found'],
  query: z.object({ target: AskedName }),
  answer: MeasurementComparison,
})
