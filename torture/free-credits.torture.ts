/** Attack: every known way to get a prediction without paying. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { type ApiUser, signIn } from '../e2e/api-user.ts'
import { startProduct } from '../e2e/start-product.ts'
import { openLoadUser } from './load.ts'

const CREDITS = 300

const product = await startProduct({
  LOG_LEVEL: 'fatal',
  RATE_LIMIT: 'off',
  INITIAL_CREDITS: String(CREDITS),
  DEV_IDENTITY: 'on',
})
afterAll(() => product.stop())

const balanceOf = async (user: ApiUser): Promise<number> =>
  (await (await user.get('/dta/credits')).json()).credits

const knownOf = async (user: ApiUser): Promise<unknown[]> =>
  (await (await user.get('/dta/known?protein_id=hiv')).json()).known

test('deleting an account and signing up again gives no new initial credits', async () => {
  const email = 'again@example.org'
  const user = await openLoadUser(product.url, email, 10)
  await user.post('/dta/predict', { protein_id: 'hiv', compound_id: 'alcohol-1' })
  const left = await balanceOf(user)
  expect(left).toBe(CREDITS - 1)
  const { url } = product
  await fetch(`${url}/account`, {
    method: 'DELETE',
    headers: { ...user.headers, 'content-type': 'application/json' },
    body: JSON.stringify({ confirm: email }),
  })
  expect(await balanceOf(await signIn(url, email))).toBe(left)
})

test('a cancelled screen with duplicate rows costs exactly the predicted pairs', async () => {
  const user = await openLoadUser(product.url, 'rows@example.org', 600)
  const names = Array.from({ length: 260 }, (_, at) => `alcohol-${at}`)
  const order = { targets: ['hiv'], compounds: [...names, ...names.slice(0, 100)] }
  const { id } = await (await user.post('/screens', order)).json()
  for (let look = 0; look < 200; look += 1) {
    const { done } = await (await user.get(`/screens/${id}`)).json()
    if (done > 0) break
    await sleep(20)
  }
  await user.delete(`/screens/${id}`)
  await sleep(3000)
  const numbers = (await knownOf(user)).length
  expect(numbers).toBeGreaterThan(0)
  expect(CREDITS - (await balanceOf(user))).toBe(numbers)
})

test('made-up measured values give no free predictions', async () => {
  const user = await openLoadUser(product.url, 'values@example.org', 50)
  const lines = Array.from({ length: 40 }, (_, at) => `alcohol-${at},1 nM`)
  await user.post('/measurements', { target: 'hiv', text: lines.join('\n') })
  for (let look = 0; look < 100; look += 1) {
    const answer = await user.get('/measurements/comparison?target=hiv')
    const { waiting, compared } = await answer.json()
    for (const one of compared) expect(one).toMatchObject({ without_own: null, with_own: null })
    if (waiting === 0 && compared.length === 40) break
    await sleep(200)
  }
  expect(await balanceOf(user)).toBe(CREDITS)
  expect(await knownOf(user)).toEqual([])
})
