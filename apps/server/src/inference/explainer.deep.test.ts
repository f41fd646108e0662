/** The shipped model explains its predictions: atom contributions and similar training compounds. */
import { createHash } from 'node:crypto'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, expect, test } from 'vitest'
import { readConfig } from '#server/main/settings.ts'
import { openCompoundStructures } from './compound-structures.ts'
import { openExplainer } from './service.ts'

const { modelDir } = readConfig()
const protease =
  'PQITLWQRPLVTIKIGGQLKEALLDTGADDTVLEEMSLPGRWKPKMIGGIGGFIKVRQYDQILIEICGHKAIGTVLVGPTPVNIIGRNLLTQIGCTLNF'
const amprenavir = 'CC(C)CN(CC(O)C(Cc1ccccc1)NC(=O)OC1CCOC1)S(=O)(=O)c1ccc(N)cc1'
// P24941; one training entry has 129 values on it, another 825.
const cdk2 =
  'MENFQKVEKIGEGTYGVVYKARNKLTGEVVALKKIRLDTETEGVPSTAIREISLLKELNHPNIVKLLDVIHTENKLYLVFEFLHQDLKKFMDASALTGIPLPLIKSYLFQLLQGLAFCHSHRVLHRDLKPQNLLINTEGAIKLADFGLARAFGVPVRTYTHEVVTLWYRAPEILLGCKYYSTAVDIWSLGCIFAEMVTRRALFPGDSEIDQLFRIFRTLGTPDEVVWPGVTSMPDYKPSFPKWARQDFSKVVPPLDEDGRSLLSQMLHYDPNKRISAKAALAHPFFQDVTKPVPHLRL'
const roscovitine = 'CCC(CO)Nc1nc(NCc2ccccc2)c2ncn(C(C)C)c2n1'

const explainer = openExplainer({ modelDirectory: modelDir })
const scratch = await mkdtemp(join(tmpdir(), 'pkdex-structures-'))
afterAll(async () => {
  await explainer.close()
  await rm(scratch, { recursive: true })
})

test('every atom of the picture has a contribution, and some change the prediction', async () => {
  const explained = await explainer.atoms({ segments: [protease], smiles: amprenavir }, 'light')
  expect(explained?.picture.atoms).toHaveLength(35)
  expect(explained?.contributions).toHaveLength(35)
  expect(Math.max(...(explained?.contributions ?? []).map(Math.abs))).toBeGreaterThan(0.01)
  // The model cannot distinguish the two oxygens of the sulfonamide.
  expect(explained?.contributions[26]).toBeCloseTo(explained?.contributions[27] ?? Number.NaN, 4)
})

test('for a training target the compounds measured on it are listed, most similar first', async () => {
  const similar = await explainer.similar({ segments: [protease], smiles: amprenavir }, 'light')
  if (similar === null || similar.target === null) throw new Error('no training target was found')
  const { scope, target, compounds, accuracy } = similar
  expect(await explainer.target([protease])).toEqual({ target, accuracy })
  expect(scope).toBe('target')
  expect(target.name).toMatch(/^Pol /)
  // Upper bounds are listed, but the prediction does not use them.
  expect(target.heard).toBeGreaterThan(1000)
  expect(target.heard).toBeLessThan(target.measured)
  const similarities = compounds.map(({ similarity }) => similarity)
  expect(similarities.length).toBeGreaterThan(0)
  const { from = 0, below } = similar.accuracy ?? {}
  expect(target.heard).toBeGreaterThanOrEqual(from)
  expect(below === null || target.heard < (below ?? 0)).toBe(true)
  const closest = similarities.slice(0, 5)
  expect(closest).toEqual(closest.toSorted((a, b) => b - a))
  const measuredOn = compounds.slice(0, 5).map(({ measurements: [first] }) => first?.target)
  expect(new Set(measuredOn)).toEqual(new Set([target.name]))
  const contribution = compounds[0]?.measurements[0]?.contribution ?? 0
  expect(Math.abs(contribution)).toBeGreaterThan(0.001)
  const bounds = compounds.flatMap(({ measurements }) =>
    measurements.filter((one) => one.is_upper_bound),
  )
  expect(bounds.every((one) => one.contribution === null)).toBe(true)
})

test('a construct that shares only a part with a training target lists the values it is predicted from', async () => {
  const construct = protease.slice(0, 75) + 'GSTEKLAV'.repeat(8)
  const similar = await explainer.similar({ segments: [construct], smiles: amprenavir }, 'light')
  expect(similar?.target?.similarity).toBeLessThan(0.9)
  expect(similar?.scope).toBe('target')
  const [measurement] = similar?.compounds[0]?.measurements ?? []
  expect(measurement?.contribution).not.toBeNull()
})

test('values on other entries of the same protein are included', async () => {
  const similar = await explainer.similar({ segments: [cdk2], smiles: roscovitine }, 'light')
  if (similar === null || similar.target === null) throw new Error('no training target was found')
  const measuredOn = new Set(
    similar.compounds.flatMap(({ measurements }) => measurements.map(({ target }) => target)),
  )
  expect(measuredOn).toEqual(new Set(['Cyclin-dependent kinase 2 (Homo sapiens)', 'CDK2']))
  // The protein is predicted as one entry; the other is the closest of its relatives, so its values move the prediction too.
  expect(similar.target.measured).toBeGreaterThan(similar.target.heard)
  for (const entry of measuredOn) {
    const moves = similar.compounds.flatMap(({ measurements }) =>
      measurements.filter(({ target }) => target === entry).map((one) => one.contribution ?? 0),
    )
    expect(Math.max(...moves.map(Math.abs))).toBeGreaterThan(0.01)
  }
  expect(similar.accuracy?.from).toBeLessThanOrEqual(similar.target.heard)
})

test('a value on a related target that moves the prediction is listed with the target it was measured on', async () => {
  const similar = await explainer.similar({ segments: [protease], smiles: amprenavir }, 'light')
  const added = similar?.compounds.slice(5) ?? []
  expect(added.length).toBeGreaterThan(0)
  expect(added.length).toBeLessThanOrEqual(3)
  const measuredOn = added.flatMap(({ measurements }) => measurements.map(({ target }) => target))
  expect(measuredOn).not.toContain(similar?.target?.name)
  expect(similar?.shift).toBeGreaterThan(0.5)
  for (const { measurements } of added) {
    expect(measurements.length).toBeGreaterThan(0)
    for (const { contribution } of measurements) {
      expect(Math.abs(contribution ?? 0)).toBeGreaterThanOrEqual(0.05)
    }
  }
})

test('for an unfamiliar protein compounds of other targets are listed, and marked as such', async () => {
  const pair = { segments: ['MKVLA'.repeat(20)], smiles: amprenavir }
  const similar = await explainer.similar(pair, 'light')
  expect(similar).toMatchObject({ scope: 'anywhere', target: null })
  expect(similar?.accuracy).toMatchObject({ from: 0, below: 1, family: { name: 'other proteins' } })
  const { plain, structure_adjusted: adjusted } = similar?.ranking ?? {}
  expect(adjusted?.beyond_size).toBeGreaterThan(plain?.beyond_size ?? 1)
  expect(similar?.compounds.length).toBeGreaterThan(0)
})

test('an unreadable compound is not explained, and the next one is', async () => {
  expect(await explainer.atoms({ segments: [protease], smiles: 'no molecule' }, 'light')).toBeNull()
  const next = await explainer.atoms({ segments: [protease], smiles: 'CCO' }, 'light')
  expect(next?.contributions).toHaveLength(3)
})

test('structures are used only with the model they belong to', async () => {
  for (const name of ['compound-fingerprints.bin.gz', 'measured.bin.gz']) {
    await cp(join(modelDir, name), join(scratch, name))
  }
  const write = async (fingerprints: string) => {
    const content = {
      fingerprints,
      measured: await hashOf('measured.bin.gz'),
      compounds: ['CCO\tethanol', 'CCN', ''],
      origins: [{ types: ['Kd'], sources: ['Davis 2011'] }],
      originOf: [0, -1],
    }
    await writeFile(join(scratch, 'compound-structures.json.gz'), gzipSync(JSON.stringify(content)))
    return openCompoundStructures(scratch)
  }
  const known = await write(await hashOf('compound-fingerprints.bin.gz'))
  expect([0, 1, 2, 3].map((row) => known.compound(row))).toEqual([
    { smiles: 'CCO', name: 'ethanol' },
    { smiles: 'CCN', name: null },
    null,
    null,
  ])
  expect([0, 1, 2].map((label) => known.origin(label))).toEqual([
    { types: ['Kd'], sources: ['Davis 2011'] },
    null,
    null,
  ])
  expect((await write('0'.repeat(64))).compound(0)).toBeNull()
})

async function hashOf(name: string): Promise<string> {
  return createHash('sha256')
    .update(await readFile(join(scratch, name)))
    .digest('hex')
}
