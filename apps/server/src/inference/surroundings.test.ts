/** What the shipped model says around a number, on structures of the Protein Data Bank and sequences of its entries. */
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { chainSegments, longestProteinChain, openRdkit, readStructure } from '@pkdex/biochem'
import { PredictionResult } from '@pkdex/contract'
import { beforeAll, expect, test } from 'vitest'
import { gridColumns } from './grid.ts'
import { openModel, type Model } from './open-model.ts'

const structures = new URL(
  '../../../../packages/biochem/src/pdb/fixtures/structures/',
  import.meta.url,
)
const amprenavir = 'CC(C)CN(CC(O)C(Cc1ccccc1)NC(=O)OC1CCOC1)S(=O)(=O)c1ccc(N)cc1'
const biotin = 'O=C(O)CCCCC1SCC2NC(=O)NC21'
// Of 1STP.
const streptavidin =
  'DPSKDSKAQVSAAEAGITGTWYNQLGSTFIVTAGADGALTGTYESAVGNAESRYVLTGRYDSAPATDGSGTALGWTVAWKNNYRNAHSATTWSGQYVGGAEARINTQWLLTSGTTEANAWKSTLVGHDTFTKVKPSAASIDAAKKAGVNNGNPLDAVQQ'
// Of 1MEM and 1HSI.
const cathepsinK =
  'APDSVDYRKKGYVTPVKNQGQCGSCWAFSSVGALEGQLKKKTGKLLNLSPQNLVDCVSENDGCGGGYMTNAFQYVQKNRGIDSEDAYPYVGQEESCMYNPTGKAAKCRGYREIPEGNEKALKRAVARVGPVSVAIDASLTSFQFYSKGVYYDESCNSDNLNHAVLAVGYGIQKGNKHWIIKNSWGENWGNKGYILMARNKNNACGIANLASFPKM'
const proteaseOfHiv2 =
  'PQFSLWKRPVVTAYIEGQPVEVLLDTGADDSIVAGIELGNNYSPKIVGGIGGFINTKEYKNVEIEVLNKKVRATIMTGDTPINIFGRNILTALGMSLNL'

let model: Model
beforeAll(async () => {
  const directory = fileURLToPath(new URL('../../../../models/current', import.meta.url))
  model = await openModel({ directory, rdkit: await openRdkit() })
})

async function describe(segments: string[], smiles: string): Promise<PredictionResult> {
  const [result] = await model.predict([{ segments, smiles }])
  return PredictionResult.parse(result)
}

async function segmentsOf(file: string): Promise<string[]> {
  const text = gunzipSync(await readFile(new URL(file, structures))).toString('utf8')
  const structure = readStructure(text)
  const chain = structure.ok ? longestProteinChain(structure.value) : null
  return chain === null ? [] : chainSegments(chain)
}

test('methane on streptavidin is outside, and the note says why', async () => {
  const { domain } = await describe([streptavidin], 'C')
  expect(domain.is_inside).toBe(false)
  expect(domain.reason).toContain(
    'The compound has only 1 heavy atom: solvents, ions and fragments',
  )
})

test('a table of many pairs says of methane what the single answer says', async () => {
  const targets = [[streptavidin], await segmentsOf('1hpx.pdb.gz')]
  const grid = await model.predictGrid({ targets, smiles: ['C', amprenavir] })
  const width = grid.length / 4
  const inside = [0, 1, 2, 3].map((place) => grid[place * width + gridColumns.isInside])
  expect(inside.slice(0, 2)).toEqual([0, 0])
  expect(inside[3]).toBe(1)
})

test('HIV-1 protease of 1HPX is its training target, with the compounds measured on it', async () => {
  const result = await describe(await segmentsOf('1hpx.pdb.gz'), amprenavir)
  const [nearest] = result.nearest_targets
  expect(nearest?.identity_percent).toBeGreaterThan(90)
  expect(nearest?.measurements).toBeGreaterThan(10)
  expect(result.nearest_measured_compound).toEqual({ similarity: 1 })
  const similarities = result.measured_compounds?.map(({ similarity }) => similarity) ?? []
  expect(similarities[0]).toBe(1)
  expect(similarities).toEqual(similarities.toSorted((a, b) => b - a))
  expect(result.domain).toMatchObject({ is_inside: true, is_ligand_driven: false })
})

test('where nothing alike was measured on a known target, the note says so', async () => {
  const result = await describe(await segmentsOf('1hpx.pdb.gz'), biotin)
  expect(result.nearest_measured_compound?.similarity).toBeLessThan(0.35)
  expect(result.domain.reason).toContain('No compound that was measured on this target is like it.')
})

test.each([
  ['cathepsin K', cathepsinK, /^Cathepsin S/, 59],
  ['the protease of HIV-2', proteaseOfHiv2, /Human immunodeficiency virus 1|Pol/, 50],
])('%s is seen as a relative, with its identity', async (_, sequence, name, identity) => {
  const { nearest_targets, domain } = await describe([sequence], amprenavir)
  expect(nearest_targets[0]?.name).toMatch(name)
  expect(nearest_targets[0]?.similarity).toBeLessThan(0.2)
  expect(Math.abs((nearest_targets[0]?.identity_percent ?? 0) - identity)).toBeLessThan(3)
  expect(domain).toMatchObject({ is_inside: false, is_ligand_driven: true })
  expect(domain.reason).toContain('is only a relative of a training target (')
})

test('of a protein without relatives the note says that the estimate is about the compound only', async () => {
  const result = await describe(await segmentsOf('1orc.pdb.gz'), amprenavir)
  expect(result.domain.reason).toContain(
    'no training target is related to this protein: the estimate is about the compound only.',
  )
  expect(result.nearest_targets.every((one) => one.identity_percent === undefined)).toBe(true)
  expect(result.nearest_measured_compound).toBeNull()
})

test('values on entries of the same sequence are counted together', async () => {
  const src =
    'TFVALYDYESRTETDLSFKKGERLQIVNNTEGDWWLAHSLSTGQTGYIPSNYVAPSDSIQAEEWYFGKITRRESERLLLNAENPRGTFLVRESETTKGAYCLSVSDFDNAKGLNVKHYKIRKLDSGGFYITSRTQFNSLQQLVAYYSKHADGLCHRLTTVCPTSKPQTQGLAKDAWEIPRESLRLEVKLGQGCFGEVWMGTWNGTTRVAIKTLKPGTMSPEAFLQEAQVMKKLRHEKLVQLYAVVSEEPIYIVTEYMSKGSLLDFLKGETGKYLRLPQLVDMAAQIASGMAYVERMNYVHRDLRAANILVGENLVCKVADFGLARLIEDNEYTARQGAKFPIKWTAPEAALYGRFTIKSDVWSFGILLTELTTKGRVPYPGMVNREVLDQVERGYRMPCPPECPESLHDLMCQCWRKEPEERPTFEYLQAFLEDYFTSTEPQYQPGENL'
  const { nearest_targets } = await describe([src], amprenavir)
  expect(nearest_targets[0]?.name).toMatch(/SRC|Src/)
  expect(nearest_targets[0]?.measurements).toBeGreaterThan(700)
})
