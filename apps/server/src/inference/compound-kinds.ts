/** Compounds that no model of drug-like molecules can say anything of, told from their standard SMILES. */

/** Below it a molecule is a fragment, a solvent or an ion. */
const HEAVY_ATOMS_MIN = 10

/** Why a compound is outside, as it goes on after “The compound …”; null where it is like those that are measured. */
export function whyOutside(smiles: string): string | null {
  const { atoms, isAromatic } = compose(smiles)
  const heavy = [...atoms.values()].reduce((sum, count) => sum + count, 0)
  if (heavy < HEAVY_ATOMS_MIN) {
    const count = `${heavy} heavy ${heavy === 1 ? 'atom' : 'atoms'}`
    return `has only ${count}: solvents, ions and fragments of fewer than ${HEAVY_ATOMS_MIN} are not what the model knows`
  }
  const countOf = (element: string) => atoms.get(element) ?? 0
  const [carbons, oxygens, nitrogens] = [countOf('C'), countOf('O'), countOf('N')]
  const hasOthers = carbons + oxygens + nitrogens < heavy || nitrogens > NITROGENS * oxygens
  return isAromatic || hasOthers ? null : whyCarbohydrate(smiles, oxygens / carbons)
}

/** Nitrogens an oxygen at most, as in sugars that bear an amine. */
const NITROGENS = 0.25

function whyCarbohydrate(smiles: string, oxygensACarbon: number): string | null {
  if (hasRing(smiles)) {
    return oxygensACarbon < SUGAR_OXYGENS
      ? null
      : 'is a sugar, and carbohydrates are hardly among what the model knows'
  }
  return oxygensACarbon < POLYETHER_OXYGENS || smiles.includes('=')
    ? null
    : 'is a polyether or polyol of a buffer, and such are not what the model knows'
}

function hasRing(smiles: string): boolean {
  return /\d/.test(smiles.replaceAll(/\[[^\]]*\]/g, ''))
}

/** Oxygens a carbon: 1 in glucose, 0.92 in sucrose, 0.71 where a sugar bears an acetyl group. */
const SUGAR_OXYGENS = 0.7
/** 0.5 and more in polyethylene glycols. */
const POLYETHER_OXYGENS = 0.5

/** One symbol an atom: in brackets, of two letters, or of one, which is aromatic in lower case. */
const atom = /\[\d*([A-Za-z][a-z]?)[^\]]*\]|(Cl|Br|[BCNOPSFI]|[bcnops])/g

function compose(smiles: string): { atoms: Map<string, number>; isAromatic: boolean } {
  const symbols = Array.from(smiles.matchAll(atom), ([, bracket, plain]) =>
    bracket === undefined ? (plain ?? '') : elementOf(bracket),
  ).filter((symbol) => symbol !== 'H')
  const atoms = new Map<string, number>()
  for (const symbol of symbols) {
    const element = symbol.charAt(0).toUpperCase() + symbol.slice(1)
    atoms.set(element, (atoms.get(element) ?? 0) + 1)
  }
  return { atoms, isAromatic: symbols.some((symbol) => symbol === symbol.toLowerCase()) }
}

/** Of a bracket: `C` of `[C@H]` and `[CH2]`, `nH` is aromatic nitrogen. */
function elementOf(text: string): string {
  return /^(?:[A-Z][a-z]|se|as|te)$/.test(text) ? text : text.charAt(0)
}
