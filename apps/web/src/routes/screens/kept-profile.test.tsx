/** The profile of a table is kept for the next screen, unless a link contains its own. */
import { screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { firstPage, openScreen, pageOf, row } from '#web/test/screens.tsx'

test('SPEC 32.11: a profile is kept for the next screen until it is removed', async () => {
  const path = 'GET /screens/s1/results?sort=affinity&profile=pkd%3A7..&page=1&page_size=100'
  const scored = { ...row(2, 8.1), profile_probability: 0.619 }
  const answer = pageOf([scored])
  localStorage.setItem('screen-profile', 'pkd:7..')
  const asked = openScreen({ [path]: answer })
  await screen.findByText('61%')
  expect(asked()).not.toContain(firstPage)
  await userEvent.click(screen.getByRole('button', { name: 'Remove the filter Profile' }))
  await screen.findByText('7.0')
  expect(localStorage.getItem('screen-profile')).toBeNull()
})

test('SPEC 32.11: the profile of a link is shown, and does not replace the one that is kept', async () => {
  const path = 'GET /screens/s1/results?sort=affinity&profile=pkd%3A8..&page=1&page_size=100'
  const scored = { ...row(2, 8.1), profile_probability: 0.25 }
  const answer = pageOf([scored])
  localStorage.setItem('screen-profile', 'pkd:7..')
  openScreen({ [path]: answer }, '?profile=pkd:8..')
  await screen.findByText('25%')
  expect(localStorage.getItem('screen-profile')).toBe('pkd:7..')
})
