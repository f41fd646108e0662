/** The shipped model's context of a prediction, on Protein Data Bank structures and their sequences. */
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import {
  chainSegments,
  longestProteinChain,
  openRdkit,
  readStructure,
  standardise,
} from '@pkdex/biochem'
import { PredictionResult } from '@pkdex/contract'
import { expect, test } from 'vitest'
import { domainStateIn, GRID_COLUMNS, gridColumns } from './grid.ts'
import { openModel } from './open-model.ts'

const structures = new URL(
  '../../../../packages/biochem/src/pdb/fixtures/structures/',
  import.meta.url,
)
const amprenavir = 'CC(C)CN(CC(O)C(Cc1ccccc1)NC(=O)OC1CCOC1)S(=O)(=O)c1ccc(N)cc1'
const measured =
  'CC(=O)N[C@H](CS(=O)(=O)c1ccc(F)cc1)C(=O)N[C@@H](Cc1ccccc1)[C@H](O)CN1C[C@H]2CCS[C@H]2C[C@H]1C(=O)NC(C)(C)C'
const ibuprofen = 'CC(C)Cc1ccc(C(C)C(=O)O)cc1'
const biotin = 'O=C(O)CCCCC1SCC2NC(=O)NC21'
// Sequence of 1STP.
const streptavidin =
  'DPSKDSKAQVSAAEAGITGTWYNQLGSTFIVTAGADGALTGTYESAVGNAESRYVLTGRYDSAPATDGSGTALGWTVAWKNNYRNAHSATTWSGQYVGGAEARINTQWLLTSGTTEANAWKSTLVGHDTFTKVKPSAASIDAAKKAGVNNGNPLDAVQQ'
// Sequences of 1MEM and 1HSI.
const cathepsinK =
  'APDSVDYRKKGYVTPVKNQGQCGSCWAFSSVGALEGQLKKKTGKLLNLSPQNLVDCVSENDGCGGGYMTNAFQYVQKNRGIDSEDAYPYVGQEESCMYNPTGKAAKCRGYREIPEGNEKALKRAVARVGPVSVAIDASLTSFQFYSKGVYYDESCNSDNLNHAVLAVGYGIQKGNKHWIIKNSWGENWGNKGYILMARNKNNACGIANLASFPKM'
const proteaseOfHiv2 =
  'PQFSLWKRPVVTAYIEGQPVEVLLDTGADDSIVAGIELGNNYSPKIVGGIGGFINTKEYKNVEIEVLNKKVRATIMTGDTPINIFGRNILTALGMSLNL'

const directory = fileURLToPath(new URL('../../../../models/current', import.meta.url))
const rdkit = await openRdkit()
const model = await openModel({ directory, rdkit })

async function describe(segments: string[], smiles: string): Promise<PredictionResult> {
  const [result] = await model.predict([{ segments, smiles }])
  return PredictionResult.parse(result)
}

function standardOf(smiles: string): string {
  const standard = standardise(rdkit, smiles)
  if (!standard.ok) throw new Error(standard.reason)
  return standard.standardSmiles
}

async function segmentsOf(file: string): Promise<string[]> {
  const text = gunzipSync(await readFile(new URL(file, structures))).toString('utf8')
  const structure = readStructure(text)
  const chain = structure.ok ? longestProteinChain(structure.value) : null
  return chain === null ? [] : chainSegments(chain)
}

test('methane on streptavidin is outside the domain, and the note says why', async () => {
  const { domain } = await describe([streptavidin], 'C')
  expect(domain).toMatchObject({ is_inside: false, state: 'outside' })
  expect(domain.reason).toContain(
    'The compound has only 1 heavy atom; the model was not trained on',
  )
})

test('a table of many pairs gives methane the same result as a single prediction', async () => {
  const targets = [[streptavidin], await segmentsOf('1hpx.pdb.gz')]
  const grid = await model.predictGrid({ targets, smiles: ['C', amprenavir] })
  const width = grid.length / 4
  const inside = [0, 1, 2, 3].map((place) => grid[place * width + gridColumns.isInside])
  expect(inside.slice(0, 2)).toEqual([0, 0])
  expect(inside[3]).toBe(1)
})

test('HIV-1 protease of 1HPX is its training target, with the compounds measured on it', async () => {
  const result = await describe(await segmentsOf('1hpx.pdb.gz'), measured)
  const [nearest] = result.nearest_targets
  expect(nearest?.identity_percent).toBeGreaterThan(90)
  expect(nearest?.measurements).toBeGreaterThan(10)
  expect(result.nearest_measured_compound).toEqual({ similarity: 1 })
  const similarities = result.measured_compounds?.map(({ similarity }) => similarity) ?? []
  expect(similarities[0]).toBe(1)
  expect(similarities).toEqual(similarities.toSorted((a, b) => b - a))
  expect(result.domain).toMatchObject({
    is_inside: true,
    state: 'known_on_target',
    is_ligand_driven: false,
  })
})

test('for HIV protease, biotin and ibuprofen are known on other targets only', async () => {
  for (const smiles of [biotin, ibuprofen]) {
    const result = await describe(await segmentsOf('1hpx.pdb.gz'), smiles)
    expect(result.nearest_measured_compound?.similarity).toBeLessThan(0.35)
    expect(result.domain).toMatchObject({ is_inside: false, state: 'known_on_other_targets' })
    expect(result.domain.reason).toMatch(
      /^No similar compound was measured on this target\. The closest compound was measured on another target \(similarity \d\.\d\d\)\.$/,
    )
    expect(result.measured_compounds).toEqual([])
    expect(result.exact_measurements).toEqual([])
  }
})

test('a training compound on its own target lists the measured value of exactly this pair', async () => {
  const segments = await segmentsOf('1hpx.pdb.gz')
  expect((await describe(segments, standardOf(measured))).exact_measurements).toEqual([
    { pk: 8.92, bound: null, types: ['Ki'], source: 'training' },
    { pk: 8.92, bound: null, types: ['IC50'], source: 'training' },
  ])
  const other =
    'CC(=O)N[C@H](CS(=O)(=O)c1ccc(F)cc1)C(=O)N[C@@H](Cc1ccccc1)[C@@H](O)CN1C[C@H]2CCS[C@H]2C[C@H]1C(=O)NC(C)(C)C'
  const epimer = await describe(segments, standardOf(other))
  expect(epimer.nearest_measured_compound).toEqual({ similarity: 1 })
  expect(epimer.exact_measurements).toEqual([])
})

test('tables have the same domain state as single predictions', async () => {
  const targets = [[streptavidin], await segmentsOf('1hpx.pdb.gz'), [cathepsinK], [proteaseOfHiv2]]
  const smiles = ['C', amprenavir, biotin, ibuprofen, 'Cn1cnc2c1c(=O)n(C)c(=O)n2C']
  const grid = await model.predictGrid({ targets, smiles })
  const pairs = smiles.flatMap((one) => targets.map((segments) => ({ segments, smiles: one })))
  const single = (await model.predict(pairs)).map(({ domain, nearest_compound }) => {
    return [domain.state, Math.fround(nearest_compound.similarity)]
  })
  const table = pairs.map((_, at) => {
    const columns = grid.subarray(at * GRID_COLUMNS, (at + 1) * GRID_COLUMNS)
    return [domainStateIn(columns), columns[gridColumns.compoundSimilarity]]
  })
  expect(table).toEqual(single)
  expect(new Set(single.map(([state]) => state)).size).toBe(3)
})

test.each([['the protease of HIV-2', proteaseOfHiv2, /Human immunodeficiency virus 1|Pol/, 50]])(
  '%s is recognised as a relative, with its identity',
  async (_, sequence, name, identity) => {
    const { nearest_targets, domain } = await describe([sequence], amprenavir)
    expect(nearest_targets[0]?.name).toMatch(name)
    expect(nearest_targets[0]?.similarity).toBeLessThan(0.2)
    expect(Math.abs((nearest_targets[0]?.identity_percent ?? 0) - identity)).toBeLessThan(3)
    expect(domain).toMatchObject({ is_inside: false, is_ligand_driven: true })
    expect(domain.reason).toContain('is only a relative of a training target (')
  },
)

test('for a protein without relatives the note says that the prediction is based on the compound alone', async () => {
  const result = await describe(await segmentsOf('1orc.pdb.gz'), amprenavir)
  expect(result.domain.reason).toContain(
    'No training target is related to this protein: the prediction rests on the compound alone.',
  )
  expect(result.nearest_targets.every((target) => target.identity_percent === undefined)).toBe(true)
  expect(result.nearest_measured_compound).toBeNull()
})

test('values on entries with the same sequence are counted together', async () => {
  const src =
    'TFVALYDYESRTETDLSFKKGERLQIVNNTEGDWWLAHSLSTGQTGYIPSNYVAPSDSIQAEEWYFGKITRRESERLLLNAENPRGTFLVRESETTKGAYCLSVSDFDNAKGLNVKHYKIRKLDSGGFYITSRTQFNSLQQLVAYYSKHADGLCHRLTTVCPTSKPQTQGLAKDAWEIPRESLRLEVKLGQGCFGEVWMGTWNGTTRVAIKTLKPGTMSPEAFLQEAQVMKKLRHEKLVQLYAVVSEEPIYIVTEYMSKGSLLDFLKGETGKYLRLPQLVDMAAQIASGMAYVERMNYVHRDLRAANILVGENLVCKVADFGLARLIEDNEYTARQGAKFPIKWTAPEAALYGRFTIKSDVWSFGILLTELTTKGRVPYPGMVNREVLDQVERGYRMPCPPECPESLHDLMCQCWRKEPEERPTFEYLQAFLEDYFTSTEPQYQPGENL'
  const { nearest_targets } = await describe([src], amprenavir)
  expect(nearest_targets[0]?.name).toMatch(/SRC|Src/)
  expect(nearest_targets[0]?.measurements).toBeGreaterThan(700)
})
