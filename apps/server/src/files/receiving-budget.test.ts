/** The bytes being received stay within the budget of the process, however many uploads are started. */
import { connect, type AddressInfo, type Socket } from 'node:net'
import { afterAll, expect, test, vi } from 'vitest'
import { openTestSession } from '#test/open-test-session.ts'
import { openTestFiles, openTestParsing } from '#test/open-test-files.ts'

const UPLOAD_BYTES = 900_000
/** In a budget of ten uploads of the largest size. */
const UPLOADS_THAT_FIT = 11

const parsingWorkers = openTestParsing()
const t = await openTestFiles({
  environment: { UPLOAD_BYTES_MAX: '1000000' },
  parsingWorkers,
})
await t.app.listen({ host: '127.0.0.1', port: 0 })
afterAll(() => t.close())

const head =
  '--b\r\ncontent-disposition: form-data; name="file_type"\r\n\r\ndrug_smiles\r\n' +
  '--b\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\n'
const bodyOf = (content: string) => `${head}${content}\r\n--b--\r\n`

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
  const answer = await t.app.inject({
    method: 'POST',
    url: '/file_manager/upload',
    headers: { ...headers, 'content-type': 'multipart/form-data; boundary=b' },
    payload: bodyOf(content),
  })
  return answer.statusCode
}

/** An upload of a new user, all but its last byte. */
async function beginUpload(): Promise<{ socket: Socket; answer: () => string }> {
  const { key } = await openTestSession(t.db)
  const { port } = t.app.server.address() as AddressInfo
  const socket = connect(port, '127.0.0.1')
  let answer = ''
  socket.on('error', () => undefined)
  socket.on('data', (data) => (answer += data.toString()))
  socket.write(
    `POST /file_manager/upload HTTP/1.1\r\nhost: x\r\napi-key: ${key}\r\n` +
      `content-type: multipart/form-data; boundary=b\r\ncontent-length: ${UPLOAD_BYTES}\r\n\r\n`,
  )
  socket.write(head.padEnd(UPLOAD_BYTES - 1, '#'))
  return { socket, answer: () => answer }
}
