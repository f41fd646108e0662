/** Reads the structure weights of a model folder, with and without differences between compounds. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished, expect, test } from 'vitest'
import { readRanking, readStructureWeights } from './structure-settings.ts'

const shipped = fileURLToPath(new URL('../../../../models/current', import.meta.url))

const score = (name: string, tau: number) => ({ name, tau, tauBeyondSize: tau / 2 })
const figures = {
  series: 10,
  plain: score('plain', 0.2),
  scores: [
    score('mean pose and similarity', 0.3),
    score('mean pose, similarity and differences', 0.4),
  ],
}

async function folderWith(weights: object, files: string[] = []): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'pkdex-structure-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const centring = 'compounds placed together'
  const settings = { model_version: '1', weights, centring, figures }
  await writeFile(join(folder, 'structure.json'), JSON.stringify(settings))
  for (const file of files) await writeFile(join(folder, file), '')
  return folder
}

test('the reported ranking is the one for the features that have a weight', async () => {
  const earlier = await folderWith({ pose: 0.1, similarity: 0.2 })
  expect(readStructureWeights(earlier)).toEqual({ pose: 0.1, similarity: 0.2 })
  expect(readRanking(earlier)?.structure_adjusted).toEqual({ tau: 0.3, beyond_size: 0.15 })
  const weights = { pose: 0.1, similarity: 0.2, difference: 0.5 }
  const folder = await folderWith(weights, ['differences.json.gz'])
  expect(readStructureWeights(folder)).toEqual(weights)
  expect(readRanking(folder)?.structure_adjusted).toEqual({ tau: 0.4, beyond_size: 0.2 })
})

test('a weight of differences without their graph is an error that names the file', async () => {
  const folder = await folderWith({ pose: 0.1, similarity: 0.2, difference: 0.5 })
  expect(() => readStructureWeights(folder)).toThrow('has no differences.json.gz')
})

test('the shipped folder has all three weights, fitted on its own model', async () => {
  const { pose, similarity, difference = 0 } = readStructureWeights(shipped)
  expect(Math.min(pose, similarity, difference)).toBeGreaterThan(0)
  const [card, structure] = await Promise.all(
    ['model-card.json', 'structure.json'].map((file) => readFile(join(shipped, file), 'utf8')),
  )
  const [, version] = /"version": "([^"]+)"/.exec(card ?? '') ?? []
  expect(JSON.parse(structure ?? '')).toMatchObject({ model_version: version })
})
