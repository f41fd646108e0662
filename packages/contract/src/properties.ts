/** Properties of a compound, and the efficiencies of a pair: names on the wire, labels, units and formulas. */
import { z } from 'zod'

/** Computed by RDKit from the compound that is predicted on: without salts, neutralised. */
export const CompoundProperties = z.object({
  /** Average molecular mass in g/mol. */
  mass: z.number(),
  /** Octanol-water logP after Crippen. */
  log_p: z.number(),
  /** Topological polar surface area in Å². */
  tpsa: z.number(),
  /** Hydrogen-bond donors and acceptors as RDKit defines them, which is not Lipinski's count of N and O. */
  donors: z.number().int(),
  acceptors: z.number().int(),
  rotatable_bonds: z.number().int(),
  rings: z.number().int(),
  /** Share of carbon atoms with four single bonds, 0 to 1. */
  fsp3: z.number(),
  heavy_atoms: z.number().int(),
  /** Formal charge. */
  charge: z.number().int(),
})
export type CompoundProperties = z.infer<typeof CompoundProperties>
export type CompoundProperty = keyof CompoundProperties

export const compoundProperties = [
  'mass',
  'log_p',
  'tpsa',
  'donors',
  'acceptors',
  'rotatable_bonds',
  'rings',
  'fsp3',
  'heavy_atoms',
  'charge',
] as const satisfies CompoundProperty[]

/** `ligand_efficiency`: kcal/mol per heavy atom; `lipophilic_efficiency`: pKd less logP. */
export const pairEfficiencies = ['ligand_efficiency', 'lipophilic_efficiency'] as const

export const rowProperties = [...compoundProperties, ...pairEfficiencies] as const
export type RowProperty = (typeof rowProperties)[number]

/** Column heading, wording inside a sentence, and number of decimals. */
export const propertyLabels: Record<RowProperty, { short: string; long: string; digits: number }> =
  {
    mass: { short: 'MW', long: 'Molecular weight', digits: 0 },
    log_p: { short: 'cLogP', long: 'cLogP', digits: 1 },
    tpsa: { short: 'TPSA', long: 'Polar surface area', digits: 0 },
    donors: { short: 'HBD', long: 'H-bond donors', digits: 0 },
    acceptors: { short: 'HBA', long: 'H-bond acceptors', digits: 0 },
    rotatable_bonds: { short: 'RotB', long: 'Rotatable bonds', digits: 0 },
    rings: { short: 'Rings', long: 'Rings', digits: 0 },
    fsp3: { short: 'Fsp3', long: 'Fsp3', digits: 2 },
    heavy_atoms: { short: 'Heavy atoms', long: 'Heavy atoms', digits: 0 },
    charge: { short: 'Charge', long: 'Formal charge', digits: 0 },
    ligand_efficiency: { short: 'LE', long: 'Ligand efficiency', digits: 2 },
    lipophilic_efficiency: { short: 'LLE', long: 'Lipophilic efficiency', digits: 1 },
  }

/** Free energy of one unit of pKd at 25 °C in kcal/mol, as the literature rounds it. */
const KCAL_PER_PKD = 1.37

/** kcal/mol per heavy atom; null for a compound without atoms. */
export function ligandEfficiency(pk: number, heavyAtoms: number): number | null {
  return heavyAtoms > 0 ? (KCAL_PER_PKD * pk) / heavyAtoms : null
}

export function lipophilicEfficiency(pk: number, logP: number): number {
  return pk - logP
}
