import { listAudit } from '@pkdex/contract'
import { expect, test } from 'vitest'
import { readAudit } from '#server/audit/service.ts'
import { openTestAdmin } from '#test/open-test-admin.ts'

const all = listAudit.query.parse({})

test('SPEC 26.8: audit entries of a user can be found by email, even after the user is deleted', async () => {
  const t = await openTestAdmin()
  try {
    const email = 'kaya@lab.example'
    const { _id } = (await t.call('POST', '/admin/users', { email })).json()
    await t.call('PUT', `/admin/users/${_id}`, { name: 'Kaya' })
    const credit = { user_ids: [_id], delta: 5, note: '' }
    await t.call('POST', '/admin/users/credits', credit)
    const read = async () => {
      const { entries } = await readAudit(t.db, { ...all, search: email })
      return entries.map(({ action, person }) => [action, person])
    }
    const done = [
      ['change credits', email],
      ['update user', email],
      ['create user', email],
    ]
    expect(await read()).toEqual(done)
    await t.call('DELETE', `/admin/users/${_id}`)
    expect(await read()).toEqual([['delete user', email], ...done])
  } finally {
    await t.close()
  }
})

test('SPEC 26.10: importing many users is one audit entry, found under each of them', async () => {
  const t = await openTestAdmin()
  try {
    const lines = Array.from({ length: 100 }, (_, at) => `user${at}@lab.example,,5`)
    const csv = ['email,name,credits', ...lines].join('\n')
    const imported = await t.call('POST', '/admin/users/import', { csv, apply: true })
    expect(imported.statusCode).toBe(200)
    const { entries, total } = await readAudit(t.db, { ...all, search: 'user57@lab.example' })
    expect(total).toBe(1)
    expect(entries[0]).toMatchObject({
      action: 'import users',
      subject: '100 users',
      after: { created: 100, credited: 100, count: 100 },
    })
  } finally {
    await t.close()
  }
})

test('SPEC 26.11: audit entries are filtered by administrator, action and day', async () => {
  const t = await openTestAdmin()
  try {
    await t.call('POST', '/admin/users', { email: 'one@lab.example' })
    const read = async (query: string) => {
      const answer = await t.call('GET', `/admin/audit?${query}`)
      return listAudit.answer.parse(answer.json())
    }
    const administrator = encodeURIComponent(t.administrator.email.toUpperCase())
    const { entries, actions, administrators } = await read(`administrator=${administrator}`)
    expect(entries.map(({ action }) => action)).toContain('create user')
    expect(actions).toContain('create user')
    expect(administrators).toContain(t.administrator.email)
    expect((await read('administrator=other')).entries).toEqual([])
    const created = await read('action=create+user')
    expect(created.entries.map(({ action }) => action)).toEqual(['create user'])
    const day = created.entries[0]?.at.slice(0, 10)
    expect((await read(`action=create+user&from=${day}&to=${day}`)).entries).toHaveLength(1)
    expect((await read('to=2020-01-01')).entries).toEqual([])
    expect((await read('from=2120-01-01')).entries).toEqual([])
    expect((await t.call('GET', '/admin/audit?from=yesterday')).statusCode).toBe(400)
  } finally {
    await t.close()
  }
})
