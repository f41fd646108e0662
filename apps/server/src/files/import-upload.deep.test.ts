/** Uploads whose user changes while the file is read. */
import { createHash } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { openTestSession } from '#test/factories.ts'
import { openTestDatabase } from '#test/open-test-database.ts'
import { openTestParsing } from '#test/open-test-files.ts'
import { importUpload } from './import-upload.ts'

const parsingWorkers = openTestParsing()
const t = await openTestDatabase()
afterAll(() => t.close())

test.each([
  ['deleted', 'Session expired. Please login again.'],
  ['switched off', 'This account is deactivated.'],
] as const)(
  'an upload whose user is %s during reading is refused, and nothing is stored',
  async (change, message) => {
    const { userId } = await openTestSession(t.db)
    const meanwhile: typeof parsingWorkers = {
      ...parsingWorkers,
      async readCompounds(...call) {
        const read = await parsingWorkers.readCompounds(...call)
        await (change === 'deleted'
          ? t.db.deleteFrom('users').where('id', '=', userId).execute()
          : t.db.updateTable('users').set({ is_active: false }).where('id', '=', userId).execute())
        return read
      },
    }
    const bytes = Buffer.from('CCO ethanol')
    const sha256 = createHash('sha256').update(bytes).digest()
    const upload = { fileType: 'drug_smiles', filename: 'x.txt', bytes, sha256 } as const
    const dependencies = {
      storedBytesPerUser: 2 ** 30,
      db: t.db,
      parsingWorkers: meanwhile,
      now: () => new Date(),
    }
    await expect(importUpload(dependencies, { userId, upload })).rejects.toThrow(message)
    const kept = t.db.selectFrom('files').select('id').where('user_id', '=', userId)
    expect(await kept.execute()).toEqual([])
  },
)
