/** The bytes being received stay within the budget of the process, however many uploads are started. */
import { afterAll, expect, test, vi } from 'vitest'
import { openRawCall } from '#test/open-raw-call.ts'
import { openTestSession } from '#test/factories.ts'
import { openTestFiles, openTestParsing, uploadTo } from '#test/open-test-files.ts'

const UPLOAD_BYTES = 900_000
/** The budget is ten times the largest upload size. */
const UPLOADS_THAT_FIT = 11

const parsingWorkers = openTestParsing()
const t = await openTestFiles({
  environment: { UPLOAD_BYTES_MAX: '1000000' },
  parsingWorkers,
})
await t.app.listen({ host: '127.0.0.1', port: 0 })
afterAll(() => t.close())

test('SPEC 19.6: unfinished uploads fill the budget, further ones get 503, and it is free again when they end', async () => {
  const stalled = await Promise.all(Array.from({ length: 20 }, beginUpload))
  const answered = () => stalled.filter(({ answer }) => answer() !== '')
  await vi.waitFor(() => expect(answered()).toHaveLength(20 - UPLOADS_THAT_FIT), 20_000)
  for (const { answer } of answered()) {
    expect(answer()).toMatch(/^HTTP\/1.1 503 /)
    expect(answer()).toMatch(/\r\nretry-after: 5\r\n/i)
    expect(answer()).toContain('"code":"unavailable"')
  }
  for (const { socket } of stalled) socket.destroy()
  await vi.waitFor(async () => expect(await upload(filled('CCO ethanol'))).toBe(200), 20_000)
})

test('a refused upload releases its part of the budget', async () => {
  for (let count = 0; count < 2 * UPLOADS_THAT_FIT; count++) {
    expect(await upload(filled('C1CC broken'))).toBe(422)
  }
  expect(await upload(filled('CCO ethanol'))).toBe(200)
})

/** Comment lines pad the file to the largest size. */
function filled(line: string): string {
  return `${line}\n${`#${'x'.repeat(98)}\n`.repeat(UPLOAD_BYTES / 100 - 10)}`
}

async function upload(content: string): Promise<number> {
  const { headers } = await openTestSession(t.db)
  const sent = { type: 'drug_smiles', filename: 'a.txt', content }
  return (await uploadTo(t.app, headers, sent)).statusCode
}

/** An upload of a new user, all but its last byte. */
async function beginUpload() {
  const { key } = await openTestSession(t.db)
  const kind = '--b\r\ncontent-disposition: form-data; name="file_type"\r\n\r\ndrug_smiles\r\n'
  const part = '--b\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\n'
  const head = [
    'POST /file_manager/upload HTTP/1.1',
    `api-key: ${key}`,
    'content-type: multipart/form-data; boundary=b',
    `content-length: ${UPLOAD_BYTES}`,
  ]
  return openRawCall(t.app, head, (kind + part).padEnd(UPLOAD_BYTES - 1, '#'))
}
