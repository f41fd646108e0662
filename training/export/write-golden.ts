/**
 * Writes the golden features that both TypeScript and Python are tested against. Run it only when the feature spec
 * changes: node training/export/write-golden.ts
 */
import { writeFileSync } from 'node:fs'
import {
  compoundFeatures,
  featureSpec,
  featureSpecHash,
  openRdkit,
  targetFeatures,
} from '@pkdex/biochem'

const file = new URL('../../packages/biochem/src/golden/features.json', import.meta.url)

const compounds = [
  'CC(=O)Oc1ccccc1C(=O)O',
  'CC(C)CN(C[C@@H](O)[C@H](Cc1ccccc1)NC(=O)O[C@H]1CCOC1)S(=O)(=O)c1ccc(N)cc1',
  'Cc1[nH]nc2ccc(-c3cncc(OC[C@@H](N)Cc4ccccc4)c3)cc12',
  'C[N+](C)(C)CCO',
  'O',
  'Cc1ccc(NC(=O)c2ccc(CN3CCN(C)CC3)cc2)cc1Nc1nccc(-c2cccnc2)n1',
  'CC(=O)Nc1nnc(S(N)(=O)=O)s1',
  'O=C(CCCN1CCC(O)(c2ccc(Cl)cc2)CC1)c1ccc(F)cc1',
]
const targets = [
  [
    'PQITLWQRPLVTIKIGGQLKEALLDTGADDTVLEEMSLPGRWKPKMIGGIGGFIKVRQYDQILIEICGHKAIGTVLVGPTPVNIIGRNLLTQIGCTLNF',
  ],
  ['PQITLWQRPLVTIKIGG', 'LKEALLDTGADDTVLEEMSLP', 'WKPKXIGGIGG'],
  [
    'MSHHWGYGKHNGPEHWHKDFPIAKGERQSPVDIDTHTAKYDPSLKPLSVSYDQATSLRILNNGHAFNVEFDDSQDKAVLKGGPL' +
      'DGTYRLIQFHFHWGSLDGQGSEHTVDKKKYAAELHLVHWNTKYGDFGKAVQQPDGLAVLGIFLKVGSAKPGLQKVVDVLDSIKT' +
      'KGKSADFTNFDPRGLLPESLDYWTYPGSLTTPPLLECVTWIVLKEPISVSSEQVLKFRKLNFNGEGEPEELMVDNWRPAQPLKN' +
      'RQIKASFK',
  ],
  [
    'ITMKHKLGGGQYGEVYEGVWKKYSLTVAVKTLKEDTMEVEEFLKEAAVMKEIKHPNLVQLLGVCTREPPFYIITEIMTYGNLLD' +
      'YLRECNRQEVNAVVLLYMATQISSAMEYLEKKNFIHRDLAARNCLVGENHLVKVADFGLSRLMT',
    'AGAKFPIKWTAPESLAYNKFSIKSDVWAFGVLLWEIATYGMSPYPGIDLSQVYELLEKDYRMERPEGCPEKVYELMRACWQWNP' +
      'SDRPSFAEIHQAFETMFQESS',
  ],
  ['GGGGGGGG'],
  [],
]

const rdkit = await openRdkit()
const golden = {
  featureSpecHash,
  featureSpec,
  compounds: compounds.map((smiles) => {
    const { bits, descriptors } = compoundFeatures(rdkit, smiles)
    return { smiles, bits: [...bits], descriptors: [...descriptors] }
  }),
  targets: targets.map((segments) => {
    const { length, composition, kmers, counts, identity } = targetFeatures(segments)
    return {
      segments,
      length,
      composition: [...composition],
      words: [...kmers],
      counts: [...counts],
      identity: [...identity],
    }
  }),
}
writeFileSync(file, `${JSON.stringify(golden)}\n`)
