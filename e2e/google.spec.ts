/** The real Google path: a client id is set, and the test serves Google's script and keys at Google's URLs. */
import { expect, type Page } from '@playwright/test'
import { type FakeGoogle, startGoogle } from './fake-google.ts'
import { test } from './product.ts'
import { type Product, startProduct } from './start-product.ts'

let google: FakeGoogle
let product: Product

test.beforeAll(async () => {
  google = await startGoogle()
  product = await startProduct(google.settings)
})
test.afterAll(async () => {
  await product.stop()
  await google.stop()
})

const button = (page: Page) => page.getByRole('button')

test('SPEC 7.3: a token that Google signed for this app signs in', async ({ page }) => {
  google.behave('signs in')
  await page.goto(product.url)
  await expect(page.getByText('Development sign-in')).toBeHidden()
  await button(page).filter({ hasText: 'Sign in with Google' }).click()
  await expect(page).toHaveURL(/\/prompt$/)
})

test('SPEC 8.1: a token for another app is refused, and the page says so', async ({ page }) => {
  google.behave('signs for another app')
  await page.goto(product.url)
  await button(page).filter({ hasText: 'Sign in with Google' }).click()
  await expect(page.getByRole('alert')).toContainText('Google sign-in failed. Try again.')
  await expect(page).toHaveURL(/\/$/)
  await expect(button(page).filter({ hasText: 'Sign in with Google' })).toBeVisible()
})

test('SPEC 8.5: a script that does not load shows an error, and can be tried again', async ({
  page,
}) => {
  google.behave('is gone')
  await page.goto(product.url)
  await expect(page.getByText('Failed to load Google authentication services.')).toBeVisible()
  google.behave('signs in')
  await page.getByRole('button', { name: 'Retry' }).click()
  await button(page).filter({ hasText: 'Sign in with Google' }).click()
  await expect(page).toHaveURL(/\/prompt$/)
})
