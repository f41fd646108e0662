/** Fields, selects and switches: their names, their descriptions, and what a form receives. */
import { fireEvent, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { renderScreen } from '#web/test/screen.tsx'
import { FilePicker } from './drop-zone.tsx'
import { Field, Select, Switch } from './field.tsx'

test('a field is named by its label, and described by its error and hint', () => {
  renderScreen(<Field label="Credits" name="credits" required hint="Any number" error="Too few" />)
  const field = screen.getByRole('textbox', { name: 'Credits' })
  expect(field.getAttribute('aria-invalid')).toBe('true')
  expect(describe(field)).toBe('Too few Any number')
})

test('a field without an error is not marked or described', () => {
  renderScreen(<Field label="Name" />)
  const field = screen.getByRole('textbox', { name: 'Name' })
  expect(field.getAttribute('aria-invalid')).not.toBe('true')
  expect(field.getAttribute('aria-describedby')).toBeNull()
})

test('a select returns the value behind the text', async () => {
  const onChange = vi.fn<(chain: string) => void>()
  const options = [
    { value: 'A', label: 'Chain A' },
    { value: 'B', label: 'Chain B' },
  ]
  renderScreen(<Select label="Chain" value="A" options={options} onChange={onChange} />)
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Chain' }), 'Chain B')
  expect(onChange).toHaveBeenCalledExactlyOnceWith('B')
})

test('a switch is toggled by Space and its label, and sent with its form while it is on', async () => {
  renderScreen(
    <form aria-label="User">
      <Switch label="Active" name="isActive" defaultChecked />
    </form>,
  )
  const form = screen.getByRole<HTMLFormElement>('form')
  const active = screen.getByRole('switch', { name: 'Active' })
  expect(new FormData(form).get('isActive')).toBe('on')
  await userEvent.tab()
  expect(document.activeElement).toBe(active)
  await userEvent.keyboard(' ')
  expect(new FormData(form).get('isActive')).toBeNull()
  await userEvent.click(screen.getByText('Active'))
  expect(new FormData(form).get('isActive')).toBe('on')
})

test('the same file can be selected twice in a row', async () => {
  const onPick = vi.fn<(files: File[]) => void>()
  renderScreen(
    <FilePicker text="Choose" variant="default" accept=".pdb" label="Files" onPick={onPick} />,
  )
  const input = screen.getByLabelText<HTMLInputElement>('Files')
  const file = new File(['ATOM'], 'a.pdb')
  await userEvent.upload(input, file)
  expect(input.value).toBe('')
  await userEvent.upload(input, file)
  expect(onPick.mock.calls).toEqual([[[file]], [[file]]])
})

test('a picker closed without a choice selects nothing', () => {
  const onPick = vi.fn<(files: File[]) => void>()
  renderScreen(
    <FilePicker text="Choose" variant="default" accept=".pdb" label="Files" onPick={onPick} />,
  )
  fireEvent.change(screen.getByLabelText('Files'), { target: { files: [] } })
  expect(onPick).not.toHaveBeenCalled()
})

function describe(element: HTMLElement): string {
  const ids = element.getAttribute('aria-describedby')?.split(/ +/) ?? []
  return ids.map((id) => document.getElementById(id)?.textContent).join(' ')
}
