/** Bytes to rows of text: encodings, tables, headings and roles, measured values; the same in browser, server and command line. */
export { type Column, columnOf, isSmilesLike, type Role } from './columns.ts'
export { decodeText } from './decode.ts'
export { type CompoundColumns, chooseCompoundColumns, readCompoundTable } from './compounds.ts'
export { foreignBytes, foreignText, onlyInchi } from './foreign.ts'
export { refuseUnit } from './kinds.ts'
export { type Comma, commaOf } from './marks.ts'
export {
  type ChosenColumns,
  chooseValueColumns,
  headingKind,
  linesOf,
  looksLikePk,
  type MeasuredLine,
  type Otherwise,
  readLines,
  type ReadLines,
  splitValues,
  type ValueColumns,
} from './measured.ts'
export { isSdf, type SdRecord, splitSdf } from './sdf.ts'
export { splitText, type Table, toTable } from './table.ts'
export { type MeasuredValue, readValue, type Told } from './value.ts'
export type { ValueLine } from './words.ts'
export { openWorkbook } from './workbook.ts'
