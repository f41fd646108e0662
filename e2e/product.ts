/** Gives the real product to a journey. */
import { test as base } from '@playwright/test'
import { type Product, startProduct } from './start-product.ts'

/** A journey's test: one product a worker, shared by its files; each test signs in as its own user. */
export const test = base.extend<{ baseURL: string; aliveAfterwards: void }, { product: Product }>({
  product: [
    // oxlint-disable-next-line no-empty-pattern -- the runner reads the names of the fixtures from the pattern
    async ({}, give) => {
      // Shorter than the product's own, longer than a reload may take on a busy machine.
      const product = await startProduct({ PAGE_CLOSE_GRACE_MS: '10000' })
      await give(product)
      await product.stop()
    },
    { scope: 'worker', timeout: 240_000 },
  ],
  baseURL: async ({ product }, give) => give(product.url),
  // A product that died says why itself; the page knows only that nobody answered.
  aliveAfterwards: [
    async ({ product }, give) => {
      await give()
      product.expectAlive()
    },
    { auto: true },
  ],
})
