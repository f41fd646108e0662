/** Creating and editing a user: required fields, requests, and errors. */
import { fireEvent, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { namesOf, openAdmin, openUser, userOf } from '#web/test/admin.tsx'
import { refuse } from '#web/test/calls.ts'

const reading = 'GET /admin/users/u1'

test('SPEC 2.17, 5.7: a new user needs an email, and nothing else', async () => {
  const { calls, router } = await openAdmin('/admin/users/create', {
    'POST /admin/users': () => Response.json(userOf()),
    [reading]: () => Response.json(userOf()),
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Create user' }))
  screen.getByText('Email is required.')
  const email = screen.getByLabelText('Email (required)')
  await waitFor(() => expect(document.activeElement).toBe(email))
  await userEvent.type(email, 'c.okafor@lab.example{Enter}')
  await screen.findByText('c.okafor@lab.example was created.')
  expect(router.state.location.pathname).toBe('/admin/users/u1')
  expect(calls.find(({ name }) => name === 'POST /admin/users')?.body).toEqual({
    email: 'c.okafor@lab.example',
    password: '',
    is_active: true,
    name: '',
  })
})

test('SPEC 7.16: all filled fields are sent', async () => {
  const { calls } = await openAdmin('/admin/users/create', {
    'POST /admin/users': () => refuse(409, 'This email is taken.'),
  })
  await userEvent.type(await screen.findByLabelText('Name'), ' Chidi Okafor ')
  await userEvent.type(screen.getByLabelText('Email (required)'), 'c.okafor@lab.example')
  await userEvent.type(screen.getByLabelText('Google ID'), '1234')
  await userEvent.type(screen.getByLabelText('Credits'), '2.5')
  await userEvent.click(screen.getByRole('switch', { name: 'Active' }))
  await userEvent.click(screen.getByRole('button', { name: 'Create user' }))
  expect((await screen.findByRole('alert')).textContent).toBe(
    'Failed to create userAPI error This email is taken.',
  )
  expect(calls.find(({ name }) => name === 'POST /admin/users')?.body).toEqual({
    email: 'c.okafor@lab.example',
    password: '',
    is_active: false,
    name: 'Chidi Okafor',
    googleId: '1234',
    credits: 2.5,
  })
})

test.each([
  ['Email (required)', 'no-address', 'Enter a valid email address.'],
  ['Credits', '-1', 'Enter 0 or more, with at most three decimals.'],
  ['Credits', '0.0001', 'Enter 0 or more, with at most three decimals.'],
])('SPEC 5.7: %s "%s" is not sent', async (label, text, complaint) => {
  const { calls } = await openAdmin('/admin/users/create', {})
  await userEvent.type(await screen.findByLabelText('Email (required)'), 'a@lab.example')
  await userEvent.clear(screen.getByLabelText(label))
  await userEvent.type(screen.getByLabelText(label), text)
  await userEvent.click(screen.getByRole('button', { name: 'Create user' }))
  screen.getByText(complaint)
  expect(screen.getByLabelText(label).getAttribute('aria-invalid')).toBe('true')
  expect(namesOf(calls)).not.toContain('POST /admin/users')
})

test.each(['Name', 'Google ID'])(
  'SPEC 5.7: a %s that is too long is not sent, and the message names the limit',
  async (label) => {
    const { calls } = await openAdmin('/admin/users/create', {
      'POST /admin/users': () => refuse(409, 'This email is taken.'),
    })
    await userEvent.type(await screen.findByLabelText('Email (required)'), 'a@lab.example')
    fireEvent.change(screen.getByLabelText(label), { target: { value: 'x'.repeat(501) } })
    await userEvent.click(screen.getByRole('button', { name: 'Create user' }))
    screen.getByText('Use at most 500 characters.')
    expect(namesOf(calls)).not.toContain('POST /admin/users')
    fireEvent.change(screen.getByLabelText(label), { target: { value: 'x'.repeat(500) } })
    await userEvent.click(screen.getByRole('button', { name: 'Create user' }))
    await waitFor(() => expect(namesOf(calls)).toContain('POST /admin/users'))
  },
)

test('SPEC 5.8: an edited user still needs an email and credits', async () => {
  const { calls } = await openUser({})
  await userEvent.clear(await screen.findByLabelText('Email (required)'))
  await userEvent.clear(screen.getByLabelText('Credits'))
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  screen.getByText('Email is required.')
  screen.getByText(/^Enter a number such as 50, \+10/)
  expect(namesOf(calls).some((name) => name.startsWith('PUT'))).toBe(false)
})

test('SPEC 7.17: only a changed name is sent, so that changes by others are kept', async () => {
  let user = userOf()
  const { calls } = await openUser({
    [reading]: () => Response.json(user),
    'PUT /admin/users/u1': () => Response.json((user = userOf({ name: 'C. Okafor' }))),
  })
  await retype('Name', 'C. Okafor')
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  await screen.findByText('Saved')
  expect(calls.find(({ name }) => name === 'PUT /admin/users/u1')?.body).toEqual({
    name: 'C. Okafor',
  })
  await screen.findByRole('heading', { name: 'C. Okafor' })
})

test('SPEC 6.5, 7.19: changed credits have their own request', async () => {
  const name = 'PUT /admin/users/u1/credits?credits=120'
  const { calls } = await openUser({ [name]: () => Response.json(userOf({ credits: 120 })) })
  await retype('Credits', '120')
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  await screen.findByText('Saved')
  expect(namesOf(calls)).toContain(name)
  // The ledger has a new entry.
  const ledger = 'GET /admin/users/u1/ledger?page=1&page_size=10'
  await waitFor(() => expect(namesOf(calls).filter((call) => call === ledger)).toHaveLength(2))
})

test('SPEC 26.13: “+10” and “-10” change the balance after the other fields are saved, once', async () => {
  let isBroken = true
  const { calls } = await openUser({
    'PUT /admin/users/u1': () => Response.json(userOf({ name: 'C. Okafor' })),
    'POST /admin/users/credits': () =>
      isBroken ? refuse(500, 'It broke.') : Response.json({ users: [{ _id: 'u1', credits: 87 }] }),
  })
  await retype('Name', 'C. Okafor')
  await retype('Credits', '-10')
  const save = screen.getByRole('button', { name: 'Save' })
  await userEvent.click(save)
  expect((await screen.findByRole('alert')).textContent).toBe(
    'Failed to update userAPI error It broke.',
  )
  isBroken = false
  await userEvent.click(save)
  await screen.findByText('Saved')
  expect(screen.getByLabelText('Credits')).toHaveProperty('value', '87')
  const orders = calls.filter(({ name }) => name === 'POST /admin/users/credits')
  expect(orders.map(({ body }) => body)).toEqual(
    Array.from({ length: 2 }, () => ({ user_ids: ['u1'], delta: -10, note: '' })),
  )
  const [first, second] = orders.map(({ headers }) => headers.get('Idempotency-Key'))
  expect(first).toBeTruthy()
  expect(second).toBe(first)
  expect(calls.find(({ name }) => name === 'PUT /admin/users/u1')?.body).toEqual({
    name: 'C. Okafor',
  })
})

test('credits used by predictions meanwhile are not restored by another edit', async () => {
  let user = userOf()
  const { calls } = await openUser({
    [reading]: () => Response.json(user),
    'POST /admin/users/u1/api-key': () => Response.json({ key: 'pk', prefix: 'pk' }),
    'PUT /admin/users/u1': () => Response.json(user),
  })
  await retype('Name', 'New name')
  user = userOf({ credits: 96 })
  // Invalidates everything about the user.
  await userEvent.click(screen.getByRole('button', { name: 'Generate API key' }))
  await waitFor(() => expect(namesOf(calls).filter((name) => name === reading)).toHaveLength(2))
  expect(screen.getByLabelText('Name')).toHaveProperty('value', 'New name')
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(namesOf(calls)).toContain('PUT /admin/users/u1'))
  expect(calls.find(({ name }) => name === 'PUT /admin/users/u1')?.body).not.toHaveProperty(
    'credits',
  )
})

test.each([
  ['Name', 'Failed to update user'],
  ['Credits', 'Failed to update credits'],
])('SPEC 8.18, 8.19: a refused %s shows %s', async (label, title) => {
  const broken = () => refuse(500, 'It broke.')
  await openUser({
    'PUT /admin/users/u1': broken,
    'PUT /admin/users/u1/credits?credits=5': broken,
  })
  await retype(label, '5')
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  expect((await screen.findByRole('alert')).textContent).toBe(`${title}API error It broke.`)
})

test('SPEC 8.15: an unknown user is not found', async () => {
  const { calls } = await openAdmin('/admin/users/u1', {
    [reading]: () => refuse(404, 'User not found'),
  })
  await screen.findByText('User not found')
  screen.getByRole('link', { name: 'All users' })
  // No other request is sent for an unknown user, so no second error appears.
  expect(namesOf(calls).filter((name) => name.startsWith(`${reading}/`))).toEqual([])
})

test('SPEC 8.18: a user who cannot be loaded offers to try again', async () => {
  await openAdmin('/admin/users/u1', { [reading]: () => refuse(500, 'It broke.') })
  await screen.findByText('Failed to load user data')
  screen.getByText('API error It broke.')
  screen.getByRole('button', { name: 'Retry' })
})

async function retype(label: string, text: string) {
  const field = await screen.findByLabelText(label)
  await userEvent.clear(field)
  await userEvent.type(field, text)
}
