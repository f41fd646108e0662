/** Predictions per day on the page: totals, bars, and the same numbers as a table. */
import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { openAdmin, rowsOf, userOf } from '#web/test/admin.tsx'
import { roundUp } from './usage-by-day.tsx'

const days = [
  { day: '2026-11-20', predictions: 0, screen_pairs: 0 },
  { day: '2026-11-21', predictions: 12, screen_pairs: 1200 },
  { day: '2026-11-22', predictions: 3, screen_pairs: 0 },
]

test('days are drawn for all users, and listed in a table without empty days', async () => {
  await openAdmin('/admin', {
    'GET /admin/usage?days=30': () => Response.json({ days }),
    'GET /admin/usage?days=90': () => Response.json({ days: days.slice(0, 1) }),
    'GET /admin/usage?days=365': () =>
      Response.json({
        days: days.map((day, at) => ({
          ...day,
          predictions: +(at === 1),
          screen_pairs: +(at === 2),
        })),
      }),
  })
  await screen.findByText(/15 single predictions/)
  screen.getByText(/1,200 pairs in screens/)
  screen.getByText('2026-11-21: 12 single, 1200 in screens')
  const table = screen.getByRole('table', { name: 'Predictions per day' })
  expect(rowsOf(table)).toEqual(['2026-11-2230', '2026-11-21121,200'])
  await userEvent.selectOptions(screen.getByLabelText('Period'), '90 days')
  await screen.findByText('No predictions in this period.')
  await userEvent.selectOptions(screen.getByLabelText('Period'), '365 days')
  await screen.findByText(/1 single prediction 1 pair in screens/)
})

test('a user’s page shows when the user was last seen, and the usage', async () => {
  const user = { _id: 'u1', last_seen_at: '2026-11-20T12:00:00Z', predictions: 1204 }
  await openAdmin('/admin/users/u1', {
    'GET /admin/users/u1': () => Response.json(userOf()),
    'GET /admin/users/usage?user_ids=u1': () =>
      Response.json({ users: [{ ...user, credits_used: 12.5 }] }),
    'GET /admin/usage?days=30&user_id=u1': () => Response.json({ days }),
  })
  await screen.findByText('2026-11-20', { selector: 'time' })
  screen.getByText('1,204')
  screen.getByText('12.5')
  await screen.findByText(/15 single predictions/)
})

test.each([
  [0, 2],
  [1, 2],
  [3, 4],
  [7, 8],
  [9, 10],
  [10, 10],
  [101, 200],
  [999, 1000],
])('bars up to %i have a scale up to %i', (highest, top) => expect(roundUp(highest)).toBe(top))
