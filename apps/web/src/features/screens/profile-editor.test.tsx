import { usualProfile } from '@pkdex/contract'
import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { renderRoutes } from '#web/test/screen.tsx'
import { row } from '#web/test/screens.tsx'
import { ProfileEditor } from './profile-editor.tsx'
import { propertyColumns } from './property-columns.tsx'

function render(profile: string) {
  const onChange = vi.fn<Parameters<typeof ProfileEditor>[0]['onChange']>()
  const element = <ProfileEditor profile={profile} onChange={onChange} />
  renderRoutes({ '/': element }, '/')
  return onChange
}

test('the profile of most oral drugs is one click away, and sorts the table', async () => {
  const onChange = render('')
  await userEvent.click(await screen.findByRole('button', { name: 'Profile' }))
  await userEvent.click(screen.getByRole('button', { name: 'Oral drug with pKd 7' }))
  expect(onChange).toHaveBeenCalledWith({ profile: usualProfile, sort: 'profile' })
})

test('a condition is set and removed', async () => {
  const onChange = render('pkd:7..')
  await userEvent.click(await screen.findByRole('button', { name: 'Profile' }))
  screen.getByText('pKd at least 7')
  await userEvent.selectOptions(screen.getByLabelText('Property of the profile'), 'cLogP')
  await userEvent.type(screen.getByLabelText('At most'), '4')
  await userEvent.click(screen.getByRole('button', { name: 'Set' }))
  expect(onChange).toHaveBeenCalledWith({ profile: 'pkd:7..;log_p:..4', sort: 'profile' })
  await userEvent.click(screen.getByRole('button', { name: 'Remove pKd from the profile' }))
  expect(onChange).toHaveBeenLastCalledWith({ profile: '', sort: undefined })
})

test('SPEC 32.8: a score is rounded down, and a tie with the best is marked', async () => {
  const scored = { ...row(1, 7), profile_probability: 0.619, profile_tied: true }
  const [column] = propertyColumns(true)
  renderRoutes({ '/': <p>{column?.cell([scored])}</p> }, '/')
  await screen.findByText('61%')
  screen.getByText('tied with the best')
})
