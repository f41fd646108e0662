/** Detects compounds outside the model's scope (solvents, ions, fragments, sugars) from standard SMILES. */

/** Smaller molecules are fragments, solvents or ions. */
const HEAVY_ATOMS_MIN = 10

/** Why a compound is outside the domain, continuing “The compound …”; null if it is not. */
export function whyOutside(smiles: string): string | null {
  const { atoms, isAromatic } = compose(smiles)
  const heavy = [...atoms.values()].reduce((sum, count) => sum + count, 0)
  if (heavy < HEAVY_ATOMS_MIN) {
    const count = `${heavy} heavy ${heavy === 1 ? 'atom' : 'atoms'}`
    return `has only ${count}; the model was not trained on molecules with fewer than ${HEAVY_ATOMS_MIN}`
  }
  const countOf = (element: string) => atoms.get(element) ?? 0
  const [carbons, oxygens, nitrogens] = [countOf('C'), countOf('O'), countOf('N')]
  const hasOthers = carbons + oxygens + nitrogens < heavy || nitrogens > NITROGENS * oxygens
  return isAromatic || hasOthers ? null : whyCarbohydrate(smiles, oxygens / carbons)
}

/** Maximum nitrogens per oxygen, as in amino sugars. */
const NITROGENS = 0.25

function whyCarbohydrate(smiles: string, oxygensACarbon: number): string | null {
  if (hasRing(smiles)) {
    return oxygensACarbon < SUGAR_OXYGENS
      ? null
      : 'is a sugar; carbohydrates are rare in the training data'
  }
  return oxygensACarbon < POLYETHER_OXYGENS || smiles.includes('=')
    ? null
    : 'is a polyether or polyol (a buffer component), which the model was not trained on'
}

function hasRing(smiles: string): boolean {
  return /\d/.test(smiles.replaceAll(/\[[^\]]*\]/g, ''))
}

/** Oxygens per carbon: 1 in glucose, 0.92 in sucrose, 0.71 in acetylated sugars. */
const SUGAR_OXYGENS = 0.7
/** 0.5 and more in polyethylene glycols. */
const POLYETHER_OXYGENS = 0.5

/** One symbol per atom: in brackets, two letters, or one letter, lower case if aromatic. */
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

/** Element of a bracket: `C` for `[C@H]` and `[CH2]`; `nH` is aromatic nitrogen. */
function elementOf(text: string): string {
  return /^(?:[A-Z][a-z]|se|as|te)$/.test(text) ? text : text.charAt(0)
}
