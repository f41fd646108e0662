/** A user's own measured values: imported for a target, and used to adjust predictions. */
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { NAME_CHARACTERS_MAX, RejectedLine } from './files.ts'
import { PageNumber, pageSize, SearchText, TOTAL_COUNT_HEADER } from './paging.ts'
import { OwnValuesVerdict } from './predictions.ts'
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
  /** Name of the compound, or its SMILES as entered. */
  compound: z.string(),
  /** Standard SMILES of the molecule. */
  smiles: z.string(),
  type: MeasurementType,
  /** As entered: `12 nM`, `> 10 µM`, `7.2`. */
  value: z.string(),
  /** Negative decimal logarithm of the value in mol/L. */
  pk: z.number(),
  /** `upper`: the pK is at most this (entered as `>` a concentration); `lower`: at least this. */
  bound: z.enum(['upper', 'lower']).nullable(),
  created_at: Moment,
})
export type Measurement = z.infer<typeof Measurement>

/** May start with `<`, `>` or similar, which refers to the number as entered: a concentration, or a pK. */
const Value = z.union([z.number(), z.string().min(1).max(40)])

export const MeasurementImport = z.object({
  target: AskedName,
  /** Default type and unit for values that state none. */
  type: MeasurementType.default('Kd'),
  unit: MeasurementUnit.optional(),
  /** First deletes the stored values of these compounds; otherwise the new ones are added. */
  replace: z.boolean().default(false),
  /**
   * CSV or pasted lines: compound (name or SMILES), value, and, unless given for all of them, unit, as `nM`, `uM`,
   * `pKi` or `IC50 nM`. A header line may name the columns, as `compound;IC50 (nM)` or `ID,SMILES,IC50 nM`: then the
   * SMILES is the molecule and the ID its name.
   */
  text: z.string().max(IMPORTED_CHARACTERS_MAX).optional(),
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
  /** Values deleted because the import replaces those of its compounds. */
  replaced: z.number().int(),
  /** Values that are stored already, for example when an import is sent twice; they are not stored again. */
  repeated: z.number().int(),
  rejected: z.array(RejectedLine),
  /** Whether the text has a header line: send it again with corrected lines. */
  has_header: z.boolean(),
})
export type ImportedMeasurements = z.infer<typeof ImportedMeasurements>

/** All values of one compound on a target, combined. */
export const CombinedMeasurement = z.object({
  /** Standard SMILES. */
  smiles: z.string(),
  /** Name of the compound in its values: a name of yours, or its SMILES as entered. */
  names: z.array(z.string()),
  /** The mean of several values, which is the geometric mean of the concentrations. */
  pk: z.number(),
  /** Only if all values of the compound are bounds; `pk` is the closest of them. */
  bound: Measurement.shape.bound,
  /** Values that went into `pk`: Kd and Ki before IC50, exact ones before bounds. */
  count: z.number().int(),
  /** Standard deviation of these values in pK; null for one value and for bounds. */
  spread: z.number().nullable(),
})
export type CombinedMeasurement = z.infer<typeof CombinedMeasurement>

const ComparedNumber = z.object({ lower: z.number(), upper: z.number(), predicted: z.number() })

/** A measured compound with its predictions; `with_own` uses the values of all other compounds. */
export const ComparedMeasurement = z.object({
  /** Id of its first value. */
  id: z.string(),
  compound: z.string(),
  smiles: z.string(),
  /** The mean of several values, which is the geometric mean of the concentrations. */
  pk: z.number(),
  /** Only if all values of the compound are bounds; `pk` is the closest of them. */
  bound: Measurement.shape.bound,
  /** Values that went into `pk`: Kd and Ki before IC50, exact ones before bounds. */
  count: z.number().int(),
  /** Standard deviation of these values in pK; null for one value and for bounds. */
  spread: z.number().nullable(),
  /** Null without a prediction of this pair: predict it to see it here. */
  without_own: ComparedNumber.nullable(),
  with_own: ComparedNumber.nullable(),
})
export type ComparedMeasurement = z.infer<typeof ComparedMeasurement>

/** Over exact values. Null if there are too few. */
const Agreement = z.object({
  /** Root mean square error in pK. */
  rmse: z.number().nullable(),
  /** Kendall's tau b: 1 for the right order, 0 for a random one. */
  tau: z.number().nullable(),
  /** 95% interval of `tau`; null with fewer than five compounds. */
  tau_interval: z.object({ lower: z.number(), upper: z.number() }).nullable(),
})
export type Agreement = z.infer<typeof Agreement>

export const MeasurementComparison = z.object({
  target: z.string(),
  /** Strongest first. */
  compared: z.array(ComparedMeasurement),
  /** Values whose compound the model has not predicted yet; ask again. */
  waiting: z.number().int(),
  without_own: Agreement,
  /** Each value predicted from all others. */
  with_own: Agreement,
  /** Each value predicted as the mean of all others. */
  mean_of_own: Agreement,
  verdict: OwnValuesVerdict,
  /** The verdict as a sentence. */
  summary: z.string(),
  /** The user's choice for the target; null: own values are used unless they harm or are no better than their average. */
  use: z.boolean().nullable(),
  /** Whether predictions on the target use your values now. */
  is_used: z.boolean(),
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
    /** Name of a target. */
    target: SearchText,
  }),
  answer: z.object({
    measurements: z.array(Measurement),
    /** Targets with values, and their number. */
    targets: z.array(z.object({ name: z.string(), count: z.number().int() })),
  }),
})

export const combineMeasurements = endpoint({
  auth: 'user',
  method: 'GET',
  path: '/measurements/combined',
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
  summary:
    'Compares the measured values of a target with three predictions: one without your values, one with all of them except the value compared (leave-one-out), and the mean of the other values.',
  errors: ['not_found'],
  query: z.object({ target: AskedName }),
  answer: MeasurementComparison,
})
