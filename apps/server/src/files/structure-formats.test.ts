/** Structures in the further formats, uploaded as their programs and archives give them. */
import { readFile } from 'node:fs/promises'
import { UploadAnswer } from '@pkdex/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestSession } from '#server/auth/open-test-session.ts'
import { openTestApp, type TestApp } from '#server/platform/http/open-test-app.ts'
import { openParsingWorkers } from './parsing/service.ts'
import { filesRoutes } from './routes.ts'

const entries = new URL(
  '../../../../packages/biochem/src/pdb/fixtures/structures/',
  import.meta.url,
)
const parsingWorkers = openParsingWorkers({ threads: 1 })
let t: TestApp
beforeAll(async () => {
  t = await openTestApp({
    features: ({ db, config, clock }) => [
      filesRoutes({ db, parsingWorkers, now: clock.now, ...config }),
    ],
  })
})
afterAll(async () => {
  await t.close()
  await parsingWorkers.close()
})

test.each(['1A8O.cif.gz', '1A8O.pdb.gz'])(
  '%s is read as the structure inside',
  async (filename) => {
    const user = await openTestSession(t.db)
    const form = new FormData()
    form.append('file', new Blob([await readFile(new URL(filename, entries))]), filename)
    form.append('file_type', 'protein_pdb')
    const request = new Request('http://x/', { method: 'POST', body: form })
    const answer = await t.app.inject({
      method: 'POST',
      url: '/file_manager/upload',
      headers: { ...user.headers, 'content-type': request.headers.get('content-type') ?? '' },
      payload: Buffer.from(await request.arrayBuffer()),
    })
    expect(UploadAnswer.parse(answer.json()).targets).toMatchObject([
      { name: '1A8O', chain: 'A', residues: 70 },
    ])
  },
)
