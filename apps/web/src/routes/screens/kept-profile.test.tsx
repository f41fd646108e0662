/** A profile belongs to the screen it was set on; another screen offers it. */
import { screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { firstPage, openScreen, pageOf, row } from '#web/test/screens.tsx'

const scored = (profile: string, profile_probability: number) => ({
  [`GET /screens/s1/results?sort=affinity&profile=${encodeURIComponent(profile)}&page=1&page_size=100`]:
    pageOf([{ ...row(2, 8.1), profile_probability }]),
  [`GET /screens/s1/results?sort=profile&profile=${encodeURIComponent(profile)}&page=1&page_size=100`]:
    pageOf([{ ...row(2, 8.1), profile_probability }]),
})

test('SPEC 32.11: another screen opens without the last profile, and offers it', async () => {
  localStorage.setItem('screen-profile', 'pkd:7..')
  const asked = openScreen(scored('pkd:7..', 0.619))
  await screen.findByText('7.0')
  expect(asked()).toContain(firstPage)
  await userEvent.click(screen.getByRole('button', { name: 'Profile' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Last profile' }))
  await screen.findByText('61%')
  await userEvent.click(screen.getByRole('button', { name: 'Remove the filter Profile' }))
  await screen.findByText('7.0')
  expect(localStorage.getItem('screen-profile')).toBe('pkd:7..')
})

test('SPEC 32.11: the profile of a link is shown, and does not replace the one that is kept', async () => {
  localStorage.setItem('screen-profile', 'pkd:7..')
  openScreen(scored('pkd:8..', 0.25), '?profile=pkd:8..')
  await screen.findByText('25%')
  expect(localStorage.getItem('screen-profile')).toBe('pkd:7..')
})
