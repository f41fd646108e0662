/** Steps of the administrator, in the admin area and through the API. */
import { expect, type Page } from '@playwright/test'
import {
  ADMIN_KEY_HEADER,
  createUser,
  listUsers,
  requestAdminKey,
  requestAdminToken,
  setUserCredits,
} from '@pkdex/contract'
import { administrator } from './product.ts'

export async function loginAdmin(page: Page): Promise<void> {
  await page.goto('/admin/login')
  await page.getByLabel('Email').fill(administrator.email)
  await page.getByLabel('Password').fill(administrator.password)
  await page.getByRole('button', { name: 'Login' }).click()
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
}

/** Users created through the API, so that a list has several pages. */
export async function makeUsers(url: string, count: number, prefix: string): Promise<void> {
  const headers = { [ADMIN_KEY_HEADER]: await adminKey(url) }
  for (let number = 1; number <= count; number += 1) {
    const name = number % 3 === 0 ? '' : `${prefix} ${number}`
    const email = `${prefix}-${String(number).padStart(3, '0')}@lab.example`
    await send(url + createUser.path, {
      headers,
      body: { email, name, credits: number, is_active: number !== 2 },
    })
  }
}

export async function adminKey(url: string): Promise<string> {
  const body = { username: administrator.email, password: administrator.password }
  const { access_token } = await send(url + requestAdminToken.path, { headers: {}, body })
  const answer = await fetch(url + requestAdminKey.path, {
    headers: { Authorization: `Bearer ${access_token}` },
  })
  const { api_key } = await answer.json()
  return api_key
}

/** As an administrator, through the API. */
export async function setCredits(url: string, email: string, credits: number): Promise<void> {
  const headers = { [ADMIN_KEY_HEADER]: await adminKey(url) }
  const users = await (await fetch(url + listUsers.path, { headers })).json()
  const found = users.find((user: { email: string }) => user.email === email)
  const path = setUserCredits.path.replace(':userId', found._id)
  const answer = await fetch(`${url}${path}?credits=${credits}`, { method: 'PUT', headers })
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
}

async function send(url: string, { headers, body }: { headers: object; body: object }) {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`)
  return answer.json()
}

let made = 0
/** A unique prefix for each test. */
export function newPrefix(name: string): string {
  made += 1
  return `${name}-${process.pid}-${made}`
}
