/** Bytes to rows of text: encodings, tables, headings and roles, measured values; the same in browser, server and command line. */
export { type Column, columnOf, isSmilesLike, type Role } from './columns.ts'
export { decodeText, isBinary, unpack } from './decode.ts'
export {
  type CompoundColumns,
  chooseCompoundColumns,
  compoundRows,
  hasTooMany,
  type CompoundRow,
  refuseColumns,
} from './compounds.ts'
export { binaryKind } from './foreign.ts'
export { refuseUnit } from './kinds.ts'
export { type Comma, commaOf, hasDecimalComma, withPoint } from './marks.ts'
export {
  linesOf,
  looksLikePk,
  type MeasuredLine,
  type Otherwise,
  readLines,
  type ReadLines,
  readValueText,
  splitValues,
} from './measured.ts'
export {
  type ChosenColumns,
  chooseValueColumns,
  companionsOf,
  headingKind,
  type ValueColumns,
} from './value-columns.ts'
export { readTable, readTextTable } from './read-table.ts'
export {
  expectLines,
  type Sheet,
  splitText,
  type Table,
  type TableRecord,
  defuse,
  writeCell,
} from './table.ts'
export { type MeasuredValue, moreCells, readValue, type Told } from './value.ts'
export type { ValueLine } from './words.ts'
export { isSdf } from './sdf.ts'
export { openWorkbook } from './workbook.ts'
