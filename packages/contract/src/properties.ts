/** Efficiencies of a pair, from its best estimate and properties of its compound. */

/** Free energy of one unit of pKd at 25 °C in kcal/mol, as the literature rounds it. */
const KCAL_PER_PKD = 1.37

/** kcal/mol per heavy atom; null for a compound without atoms. */
export function ligandEfficiency(pk: number, heavyAtoms: number): number | null {
  return heavyAtoms > 0 ? (KCAL_PER_PKD * pk) / heavyAtoms : null
}

export function lipophilicEfficiency(pk: number, logP: number): number {
  return pk - logP
}
