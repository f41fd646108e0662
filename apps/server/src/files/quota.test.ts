/** What one user keeps is bounded in bytes, whatever is uploaded at the same time. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestSession, type TestSession } from '#server/auth/open-test-session.ts'
import { openTestApp, type TestApp } from '#server/platform/http/open-test-app.ts'
import { openParsingWorkers } from './parsing/service.ts'
import { filesRoutes } from './routes.ts'

const BYTES_MAX = 1000
const FILE_BYTES = 300

const parsingWorkers = openParsingWorkers({ threads: 1 })
let t: TestApp
beforeAll(async () => {
  t = await openTestApp({
    environment: { STORED_BYTES_PER_USER: String(BYTES_MAX) },
    features: ({ db, config, clock }) => [
      filesRoutes({ db, parsingWorkers, now: clock.now, ...config }),
    ],
  })
})
afterAll(async () => {
  await t.close()
  await parsingWorkers.close()
})

test('of ten simultaneous uploads those that fit are kept, and the rest is refused with a sentence', async () => {
  const user = await openTestSession(t.db)
  const answers = await Promise.all(Array.from({ length: 10 }, (_, index) => upload(user, index)))
  const refused = answers.filter(({ statusCode }) => statusCode !== 200)
  expect(refused).toHaveLength(7)
  for (const answer of refused) {
    expect(answer.json()).toMatchObject({
      code: 'file_too_large',
      message:
        'Your files take 900.00 Bytes, and 1000.00 Bytes is the most that is kept for one user. ' +
        'This file of 300.00 Bytes was not added.',
    })
  }
  expect(await usage(user)).toEqual({ bytes_used: 3 * FILE_BYTES, bytes_max: BYTES_MAX })
})

test('a file that is there already costs nothing, and nobody pays for another', async () => {
  const [user, other] = [await openTestSession(t.db), await openTestSession(t.db)]
  for (const _ of Array.from({ length: 5 })) {
    expect((await upload(user, 1)).statusCode).toBe(200)
  }
  expect(await usage(user)).toMatchObject({ bytes_used: FILE_BYTES })
  expect(await usage(other)).toMatchObject({ bytes_used: 0 })
})

async function usage({ headers }: TestSession) {
  const answer = await t.app.inject({ method: 'GET', url: '/file_manager/usage', headers })
  return answer.json()
}

function upload({ headers }: TestSession, index: number) {
  const content = `CCO m${index}\n`.padEnd(FILE_BYTES, '#')
  const part = `--b\r\ncontent-disposition: form-data; name="file"; filename="f${index}.txt"\r\n\r\n`
  const type = '--b\r\ncontent-disposition: form-data; name="file_type"\r\n\r\ndrug_smiles\r\n'
  return t.app.inject({
    method: 'POST',
    url: '/file_manager/upload',
    headers: { ...headers, 'content-type': 'multipart/form-data; boundary=b' },
    payload: `${type}${part}${content}\r\n--b--\r\n`,
  })
}
