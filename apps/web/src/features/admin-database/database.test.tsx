/** Statistics, exports and the audit log on the admin pages. */
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { listOf, namesOf, openAdmin, rowsOf } from '#web/test/admin.tsx'
import { refuse } from '#web/test/calls.ts'
import { catchSaved, type Saved } from '#web/test/saved.ts'

const collections = {
  users: { count: 1284, avgObjSize: 380, size: 487_920 },
  tasks: { count: 48_210, avgObjSize: 1240, size: 59_780_400 },
}
const stats = {
  user_count: 1284,
  active_api_key_count: 1,
  total_credits: 96_412,
  collection_stats: { users: 1284, tasks: 48_210 },
  avgObjSize: 1217.7,
  size: 60_268_320,
  collections,
}
let saved: Saved[] = []
const exporting = {
  'GET /admin/database/collections': () => Response.json({ collections }),
}

beforeEach(() => (saved = catchSaved()))

test('SPEC 2.19, 3.9, 7.21: statistics per collection, largest count first', async () => {
  await openAdmin('/admin/database/stats', {
    'GET /admin/database/stats': () => Response.json(stats),
  })
  const table = await screen.findByRole('table', { name: 'Collections' })
  screen.getByText('1,284 users, 1 active API key')
  expect(rowsOf(table)).toEqual([
    'tasks48,210100 %1.21 KB57.01 MB',
    'users1,2843 %380.00 Bytes476.48 KB',
    'Total49,4941.19 KB57.48 MB',
  ])
  // A table uses whole pages, so a single row may use 48 KB: dividing size by rows would not give an average.
  screen.getByRole('columnheader', { name: 'Size per row' })
  await userEvent.click(screen.getByRole('button', { name: 'Collection' }))
  expect(rowsOf(table)[0]).toMatch(/^tasks/)
  await userEvent.click(screen.getByRole('button', { name: 'Collection' }))
  expect(rowsOf(table)[0]).toMatch(/^users/)
  expect(screen.getByRole('columnheader', { name: 'Collection' }).getAttribute('aria-sort')).toBe(
    'descending',
  )
})

test('SPEC 8.20: statistics that cannot be loaded show an error, and Refresh loads them again', async () => {
  let isBroken = true
  await openAdmin('/admin/database/stats', {
    'GET /admin/database/stats': () => (isBroken ? refuse(500, 'It broke.') : Response.json(stats)),
  })
  expect((await screen.findByRole('alert')).textContent).toBe(
    'Failed to load database statisticsAPI error It broke.',
  )
  isBroken = false
  await userEvent.click(screen.getByRole('button', { name: 'Refresh' }))
  await screen.findByRole('table', { name: 'Collections' })
  expect(screen.queryByRole('alert')).toBeNull()
})

test.each([
  ['JSON', 'json'],
  ['NDJSON', 'ndjson'],
  ['CSV', 'csv'],
])(
  'SPEC 2.20, 6.7, 7.22, 7.23: a collection is saved as %s with its name',
  async (label, format) => {
    const { calls } = await openAdmin('/admin/database/export', {
      ...exporting,
      [`GET /admin/database/export/users?format=${format}`]: () => new Response('[1]'),
    })
    await userEvent.selectOptions(await screen.findByLabelText('Format'), label)
    await userEvent.click(await screen.findByRole('button', { name: 'Export users' }))
    await screen.findByText('Saved, 3.00 Bytes')
    expect(saved.map(({ filename }) => filename)).toEqual([`users_export.${format}`])
    expect(await saved[0]?.content.text()).toBe('[1]')
    expect(calls.at(-1)?.headers.get('X-Admin-Email')).toBe('admin@lab.example')
  },
)

test('an export shows its bytes, warns before leaving, and can be stopped', async () => {
  let send: ReadableStreamDefaultController<Uint8Array> | undefined
  const body = new ReadableStream<Uint8Array>({ start: (controller) => void (send = controller) })
  await openAdmin('/admin/database/export', {
    ...exporting,
    'GET /admin/database/export/tasks?format=json': () => new Response(body),
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Export tasks' }))
  await screen.findByText('0.00 Bytes written')
  send?.enqueue(new Uint8Array(2048))
  await screen.findByText('2.00 KB written')
  await userEvent.click(screen.getByRole('link', { name: 'Users' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Stay' }))
  await userEvent.click(screen.getByRole('button', { name: 'Stop exporting tasks' }))
  send?.error(new DOMException('stopped', 'AbortError'))
  await screen.findByRole('button', { name: 'Export tasks' })
  expect(saved).toEqual([])
  expect(screen.queryByRole('alert')).toBeNull()
})

test('SPEC 5.11, 7.24: everything is saved as a zip after confirmation', async () => {
  const { calls } = await openAdmin('/admin/database/export', {
    ...exporting,
    'GET /admin/database/export-all': () => new Response('PK'),
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Export Database' }))
  const dialog = within(screen.getByRole('dialog'))
  dialog.getByText('This may take a while for large databases. Do you want to continue?')
  expect(namesOf(calls)).not.toContain('GET /admin/database/export-all')
  await userEvent.click(dialog.getByRole('button', { name: 'Export Database' }))
  await waitFor(() => expect(saved).toHaveLength(1))
  expect(saved[0]?.filename).toMatch(/^pkdex_export_\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.zip$/)
})

test('SPEC 8.21: failed exports say which one and why', async () => {
  const broken = new ReadableStream({
    start: (controller) => controller.error(new TypeError('network error')),
  })
  await openAdmin('/admin/database/export', {
    ...exporting,
    'GET /admin/database/export/users?format=json': () => refuse(500, 'It broke.'),
    'GET /admin/database/export-all': () => new Response(broken),
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Export users' }))
  expect((await screen.findByRole('alert')).textContent).toBe(
    'Failed to export users collectionAPI error It broke.',
  )
  await userEvent.click(screen.getByRole('button', { name: 'Export Database' }))
  await userEvent.click(
    within(screen.getByRole('dialog')).getByRole('button', { name: 'Export Database' }),
  )
  await screen.findByText('Failed to export full database')
  screen.getByText('The connection was lost before the export finished.')
})

test('SPEC 8.20: collections that cannot be loaded offer to try again', async () => {
  await openAdmin('/admin/database/export', {
    'GET /admin/database/collections': () => refuse(500, 'It broke.'),
  })
  expect((await screen.findByRole('alert')).textContent).toContain(
    'Failed to load database collectionsAPI error It broke.',
  )
  screen.getByRole('button', { name: 'Retry' })
})

const choices = { administrators: ['admin@lab.example'], actions: ['create user', 'import users'] }

test('the audit log shows who changed what, from which value to which', async () => {
  const entry = {
    id: '1',
    at: '2026-11-20T12:00:00Z',
    administrator: 'admin@lab.example',
    action: 'update user',
    subject: 'user c.okafor@lab.example',
    person: null,
    before: { credits: 97, name: 'Chidi' },
    after: { credits: 197, name: 'Chidi' },
  }
  const { router } = await openAdmin('/admin/audit', {
    [auditing(1, '')]: () => listOf({ entries: [entry], ...choices }, 41),
    [auditing(2, '')]: () => listOf({ entries: [{ ...entry, before: null }], ...choices }, 41),
    [auditing(1, 'kaya')]: () => listOf({ entries: [], ...choices }, 0),
  })
  const table = await screen.findByRole('table', { name: 'Audit log' })
  expect(rowsOf(table)[0]).toContain('update user user c.okafor@lab.example')
  expect(rowsOf(table)[0]).toMatch(/credits 97 → 197$/)
  await userEvent.click(screen.getByRole('link', { name: 'Page 2' }))
  await waitFor(() => expect(rowsOf(table)[0]).toMatch(/credits 197name Chidi$/))
  fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'kaya' } })
  await screen.findByText('No matches for “kaya”.')
  expect(router.state.location.search).toBe('?search=kaya')
})

test('the audit log is filtered by administrator, action and day, and a long list is cut', async () => {
  const emails = Array.from({ length: 1000 }, (_, at) => `u${at}@lab.example`)
  const entry = {
    id: '7',
    at: '2026-11-20T12:00:00Z',
    administrator: 'admin@lab.example',
    action: 'import users',
    subject: '1000 users',
    person: null,
    before: null,
    after: { ids: ['a', 'b'], note: 'Spring', count: 1000, emails, credits: 50 },
  }
  const narrowed =
    'GET /admin/audit?page=1&search=&action=import+users&from=2026-11-20&page_size=20'
  const { router } = await openAdmin('/admin/audit', {
    [auditing(1, '')]: () => listOf({ entries: [entry], ...choices }, 1),
    'GET /admin/audit?page=1&search=&action=import+users&page_size=20': () =>
      listOf({ entries: [entry], ...choices }, 1),
    [narrowed]: () => listOf({ entries: [], ...choices }, 0),
  })
  const table = await screen.findByRole('table', { name: 'Audit log' })
  expect(rowsOf(table)[0]).toMatch(
    /note Springcredits 50count 1000emails u0@lab.example, u1@lab.example, u2@lab.example and 997 moreids a, b$/,
  )
  await userEvent.selectOptions(screen.getByLabelText('Action'), 'import users')
  await waitFor(() => expect(router.state.location.search).toBe('?action=import+users'))
  fireEvent.change(screen.getByLabelText('From'), { target: { value: '2026-11-20' } })
  await screen.findByText('No matches.')
  expect(router.state.location.search).toBe('?action=import+users&from=2026-11-20')
})

test('a user in the audit log is a link, with the email if it is known', async () => {
  const userId = 'ec9c7a7e-af49-40bc-8b01-3b9ae8410716'
  const entry = {
    at: '2026-11-20T12:00:00Z',
    administrator: 'admin@lab.example',
    action: 'create user',
    subject: `user ${userId}`,
    person: null,
    before: null,
    after: null,
  }
  const told = { ...entry, id: '2', person: 'c.okafor@lab.example' }
  await openAdmin('/admin/audit', {
    [auditing(1, '')]: () => listOf({ entries: [{ ...entry, id: '1' }, told], ...choices }, 2),
  })
  const link = await screen.findByRole('link', { name: 'c.okafor@lab.example' })
  expect(link.getAttribute('href')).toBe(`/admin/users/${userId}`)
  screen.getByRole('link', { name: 'user ec9c7a7e' })
})

test('the audit log can be saved from its page', async () => {
  await openAdmin('/admin/audit', {
    [auditing(1, '')]: () => listOf({ entries: [], ...choices }, 0),
    'GET /admin/database/export/audit_log?format=csv': () => new Response('id,at'),
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Export as CSV' }))
  await screen.findByText('Saved, 5.00 Bytes')
  expect(saved[0]?.filename).toBe('audit_log_export.csv')
})

function auditing(page: number, search: string): string {
  return `GET /admin/audit?page=${page}&search=${search}&page_size=20`
}
