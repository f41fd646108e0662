/** From an upload to its picture, drawn for real: what a page gets to see. */
import { readFileSync } from 'node:fs'
import { Preview, uploadFile } from '@pkdex/contract'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestSession, type TestSession } from '#server/auth/open-test-session.ts'
import { filesRoutes } from '#server/files/routes.ts'
import { openTestApp, type TestApp } from '#server/platform/http/open-test-app.ts'
import { openParsingWorkers } from '#server/files/parsing/service.ts'
import { previewRoutes } from './routes.ts'
import { openPreviews } from './service.ts'

const structure = readFileSync(new URL('../../../../samples/1hpv.pdb', import.meta.url))

const parsingWorkers = openParsingWorkers({ threads: 1 })
let t: TestApp
let user: TestSession
beforeAll(async () => {
  t = await openTestApp({
    features: ({ db, config, clock: { now } }) => [
      filesRoutes({ db, parsingWorkers, now, ...config }),
      previewRoutes(openPreviews({ db, parsingWorkers, now })),
    ],
  })
  user = await openTestSession(t.db)
})
afterAll(async () => {
  await t.close()
  await parsingWorkers.close()
})

async function upload(file_type: string, filename: string, content: Buffer | string) {
  const body = new FormData()
  body.append('file_type', file_type)
  body.append('file', new File([content.toString()], filename))
  const request = new Request('http://x', { method: 'POST', body })
  const answer = await t.app.inject({
    method: 'POST',
    url: uploadFile.path,
    headers: { ...user.headers, 'content-type': request.headers.get('content-type') ?? '' },
    payload: Buffer.from(await request.arrayBuffer()),
  })
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

test('SPEC 7.5: an uploaded structure has a picture with something on it, another for the dark', async () => {
  await upload('protein_pdb', 'protease.pdb', structure)
  const light = await look('protein/protease')
  expect(light.head).toBe('data:image/webp;')
  expect(light.alt).toContain('protease')
  expect(light.alt).toContain('2 protein chains with 198 residues')
  const { channels } = await sharp(light.content).stats()
  // The channel of the strongest contrast: an empty picture has one colour.
  expect(Math.max(...channels.map(({ stdev }) => stdev))).toBeGreaterThan(10)
  const dark = await look('protein/protease?theme=dark')
  expect(dark.content.equals(light.content)).toBe(false)
  expect((await look('protein/protease')).content.equals(light.content)).toBe(true)
})

test('SPEC 7.5: an uploaded compound has its formula as a drawing', async () => {
  await upload('drug_smiles', 'aspirin.txt', 'CC(=O)Oc1ccccc1C(=O)O aspirin\n')
  const { head, alt, content } = await look('molecule/aspirin')
  expect(head).toBe('data:image/svg+xml;')
  expect(alt).toContain('C9H8O4')
  expect(content.toString()).toMatch(/^<(\?xml|svg)[\s\S]*<path/)
})
