/**
 * Converts a SMILES to the standard form that is stored, drawn and predicted: the largest organic fragment that is no
 * counter-ion, in normal form, neutral, with amides, without isotope labels, as canonical SMILES. Training data went through the same function.
 */
import {
  disconnectMetals,
  hasBondedMetal,
  hasImidicAcid,
  hasOtherForm,
  neutralise,
  toAmideForm,
  toNormalForm,
} from './normalise.ts'
import { explainRefusal } from './explain-smiles.ts'
import { counterIons } from './counter-ions.ts'
import { readExtension, splitExtension } from './cxsmiles.ts'
import { counted } from '../sentences.ts'
import { averageMass, elementSymbol, netCharge, writeFormula } from './formula.ts'
import {
  type GraphAtom,
  type MoleculeGraph,
  countHeavyAtoms,
  readGraph,
  rewriteAtoms,
} from './molecule-graph.ts'
import { readSmiles, type RdkitModule, trapped } from './rdkit.ts'
import { scanSmiles } from './scan-smiles.ts'

const CARBON = 6

export type StandardMolecule = {
  ok: true
  /** Canonical SMILES of the molecule used. */
  standardSmiles: string
  /** Formula of the molecule used, in Hill order. */
  formula: string
  /** Average mass in g/mol. */
  mass: number
  heavyAtoms: number
  /** Removed fragments, as canonical SMILES. */
  stripped: string[]
  /** Number of atoms whose charge was neutralised. */
  neutralised: number
  warnings: string[]
}

export type Standardised = StandardMolecule | { ok: false; reason: string }

type Fragment = { smiles: string; graph: MoleculeGraph }

/**
 * Takes a SMILES, with or without an extension, `|…|`. Throws an `RdkitTrap` if RDKit breaks: the module must be
 * replaced then.
 */
export function standardise(rdkit: RdkitModule, text: string): Standardised {
  const { smiles, extension } = splitExtension(text)
  const scan = scanSmiles(smiles)
  if (!scan.ok) return { ok: false, reason: scan.reason }
  const read = readExtension(extension)
  if (!read.ok) return read
  const standard = trapped(() => standardiseScanned(rdkit, withCharges(smiles)))
  if (!standard.ok) return standard
  return { ...standard, warnings: [...read.warnings, ...standard.warnings] }
}

/** An end `N=N=N` or `C=N=N` has a nitrogen of four bonds, which RDKit refuses: it is an azide or a diazo compound. */
function withCharges(smiles: string): string {
  return smiles
    .replaceAll(/=N=N(?=[.)]|$)/g, '=[N+]=[N-]')
    .replaceAll(/(^|\.)N=N=(?=[A-Za-z[])/g, '$1[N-]=[N+]=')
}

function standardiseScanned(rdkit: RdkitModule, smiles: string): Standardised {
  const written = readFragment(rdkit, smiles)
  if (!written) return { ok: false, reason: explainRefusal(rdkit, smiles) }
  const whole = hasBondedMetal(written.graph)
    ? (readFragment(rdkit, disconnectMetals(rdkit, written.smiles)) ?? written)
    : written
  const fragments = splitFragments(rdkit, whole)
  const nameOf = nameCounterIons(rdkit, fragments)
  const [chosen, ...others] = fragments.toSorted(
    (a, b) => Number(nameOf.has(a.smiles)) - Number(nameOf.has(b.smiles)) || byPreference(a, b),
  )
  if (!chosen || !hasCarbon(chosen)) {
    return { ok: false, reason: 'No organic compound: nothing here contains carbon.' }
  }
  const isotopes = countIsotopes(chosen)
  const { used, neutralised } = repair(rdkit, chosen)
  const { atoms } = used.graph
  if (/[\w\])]:/.test(used.smiles.replaceAll(/:\d+\]/g, ']'))) {
    return { ok: false, reason: 'An aromatic bond stands outside a ring.' }
  }
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
      alternatives: alternativesTo(chosen, others).map((removed) => {
        return { removed, name: nameOf.get(removed) ?? null, kept: used.smiles }
      }),
    }),
  }
}

/** Null if RDKit rejects the SMILES. */
function readFragment(rdkit: RdkitModule, smiles: string): Fragment | null {
  using molecule = readSmiles(rdkit, smiles)
  if (!molecule) return null
  const canonical = molecule.get_smiles()
  if (!canonical.includes('[H]')) return { smiles: canonical, graph: readGraph(molecule) }
  // RDKit keeps an explicit hydrogen that only defines the configuration of a C=N; no training molecule has one.
  molecule.remove_hs_in_place('{"removeDefiningBondStereo":true}')
  return { smiles: molecule.get_smiles(), graph: readGraph(molecule) }
}

/** Canonical SMILES has dots only between fragments. */
function splitFragments(rdkit: RdkitModule, whole: Fragment): Fragment[] {
  if (!whole.smiles.includes('.')) return [whole]
  const known = new Map<string, Fragment | null>()
  return whole.smiles.split('.').flatMap((smiles) => {
    if (!known.has(smiles)) known.set(smiles, readFragment(rdkit, smiles))
    return known.get(smiles) ?? []
  })
}

/**
 * The fragments that are counter-ions or solvents, if another organic fragment remains: `sodium citrate` keeps its
 * citrate.
 */
function nameCounterIons(rdkit: RdkitModule, fragments: Fragment[]): Map<string, string> {
  const organic = fragments.filter(hasCarbon)
  if (new Set(organic.map(({ smiles }) => smiles)).size < 2) return new Map()
  const names = organic.map(({ smiles, graph }) => {
    return [smiles, counterIonOf(rdkit, { smiles, graph })] as const
  })
  const found = names.flatMap(([smiles, name]) => (name === null ? [] : [[smiles, name] as const]))
  return found.length === organic.length ? new Map() : new Map(found)
}

function counterIonOf(rdkit: RdkitModule, fragment: Fragment): string | null {
  const { used } = repair(rdkit, fragment)
  using molecule = readSmiles(rdkit, used.smiles)
  const flat = molecule?.get_smiles('{"doIsomericSmiles":false}') ?? ''
  return counterIons.get(flat) ?? null
}

/** Organic before inorganic, then larger, heavier, and first by SMILES. */
function byPreference(a: Fragment, b: Fragment): number {
  return (
    Number(hasCarbon(b)) - Number(hasCarbon(a)) ||
    countHeavyAtoms(b.graph) - countHeavyAtoms(a.graph) ||
    averageMass(b.graph.atoms) - averageMass(a.graph.atoms) ||
    (a.smiles < b.smiles ? -1 : 1)
  )
}

/**
 * Without labels, in normal form, neutral, with amides. Labels go first: deuterium becomes a hydrogen that can be moved like any
 * other. An edit that RDKit rejects is skipped.
 */
function repair(rdkit: RdkitModule, chosen: Fragment): { used: Fragment; neutralised: number } {
  const plain = hasLabels(chosen) ? editAtoms(rdkit, chosen, () => 0).used : chosen
  const normal = hasOtherForm(plain.graph)
    ? (readFragment(rdkit, toNormalForm(rdkit, plain.smiles)) ?? plain)
    : plain
  const neutral = isCharged(normal)
    ? editAtoms(rdkit, normal, neutralise)
    : { used: normal, neutralised: 0 }
  if (!hasImidicAcid(neutral.used.graph)) return neutral
  const used = readFragment(rdkit, toAmideForm(rdkit, neutral.used.smiles))
  return used ? { ...neutral, used } : neutral
}

function hasLabels(fragment: Fragment): boolean {
  return countIsotopes(fragment) > 0 || /:\d+\]/.test(fragment.smiles)
}

function isCharged({ graph }: Fragment): boolean {
  return graph.atoms.some((atom) => atom.charge !== 0)
}

/** Isotopes and atom numbers are removed in any case: `rewriteAtoms` writes neither. */
function editAtoms(
  rdkit: RdkitModule,
  chosen: Fragment,
  edit: (graph: MoleculeGraph) => number,
): { used: Fragment; neutralised: number } {
  using molecule = readSmiles(rdkit, chosen.smiles)
  const explicit = molecule?.get_smiles('{"allHsExplicit":true}') ?? ''
  using ordered = readSmiles(rdkit, explicit)
  if (!ordered) return { used: chosen, neutralised: 0 }
  const graph = readGraph(ordered)
  const neutralised = edit(graph)
  const edited = rewriteAtoms(explicit, graph.atoms)
  const used = edited === null ? null : readFragment(rdkit, edited)
  return used ? { used, neutralised } : { used: chosen, neutralised: 0 }
}

/** Other organic molecules at least half as large: one of them may have been intended. */
function alternativesTo(chosen: Fragment, others: Fragment[]): string[] {
  const least = Math.max(4, countHeavyAtoms(chosen.graph) / 2)
  const alternatives = others.filter(
    (other) => hasCarbon(other) && countHeavyAtoms(other.graph) >= least,
  )
  return [...new Set(alternatives.map((alternative) => alternative.smiles))].filter(
    (it) => it !== chosen.smiles,
  )
}

function countIsotopes({ graph }: Fragment): number {
  return graph.atoms.filter((atom) => atom.isotope > 0).length
}

function hasCarbon({ graph }: Fragment): boolean {
  return graph.atoms.some((atom) => atom.element === CARBON)
}

/** Elements of the training molecules; others occur in a few at most. */
const familiar = new Set(['H', 'C', 'N', 'O', 'F', 'P', 'S', 'Cl', 'Br', 'I'])

const nonMetals = 'H He B C N O F Ne Si P S Cl Ar Ge As Se Br Kr Te I Xe At Rn'
const counterIonMetals = 'Li Na K Rb Cs Fr Be Mg Ca Sr Ba Ra Al Zn'
/** Elements removed without a warning; every other one is a metal that binds ligands. */
const ordinary = new Set(`${nonMetals} ${counterIonMetals}`.split(' '))

type Observed = {
  /** Atoms of the molecule used. */
  atoms: GraphAtom[]
  /** Atoms of the removed fragments. */
  leftOut: GraphAtom[]
  /** Number of removed isotope labels. */
  isotopes: number
  /** Removed organic molecules of similar size, as SMILES. */
  alternatives: Alternative[]
}

/** `name` is that of a counter-ion or solvent. */
type Alternative = { removed: string; name: string | null; kept: string }

/** Warnings to read before trusting the prediction. Each sentence is complete; an ordinary molecule has none. */
function collectWarnings({ atoms, leftOut, isotopes, alternatives }: Observed): string[] {
  return [
    warnOfElements(atoms),
    warnOfMetals(leftOut),
    warnOfUnpaired(atoms),
    warnOfCharge(netCharge(atoms)),
    warnOfIsotopes(isotopes),
    warnOfAlternatives(alternatives),
  ].flatMap((warning) => warning ?? [])
}

function warnOfElements(atoms: GraphAtom[]): string | null {
  const rare = symbolsBeside(familiar, atoms)
  if (rare.length === 0) return null
  return `Contains ${rare.join(', ')}, which is rare in the training data.`
}

function warnOfMetals(leftOut: GraphAtom[]): string | null {
  const metals = symbolsBeside(ordinary, leftOut)
  if (metals.length === 0) return null
  return `Removed ${metals.join(', ')}. If this is a metal complex, only one organic part is used.`
}

/** Those of the atoms that are not known elements, each once. */
function symbolsBeside(known: Set<string>, atoms: GraphAtom[]): string[] {
  const symbols = new Set(atoms.map((atom) => elementSymbol(atom.element)))
  return [...symbols].filter((symbol) => !known.has(symbol)).toSorted()
}

function warnOfUnpaired(atoms: GraphAtom[]): string | null {
  const unpaired = atoms.reduce((sum, atom) => sum + atom.unpaired, 0)
  if (unpaired === 0) return null
  return `Has ${counted(unpaired, 'unpaired electron')}: a hydrogen may be missing in brackets.`
}

function warnOfCharge(charge: number): string | null {
  if (charge === 0) return null
  return `Has a charge of ${charge > 0 ? '+' : '−'}${Math.abs(charge)} that cannot be neutralised.`
}

function warnOfIsotopes(isotopes: number): string | null {
  if (isotopes === 0) return null
  return `${counted(isotopes, 'isotope label')} removed; formula and mass ignore isotopes.`
}

function warnOfAlternatives(alternatives: Alternative[]): string | null {
  const unknown = alternatives.find(({ name }) => name === null) ?? alternatives[0]
  if (unknown === undefined) return null
  const { removed, name, kept } = unknown
  if (name !== null) return `Removed ${name} as a counter-ion or solvent; kept ${shorten(kept)}.`
  return `Removed a second component of similar size (${shorten(removed)}). Check that the right one is used.`
}

function shorten(smiles: string): string {
  return smiles.length > 60 ? `${smiles.slice(0, 60)}…` : smiles
}
