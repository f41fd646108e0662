/** Draws real pictures of uploaded files. */
import { readFileSync } from 'node:fs'
import { drawCompounds, Preview } from '@pkdex/contract'
import sharp from 'sharp'
import { afterAll, expect, test } from 'vitest'
import { openTestSession } from '#test/factories.ts'
import { filesRoutes } from '#server/files/routes.ts'
import { openTestApp } from '#test/open-test-app.ts'
import { openTestParsing, uploadTo } from '#test/open-test-files.ts'
import { previewRoutes } from './routes.ts'
import { openPreviews } from './service.ts'

const structure = readFileSync(new URL('../../../../samples/1hpv.pdb', import.meta.url))

const parsingWorkers = openTestParsing()
const t = await openTestApp({
  features: ({ db, config, clock: { now } }) => [
    filesRoutes({ db, parsingWorkers, now, ...config }),
    previewRoutes(openPreviews({ db, parsingWorkers, now })),
  ],
})
const user = await openTestSession(t.db)
afterAll(() => t.close())

async function upload(type: string, filename: string, content: Buffer | string) {
  const answer = await uploadTo(t.app, user.headers, { type, filename, content })
  expect(answer.statusCode).toBe(200)
}

async function look(address: string) {
  const url = `/visualization/${address}`
  const answer = await t.app.inject({ method: 'GET', url, headers: user.headers })
  expect(answer.statusCode).toBe(200)
  const { visualizationUrl, alt } = Preview.parse(answer.json())
  const [head, content = ''] = visualizationUrl?.split('base64,') ?? []
  return { head, alt, content: Buffer.from(content, 'base64') }
}

test('SPEC 7.5: an uploaded structure has a non-empty picture, and another for the dark theme', async () => {
  await upload('protein_pdb', 'protease.pdb', structure)
  const light = await look('protein/protease')
  expect(light.head).toBe('data:image/webp;')
  expect(light.alt).toContain('protease')
  expect(light.alt).toContain('2 protein chains with 198 residues')
  const { channels } = await sharp(light.content).stats()
  // The channel with the strongest contrast: an empty picture has one colour.
  expect(Math.max(...channels.map(({ stdev }) => stdev))).toBeGreaterThan(10)
  const dark = await look('protein/protease?theme=dark')
  expect(dark.content.equals(light.content)).toBe(false)
  expect((await look('protein/protease')).content.equals(light.content)).toBe(true)
})

test('SPEC 7.5: an uploaded compound has a drawing of its formula', async () => {
  await upload('drug_smiles', 'aspirin.txt', 'CC(=O)Oc1ccccc1C(=O)O aspirin\n')
  const { head, alt, content } = await look('molecule/aspirin')
  expect(head).toBe('data:image/svg+xml;')
  expect(alt).toContain('C9H8O4')
  expect(content.toString()).toMatch(/^<(\?xml|svg)[\s\S]*<path/)
})

test('rows of a list are drawn in one request, in order, with null for unknown ones', async () => {
  const series = [
    'COc1cc2ncnc(Nc3ccc(F)c(Cl)c3)c2cc1OC one',
    'COc1cc2ncnc(Nc3cccc(Br)c3)c2cc1O two',
  ]
  await upload('drug_smiles', 'series.txt', series.join('\n'))
  const answer = await t.app.inject({
    method: 'POST',
    url: drawCompounds.path,
    headers: user.headers,
    payload: { names: ['two', 'missing', 'one'], like: ['one', 'two'], theme: 'dark' },
  })
  const { pictures } = drawCompounds.answer.parse(answer.json())
  expect(pictures.map((picture) => picture?.alt?.split(':')[0] ?? null)).toEqual([
    'two',
    null,
    'one',
  ])
  for (const picture of [pictures[0], pictures[2]]) {
    const [head, content = ''] = picture?.visualizationUrl?.split('base64,') ?? []
    expect(head).toBe('data:image/svg+xml;')
    expect(Buffer.from(content, 'base64').toString()).toMatch(/^<svg [^>]*width="300"/)
  }
})

test('SPEC 30.10: molecules are drawn from SMILES as they are predicted, whatever compounds the user has', async () => {
  const draw = async (payload: object) => {
    const headers = user.headers
    const answer = await t.app.inject({ method: 'POST', url: drawCompounds.path, headers, payload })
    return { status: answer.statusCode, body: answer.json() }
  }
  const smiles = ['OC(=O)c1ccccc1.[Na]', 'not SMILES', 'CCN']
  const { body } = await draw({ smiles, like: ['OC(=O)c1ccccc1', 'CCN'] })
  const { pictures } = drawCompounds.answer.parse(body)
  expect(pictures.map((picture) => picture !== null)).toEqual([true, false, true])
  // The salt is not drawn, because the prediction ignores it.
  const alone = drawCompounds.answer.parse((await draw({ smiles: ['OC(=O)c1ccccc1'] })).body)
  expect(pictures[0]?.alt).toContain('C7H6O2')
  expect(alone.pictures[0]?.alt).toContain('C7H6O2')
  for (const neither of [{}, { names: ['aspirin'], smiles: ['C'] }]) {
    expect((await draw(neither)).status).toBe(400)
  }
})
