/** Patterns that are too slow are refused when they are saved. */
import { afterAll, expect, test } from 'vitest'
import { openTestProduct } from '#test/open-test-product.ts'
import { openTestSession } from '#test/factories.ts'

const t = await openTestProduct()
const user = await openTestSession(t.db)
afterAll(() => t.close())

test('SPEC 32.4: a pattern that takes too long on ordinary compounds is named when it is saved', async () => {
  const slow = { name: 'slow', smarts: 'C.C.C.C.C.[r9]' }
  const refused = await t.app.inject({
    method: 'PUT',
    url: '/alerts',
    headers: user.headers,
    payload: { patterns: [{ name: 'Acid', smarts: 'C(=O)[OX2H1]' }, slow] },
  })
  expect(refused.statusCode).toBe(400)
  expect(refused.json<{ message: string }>().message).toMatch(/^Pattern 2, “slow”: This takes too/)
})
