/** Two people comment on a shared screen: each sees what the other writes without a reload, and in the header. */
import { expect, type Page } from '@playwright/test'
import { signIn } from './api-user.ts'
import { expectNoViolations } from './no-violations.ts'
import { test } from './product.ts'
import { openSeriesUser, screenAll } from './sample-series.ts'
import { enter, newEmail } from './steps.ts'

test('SPEC 36.4: a viewer comments, and the owner sees it arrive; both edit and delete their own', async ({
  page,
  browser,
  baseURL,
}) => {
  const { user } = await openSeriesUser(baseURL, { count: 5 })
  const id = await screenAll(user, ['MET'])
  const email = newEmail()
  const colleague = await signIn(user.url, email)
  await user.post(`/screens/${id}/shares`, { email })
  const theirs = await (await browser.newContext({ baseURL: user.url })).newPage()
  await enter(theirs, colleague)
  await enter(page, user)

  await test.step('the end of the screen counts as new until the owner looks', async () => {
    await page.goto('/screens')
    await expect(countIn(page)).toHaveText('1')
    await expectNoViolations(page)
    await page.getByRole('table', { name: 'New' }).getByRole('link').click()
    await expect(page.getByRole('button', { name: 'Comments', exact: true })).toBeVisible()
    await expect(countIn(page)).toHaveCount(0)
  })
  await test.step('the viewer comments on the screen, by keyboard', async () => {
    await theirs.goto(`/screens/${id}`)
    await theirs.getByRole('button', { name: 'Comments', exact: true }).press('Enter')
    await theirs.getByLabel('New comment').fill(hostile)
    await theirs.keyboard.press('Tab')
    await theirs.keyboard.press('Enter')
    await expect(commentsIn(theirs).getByRole('listitem')).toHaveCount(1)
  })
  await test.step('it arrives on the owner’s page without a reload, as text with one link', async () => {
    await expect(page.getByRole('button', { name: 'Comments (1, 1 new)' })).toBeVisible()
    await expect(countIn(page)).toHaveText('1')
    await page.getByRole('button', { name: 'Comments (1, 1 new)' }).click()
    const comment = commentsIn(page).getByRole('listitem').first()
    await expect(comment).toContainText(hostile)
    await expect(comment.getByRole('link')).toHaveCount(1)
    await expect(comment.getByRole('link')).toHaveAttribute('rel', 'noopener noreferrer')
    await expect(comment.getByRole('button', { name: 'Edit' })).toHaveCount(0)
    await expect(countIn(page)).toHaveCount(0)
    await expectNoViolations(page)
  })
  await test.step('the owner answers on a pair; the viewer, who still looks, reads and opens it', async () => {
    await page.keyboard.press('Escape')
    await page
      .getByText(/^CHEMBL\d+$/)
      .first()
      .click()
    const pair = page.getByRole('dialog')
    await pair.getByRole('button', { name: 'Add comment' }).click()
    await expect(pair.getByLabel('New comment')).toBeFocused()
    await pair.getByLabel('New comment').fill('Make this one')
    await pair.getByRole('button', { name: 'Comment', exact: true }).click()
    await expect(commentsIn(page)).toContainText('Make this one')
    await expectNoViolations(page)
    const arrived = commentsIn(theirs).getByRole('listitem').first()
    await expect(arrived).toContainText('Make this one')
    await arrived.getByRole('button', { name: / on MET$/ }).click()
    await expect(theirs.getByRole('dialog', { name: / on MET$/ })).toContainText('Make this one')
    await theirs.keyboard.press('Escape')
  })
  await test.step('the viewer edits and deletes the first comment', async () => {
    await theirs.getByRole('button', { name: 'Comments (2)' }).click()
    const own = commentsIn(theirs).getByRole('listitem').last()
    await own.getByRole('button', { name: 'Edit' }).click()
    await own.getByLabel('Edit comment').fill('Changed')
    await own.getByRole('button', { name: 'Save' }).click()
    await expect(own).toContainText('edited')
    await own.getByRole('button', { name: 'Delete' }).click()
    const confirm = theirs.getByRole('dialog', { name: 'Delete comment' })
    await confirm.getByRole('button', { name: 'Delete' }).click()
    await expect(commentsIn(theirs).getByRole('listitem')).toHaveCount(1)
    await expect(theirs.getByText('Changed')).toHaveCount(0)
  })
  await test.step('the share ends while the viewer reads the comments', async () => {
    const { shares } = await (await user.get(`/screens/${id}/shares`)).json()
    await user.delete(`/screens/${id}/shares/${shares[0].id}`)
    await expect(theirs.getByText('No longer shared')).toBeVisible()
    await expect(theirs.getByRole('dialog')).toHaveCount(0)
  })
})

const hostile =
  '<img src=x onerror=alert(1)> see https://example.org/batch (not javascript:alert(1)).'

const commentsIn = (page: Page) => page.getByRole('dialog').getByRole('list', { name: 'Comments' })

/** The count in the header. */
const countIn = (page: Page) =>
  page.getByRole('banner').getByTitle('New comments and finished screens').locator('[aria-hidden]')
