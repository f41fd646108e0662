/**
 * Turns a SMILES into the one form of it that is stored, drawn and predicted: the largest organic
 * fragment, neutral, in amide form, without isotope labels, as canonical SMILES. Training data went
 * through the same function.
 */
import { hasImidicAcid, takeAmideForm } from './amide-form.ts'
import { collectWarnings } from './compound-warnings.ts'
import { explainRefusal } from './explain-refusal.ts'
import { readExtension, splitExtension } from './extension.ts'
import { averageMass, writeFormula } from './formula.ts'
import { countHeavyAtoms, type MoleculeGraph, readGraph } from './molecule-graph.ts'
import { neutralise } from './neutralise.ts'
import { type RdkitModule, trapped } from './open-rdkit.ts'
import { hasBondedMetal, partSalts } from './part-salts.ts'
import { rewriteAtoms } from './rewrite-atoms.ts'
import { scanSmiles } from './scan-smiles.ts'

const CARBON = 6

export type StandardMolecule = {
  ok: true
  /** Canonical SMILES of the molecule that is used. */
  standardSmiles: string
  /** Of the molecule that is used, in Hill order. */
  formula: string
  /** Average mass in g/mol. */
  mass: number
  heavyAtoms: number
  /** Fragments that were left out, as canonical SMILES. */
  stripped: string[]
  /** Number of atoms whose charge was neutralised. */
  neutralised: number
  warnings: string[]
}

export type Standardised = StandardMolecule | { ok: false; reason: string }

type Fragment = { smiles: string; graph: MoleculeGraph }

/**
 * Takes a SMILES, with or without an extension, `|…|`, behind it. Throws an `RdkitTrap` where RDKit
 * itself breaks: the module must be replaced then.
 */
export function standardise(rdkit: RdkitModule, text: string): Standardised {
  const { smiles, extension } = splitExtension(text)
  const scan = scanSmiles(smiles)
  if (!scan.ok) return { ok: false, reason: scan.reason }
  const read = readExtension(extension)
  if (!read.ok) return read
  const standard = trapped(() => standardiseScanned(rdkit, smiles))
  if (!standard.ok) return standard
  return { ...standard, warnings: [...read.warnings, ...standard.warnings] }
}

function standardiseScanned(rdkit: RdkitModule, smiles: string): Standardised {
  const written = readFragment(rdkit, smiles)
  if (!written) return { ok: false, reason: explainRefusal(rdkit, smiles) }
  const whole = hasBondedMetal(written.graph)
    ? (readFragment(rdkit, partSalts(rdkit, written.smiles)) ?? written)
    : written
  const [chosen, ...others] = splitFragments(rdkit, whole).toSorted(byPreference)
  if (!chosen || !hasCarbon(chosen)) {
    return { ok: false, reason: 'No part of this contains carbon: there is no organic molecule.' }
  }
  const isotopes = countIsotopes(chosen)
  const { used, neutralised } = repair(rdkit, chosen)
  const { atoms } = used.graph
  return {
    ok: true,
    standardSmiles: used.smiles,
    formula: writeFormula(atoms),
    mass: averageMass(atoms),
    heavyAtoms: countHeavyAtoms(used.graph),
    stripped: others.map((fragment) => fragment.smiles),
    neutralised,
    warnings: collectWarnings({
      atoms,
      leftOut: others.flatMap((fragment) => fragment.graph.atoms),
      isotopes,
      rivals: rivalsOf(chosen, others),
    }),
  }
}

/** Null where RDKit does not take the SMILES. */
function readFragment(rdkit: RdkitModule, smiles: string): Fragment | null {
  using molecule = rdkit.get_mol(smiles)
  if (!molecule) return null
  const canonical = molecule.get_smiles()
  if (!canonical.includes('[H]')) return { smiles: canonical, graph: readGraph(molecule) }
  // RDKit keeps a written hydrogen that only says on which side of a C=N it is: no training molecule has one.
  molecule.remove_hs_in_place('{"removeDefiningBondStereo":true}')
  return { smiles: molecule.get_smiles(), graph: readGraph(molecule) }
}

/** Canonical SMILES has a dot between fragments and nowhere else. */
function splitFragments(rdkit: RdkitModule, whole: Fragment): Fragment[] {
  if (!whole.smiles.includes('.')) return [whole]
  const known = new Map<string, Fragment | null>()
  return whole.smiles.split('.').flatMap((smiles) => {
    if (!known.has(smiles)) known.set(smiles, readFragment(rdkit, smiles))
    return known.get(smiles) ?? []
  })
}

/** Organic before inorganic, then the larger, the heavier, and the first by its SMILES. */
function byPreference(a: Fragment, b: Fragment): number {
  return (
    Number(hasCarbon(b)) - Number(hasCarbon(a)) ||
    countHeavyAtoms(b.graph) - countHeavyAtoms(a.graph) ||
    averageMass(b.graph.atoms) - averageMass(a.graph.atoms) ||
    (a.smiles < b.smiles ? -1 : 1)
  )
}

/**
 * Without labels, neutral, in amide form. Labels go first: deuterium becomes a hydrogen that can be
 * moved like any other. Where RDKit does not take an edit, the edit is left out.
 */
function repair(rdkit: RdkitModule, chosen: Fragment): { used: Fragment; neutralised: number } {
  const plain = hasLabels(chosen) ? editAtoms(rdkit, chosen, () => 0).used : chosen
  const neutral = isCharged(plain)
    ? editAtoms(rdkit, plain, neutralise)
    : { used: plain, neutralised: 0 }
  if (!hasImidicAcid(neutral.used.graph)) return neutral
  const used = readFragment(rdkit, takeAmideForm(rdkit, neutral.used.smiles))
  return used ? { ...neutral, used } : neutral
}

function hasLabels(fragment: Fragment): boolean {
  return countIsotopes(fragment) > 0 || /:\d+\]/.test(fragment.smiles)
}

function isCharged({ graph }: Fragment): boolean {
  return graph.atoms.some((atom) => atom.charge !== 0)
}

/** Isotopes and atom numbers are left out in any case: `rewriteAtoms` writes neither. */
function editAtoms(
  rdkit: RdkitModule,
  chosen: Fragment,
  edit: (graph: MoleculeGraph) => number,
): { used: Fragment; neutralised: number } {
  using molecule = rdkit.get_mol(chosen.smiles)
  const explicit = molecule?.get_smiles('{"allHsExplicit":true}') ?? ''
  using ordered = rdkit.get_mol(explicit)
  if (!ordered) return { used: chosen, neutralised: 0 }
  const graph = readGraph(ordered)
  const neutralised = edit(graph)
  const edited = rewriteAtoms(explicit, graph.atoms)
  const used = edited === null ? null : readFragment(rdkit, edited)
  return used ? { used, neutralised } : { used: chosen, neutralised: 0 }
}

/** Other organic molecules that are at least half as large: perhaps one of them was meant. */
function rivalsOf(chosen: Fragment, others: Fragment[]): string[] {
  const least = Math.max(4, countHeavyAtoms(chosen.graph) / 2)
  const rivals = others.filter((other) => hasCarbon(other) && countHeavyAtoms(other.graph) >= least)
  return [...new Set(rivals.map((rival) => rival.smiles))].filter((it) => it !== chosen.smiles)
}

function countIsotopes({ graph }: Fragment): number {
  return graph.atoms.filter((atom) => atom.isotope > 0).length
}

function hasCarbon({ graph }: Fragment): boolean {
  return graph.atoms.some((atom) => atom.element === CARBON)
}
