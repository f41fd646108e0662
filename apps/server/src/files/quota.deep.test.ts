/** A user's storage is limited in bytes, also for simultaneous uploads. */
import { afterAll, expect, test } from 'vitest'
import { openTestSession, type TestSession } from '#test/factories.ts'
import { openTestFiles, openTestParsing, uploadTo } from '#test/open-test-files.ts'

const BYTES_MAX = 1000
const FILE_BYTES = 300

const parsingWorkers = openTestParsing()
const t = await openTestFiles({
  environment: { STORED_BYTES_PER_USER: String(BYTES_MAX) },
  parsingWorkers,
})
afterAll(() => t.close())

test('SPEC 19.5: of ten simultaneous uploads those that fit are stored, and the rest are refused with a reason', async () => {
  const user = await openTestSession(t.db)
  const answers = await Promise.all(Array.from({ length: 10 }, (_, index) => upload(user, index)))
  const refused = answers.filter(({ statusCode }) => statusCode !== 200)
  expect(refused).toHaveLength(7)
  for (const answer of refused) {
    expect(answer.json()).toMatchObject({
      code: 'file_too_large',
      message:
        'Your files use 900.00 Bytes of 1000.00 Bytes. ' +
        'This file (300.00 Bytes) was not added.',
    })
  }
  expect(await usage(user)).toEqual({ bytes_used: 3 * FILE_BYTES, bytes_max: BYTES_MAX })
})

test('an existing file does not count again, and other users’ files do not count', async () => {
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
  return uploadTo(t.app, headers, { type: 'drug_smiles', filename: `f${index}.txt`, content })
}
