/** What the model got as the compound of a row: rows carry it along, but do not show it. */

const STANDARD = Symbol('standard SMILES')

export function withStandard<Row extends object>(row: Row, standard: string | null): Row {
  return Object.assign(row, { [STANDARD]: standard })
}

/** Null for a row without a molecule. */
export function standardOf(row: object): string | null {
  const standard: unknown = Reflect.get(row, STANDARD)
  return typeof standard === 'string' ? standard : null
}
