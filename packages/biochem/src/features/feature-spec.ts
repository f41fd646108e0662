/**
 * Everything that defines the features: version, sizes, vocabularies. A model contains the hash of the spec it was
 * trained on, and the server refuses a model with another hash.
 */
export const featureSpec = {
  version: 1,
  /** Bit blocks of a compound, concatenated; stereochemistry and isotopes are removed first. */
  compound: {
    blocks: [
      { name: 'morgan', size: 2048, options: { radius: 2, nBits: 2048 } },
      {
        name: 'morgan-counts',
        size: 4096,
        options: { radius: 2, nBits: 4096, useCountSimulation: true },
      },
      { name: 'atom-pairs', size: 4096, options: { nBits: 4096, useCountSimulation: true } },
      { name: 'torsions', size: 2048, options: { nBits: 2048, useCountSimulation: true } },
      { name: 'maccs', size: 167, options: null },
    ],
    /** RDKit's names; acceptor counts are left out because RDKit.js counts them differently. */
    descriptors: [
      'amw',
      'lipinskiHBD',
      'NumHBD',
      'NumRotatableBonds',
      'NumHeavyAtoms',
      'NumHeteroatoms',
      'NumAmideBonds',
      'FractionCSP3',
      'NumRings',
      'NumAromaticRings',
      'NumAliphaticRings',
      'NumSaturatedRings',
      'NumHeterocycles',
      'NumAromaticHeterocycles',
      'NumSaturatedHeterocycles',
      'NumAliphaticHeterocycles',
      'NumSpiroAtoms',
      'NumBridgeheadAtoms',
      'labuteASA',
      'tpsa',
      'CrippenClogP',
      'CrippenMR',
      'chi0v',
      'chi1v',
      'chi2v',
      'chi3v',
      'chi4v',
      'chi0n',
      'chi1n',
      'chi2n',
      'chi3n',
      'chi4n',
      'hallKierAlpha',
      'kappa1',
      'kappa2',
      'kappa3',
      'Phi',
    ],
  },
  /** K-mers of a target's segments; a k-mer never bridges a gap and never contains an unknown residue. */
  target: {
    letters: 'ACDEFGHIKLMNPQRSTVWY',
    /** Dayhoff's classes, for k-mers that survive between distant relatives. */
    classes: ['AGPST', 'C', 'DENQ', 'FWY', 'HKR', 'ILMV'],
    exactWordLength: 3,
    reducedWordLength: 5,
    /** K-mers that identify the training target of an uploaded chain. */
    identityWordLength: 4,
  },
} as const

/** Bits of a compound in all blocks together. */
export const compoundBitCount = featureSpec.compound.blocks.reduce(
  (sum, block) => sum + block.size,
  0,
)
/** Possible exact k-mers, the first block of a target's profile; k-mers of the reduced alphabet follow. */
export const exactKmerCount =
  featureSpec.target.letters.length ** featureSpec.target.exactWordLength
export const reducedKmerCount =
  featureSpec.target.classes.length ** featureSpec.target.reducedWordLength

/** 16 hexadecimal digits; changes with every value and every key of the spec. */
export const featureSpecHash = fnv1a64(JSON.stringify(featureSpec))

/** FNV-1a, 64 bit, as 16 hexadecimal digits. It guards against mistakes, not against attackers. */
export function fnv1a64(text: string): string {
  let hash = 0xcbf29ce484222325n
  for (const character of text) {
    hash ^= BigInt(character.codePointAt(0) ?? 0)
    hash = BigInt.asUintN(64, hash * 0x100000001b3n)
  }
  return hash.toString(16).padStart(16, '0')
}
