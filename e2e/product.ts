/** Provides the real product to the tests. */
import { test as base } from '@playwright/test'
import { ownProcess, type Product, startProduct } from './start-product.ts'

/** PKDEX_URL names a running product to use instead. A test with one product per Playwright worker, shared by its files; each test signs in as its own user. */
export const test = base.extend<{ baseURL: string; aliveAfterwards: void }, { product: Product }>({
  product: [
    // oxlint-disable-next-line no-empty-pattern -- the runner reads the names of the fixtures from the pattern
    async ({}, give) => {
      const url = process.env['PKDEX_URL']
      if (url !== undefined) {
        await give({ url, pid: 0, expectAlive: () => undefined, stop: async () => undefined })
        return
      }
      const product = await startProduct({}, await ownProcess('impatient'))
      await give(product)
      await product.stop()
    },
    { scope: 'worker', timeout: 240_000 },
  ],
  baseURL: async ({ product }, give) => give(product.url),
  // If the product died, it reports the reason itself; the page only knows that there was no response.
  aliveAfterwards: [
    async ({ product }, give) => {
      await give()
      product.expectAlive()
    },
    { auto: true },
  ],
})
