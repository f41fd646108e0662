/** A user's own measured values: imported for a target, and from then on said beside the model's numbers. */
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { NAME_CHARACTERS_MAX, RejectedLine } from './files.ts'
import { PageNumber, pageSize, SearchText, TOTAL_COUNT_HEADER } from './paging.ts'

/** Values on one target, at most. */
export const TARGET_MEASUREMENTS_MAX = 500
/** Values of one user, at most. */
export const MEASUREMENTS_MAX = 5000
/** Lines of one import, at most; the text may be as long as they can be. */
export const IMPORTED_LINES_MAX = 1000
const IMPORTED_CHARACTERS_MAX = 500_000

/** As it was measured. All three are compared with the model's pKd; an IC50 depends on the assay as well. */
export const MeasurementType = z.enum(['Kd', 'Ki', 'IC50'])
export type MeasurementType = z.infer<typeof MeasurementType>

/** `p`: the negative decimal logarithm, as pKd, pKi and pIC50 are. */
export const MeasurementUnit = z.enum(['pM', 'nM', 'µM', 'mM', 'M', 'p'])
export type MeasurementUnit = z.infer<typeof MeasurementUnit>

/** Longer than any name can be; what is not found is repeated in the answer. */
const AskedName = z
  .string()
  .min(1)
  .max(5 * NAME_CHARACTERS_MAX)
  .regex(/^\P{Cc}*$/u, 'it holds a character that is in no name')

export const Measurement = z.object({
  id: z.string(),
  target: z.string(),
  /** Name of the compound, or its SMILES as it was given. */
  compound: z.string(),
  /** Standard SMILES of the molecule that is meant. */
  smiles: z.string(),
  type: MeasurementType,
  /** As it was given: `12 nM`, `> 10 µM`, `7.2`. */
  value: z.string(),
  /** Negative decimal logarithm of the value in mol/L. */
  pk: z.number(),
  /** `upper`: the pK is at most this (the value was given as `>` a concentration); `lower`: at least this. */
  bound: z.enum(['upper', 'lower']).nullable(),
  created_at: z.string(),
})
export type Measurement = z.infer<typeof Measurement>

/** `<`, `>` and the like may stand before the number; it says what it bounds: a concentration, or a pK. */
const Value = z.union([z.number(), z.string().min(1).max(40)])

export const MeasurementImport = z.object({
  target: AskedName,
  /** What a value is that does not say so itself. */
  type: MeasurementType.default('Kd'),
  unit: MeasurementUnit.optional(),
  /**
   * CSV or pasted lines: compound (a name of yours, or SMILES), value, and, where it is not given for all of them,
   * unit, as `nM`, `uM`, `pKi` or `IC50 nM`. A first line may name the columns, as `compound;IC50 (nM)`.
   */
  text: z.string().max(IMPORTED_CHARACTERS_MAX).optional(),
  /** The same as rows, for programs. */
  values: z
    .array(
      z.object({
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

/** What an import came to. Lines (of the text) and rows (of values) count from 1. */
export const ImportedMeasurements = z.object({
  added: z.number().int(),
  /** Compounds that had a value on this target, which the new one takes the place of. */
  replaced: z.number().int(),
  rejected: z.array(RejectedLine),
})
export type ImportedMeasurements = z.infer<typeof ImportedMeasurements>

const Interval = z.object({ lower: z.number(), upper: z.number() })

/** A measured compound beside its numbers; `with_own` is of all values but its own. */
export const ComparedMeasurement = z.object({
  id: z.string(),
  compound: z.string(),
  pk: z.number(),
  bound: Measurement.shape.bound,
  without_own: Interval.extend({ predicted: z.number() }),
  with_own: Interval.extend({ predicted: z.number() }),
})
export type ComparedMeasurement = z.infer<typeof ComparedMeasurement>

/** Over the values that are no bounds. Null where there are too few. */
const Agreement = z.object({
  /** Root mean square error in pK. */
  rmse: z.number().nullable(),
  /** Kendall's tau b: 1 where the order is right throughout, 0 where it is chance. */
  tau: z.number().nullable(),
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
  verdict: z.enum(['too few', 'helps', 'no difference', 'harms']),
  /** The verdict as a sentence. */
  summary: z.string(),
})
export type MeasurementComparison = z.infer<typeof MeasurementComparison>

const call = { auth: 'user', query: z.object({}), body: z.undefined() } as const

export const listMeasurements = endpoint({
  ...call,
  method: 'GET',
  path: '/measurements',
  summary: 'Your measured values, newest first, of all targets or one; the total in X-Total-Count.',
  answerHeaders: { [TOTAL_COUNT_HEADER]: 'How many values there are, on all pages.' },
  query: z.object({
    page: PageNumber.default(1),
    page_size: pageSize(50),
    /** Name of a target. */
    target: SearchText,
  }),
  answer: z.object({
    measurements: z.array(Measurement),
    /** Targets that have values, and how many. */
    targets: z.array(z.object({ name: z.string(), count: z.number().int() })),
  }),
})

export const importMeasurements = endpoint({
  ...call,
  method: 'POST',
  path: '/measurements',
  summary:
    'Keeps values that you measured on a target, one a compound; a line that cannot be used is answered with its reason and sinks no other.',
  errors: ['not_found', 'conflict', 'unavailable'],
  body: MeasurementImport,
  bodyBytesMax: 2 * 1024 * 1024,
  answer: ImportedMeasurements,
})

export const changeMeasurement = endpoint({
  ...call,
  method: 'PUT',
  path: '/measurements/:id',
  summary: 'Puts another value in the place of a measured one.',
  body: z.object({ value: Value, unit: MeasurementUnit, type: MeasurementType }),
  answer: Measurement,
})

export const deleteMeasurement = endpoint({
  ...call,
  method: 'DELETE',
  path: '/measurements/:id',
  summary: 'Forgets one measured value.',
  answer: z.object({ deleted: z.number().int() }),
})

export const deleteMeasurements = endpoint({
  ...call,
  method: 'DELETE',
  path: '/measurements',
  summary: 'Forgets every value that you measured on a target.',
  errors: ['not_found'],
  query: z.object({ target: AskedName }),
  answer: z.object({ deleted: z.number().int() }),
})

export const compareMeasurements = endpoint({
  ...call,
  method: 'GET',
  path: '/measurements/comparison',
  summary:
    'Predicted against measured on one target, without your values and with all but the one that is compared.',
  errors: ['not_found'],
  query: z.object({ target: AskedName }),
  answer: MeasurementComparison,
})
