/** Provides the real product to the tests: one per Playwright worker, shared by its files; each test has its own user. */
import { test as base } from '@playwright/test'
import { ownProcess, type Product, startProduct } from './start-product.ts'

export const administrator = { email: 'admin@lab.example', password: 'a-long-enough-password' }

export const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

export const test = base.extend<{ baseURL: string; aliveAfterwards: void }, { product: Product }>({
  product: [
    // oxlint-disable-next-line no-empty-pattern -- the runner reads the names of the fixtures from the pattern
    async ({}, give) => {
      // A running product to use instead; it has no administrator.
      const url = process.env['PKDEX_URL']
      if (url !== undefined) {
        await give({ url, pid: 0, expectAlive: () => undefined, stop: async () => undefined })
        return
      }
      const settings = { ADMIN_EMAIL: administrator.email, ADMIN_PASSWORD: administrator.password }
      const product = await startProduct(settings, await ownProcess('impatient'))
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
