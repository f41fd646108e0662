/** The list, used by keyboard, by pointer, and by typing letters. */
import { act, fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { describe, expect, test, vi } from 'vitest'
import { Listbox } from './listbox.tsx'

const noop = () => undefined
const fruit = ['apple', 'apricot', 'banana', 'blood orange', 'cherry', 'date', 'elder']

describe('keys', () => {
  test('SPEC 18.3: arrows move without selecting, because a selection may cost credits', async () => {
    const { onSelect, user, list } = await open()
    await user.keyboard('{ArrowDown}{ArrowDown}')
    expect(activeName(list)).toBe('banana')
    expect(onSelect).not.toHaveBeenCalled()
    expect(screen.queryByRole('option', { selected: true })).toBeNull()
  })

  test.each(['{Enter}', ' '])('%s selects, and a second time deselects', async (key) => {
    const { user } = await open()
    await user.keyboard(`{ArrowDown}${key}`)
    expect(screen.getByRole('option', { selected: true }).textContent).toContain('apricot')
    await user.keyboard(key)
    expect(screen.queryByRole('option', { selected: true })).toBeNull()
  })

  test('SPEC 18.3: Home, End, Page Up and Page Down move within the ends', async () => {
    const { user, list } = await open()
    await user.keyboard('{End}{ArrowDown}')
    expect(activeName(list)).toBe('elder')
    await user.keyboard('{PageUp}')
    expect(activeName(list)).toBe('apricot')
    await user.keyboard('{Home}{ArrowUp}')
    expect(activeName(list)).toBe('apple')
    await user.keyboard('{PageDown}')
    expect(activeName(list)).toBe('date')
  })

  test('a key held down selects once', async () => {
    const { list, onSelect } = await open()
    fireEvent.keyDown(list, { key: 'Enter' })
    fireEvent.keyDown(list, { key: 'Enter', repeat: true })
    expect(onSelect).toHaveBeenCalledExactlyOnceWith(1)
  })

  test('browser shortcuts keep working', async () => {
    const { list } = await open()
    expect(fireEvent.keyDown(list, { key: 'a', ctrlKey: true })).toBe(true)
    expect(fireEvent.keyDown(list, { key: 'Tab' })).toBe(true)
    expect(activeName(list)).toBe('apple')
  })
})

describe('letters', () => {
  test('letters within 600 ms belong together, later ones start again', async () => {
    const { list } = await open()
    const type = typist(list)
    type('b', 0)
    expect(activeName(list)).toBe('banana')
    type('l', 600)
    expect(activeName(list)).toBe('blood orange')
    type('d', 1201)
    expect(activeName(list)).toBe('date')
  })

  test('repeating one letter cycles through the names that begin with it', async () => {
    const { list } = await open()
    const type = typist(list)
    type('A', 0)
    expect(activeName(list)).toBe('apricot')
    type('a', 100)
    expect(activeName(list)).toBe('apple')
  })

  test('a space continues a name that contains one, and selects otherwise', async () => {
    const { list, onSelect } = await open()
    const type = typist(list)
    for (const [index, letter] of 'blood '.split('').entries()) type(letter, index * 50)
    expect(onSelect).not.toHaveBeenCalled()
    type('c', 2000)
    type(' ', 2050)
    expect(onSelect).toHaveBeenCalledExactlyOnceWith(5)
  })

  test('letters that begin no name do not move', async () => {
    const { list } = await open()
    typist(list)('z', 0)
    expect(activeName(list)).toBe('apple')
  })
})

describe('pointer', () => {
  test('a click selects and a later click deselects', async () => {
    const { user } = await open()
    await user.click(screen.getByText('banana'))
    expect(screen.getByRole('option', { selected: true }).textContent).toContain('banana')
    fireEvent.click(screen.getByText('banana'), { detail: 1 })
    expect(screen.queryByRole('option', { selected: true })).toBeNull()
  })

  test('a double click selects', async () => {
    const { user } = await open()
    await user.dblClick(screen.getByText('banana'))
    expect(screen.getByRole('option', { selected: true }).textContent).toContain('banana')
  })
})

test('SPEC 3.3: items count from 1 and say how many there are', async () => {
  await open()
  const options = screen.getAllByRole('option')
  expect(options.map((option) => option.getAttribute('aria-posinset'))).toEqual(
    fruit.map((_, index) => String(index + 1)),
  )
  expect(options[0]?.getAttribute('aria-setsize')).toBe('7')
})

test('of five thousand items the visible ones are rendered, and End reaches the last', async () => {
  const names = Array.from({ length: 5000 }, (_, index) => `compound ${index + 1}`)
  const user = userEvent.setup()
  const onSelect = vi.fn<(id: number | null) => void>()
  render(<Fruit names={names} onSelect={onSelect} />)
  await user.tab()
  expect(screen.getAllByRole('option').length).toBeLessThan(60)
  const list = screen.getByRole('listbox', { name: 'Fruit' })
  await user.keyboard('{End}')
  fireEvent.scroll(list)
  expect(activeName(list)).toBe('compound 5000')
  expect(screen.getAllByRole('option').length).toBeLessThan(60)
  await user.keyboard('{Enter}')
  expect(onSelect).toHaveBeenCalledExactlyOnceWith(5000)
  await user.keyboard('{Home}')
  fireEvent.scroll(list)
  expect(activeName(list)).toBe('compound 1')
})

test('of several, a second item is selected as well', async () => {
  const onToggle = vi.fn<(id: number) => void>()
  const props = { label: 'Fruit', items: itemsOf(fruit), selected: new Set([2, 3]), onToggle }
  render(<Listbox isMultiple {...props} />)
  const list = screen.getByRole('listbox', { name: 'Fruit' })
  expect(list.getAttribute('aria-multiselectable')).toBe('true')
  expect(screen.getAllByRole('option', { selected: true })).toHaveLength(2)
  await userEvent.click(screen.getByText('cherry'))
  expect(onToggle).toHaveBeenCalledExactlyOnceWith(5)
})

test('in another order a click selects the item under the pointer, and its number matches the displayed order', async () => {
  const onSelect = vi.fn<(id: number | null) => void>()
  const items = itemsOf(fruit).toReversed()
  render(<Listbox label="Fruit" items={items} selected={new Set([7])} onToggle={onSelect} />)
  expect(screen.getByRole('option', { selected: true }).textContent).toContain('elder')
  const apple = screen.getByRole('option', { name: /^apple/ })
  expect(apple.getAttribute('aria-posinset')).toBe('7')
  fireEvent.click(apple)
  expect(onSelect).toHaveBeenCalledExactlyOnceWith(1)
})

test('previews open by pointer and key, close on Escape, and select nothing', async () => {
  const user = userEvent.setup()
  const onLook = vi.fn<(id: number | null) => void>()
  const onSelect = vi.fn<(id: number | null) => void>()
  const props = {
    label: 'Fruit',
    items: itemsOf(fruit),
    selected: new Set<number>(),
    onToggle: onSelect,
    onLook,
  }
  render(<Listbox {...props} />)
  await user.hover(screen.getByText('cherry'))
  expect(onLook).toHaveBeenLastCalledWith(5)
  await user.tab()
  await user.keyboard('{ArrowDown}')
  expect(onLook).toHaveBeenLastCalledWith(2)
  await user.keyboard('{Escape}')
  expect(onLook).toHaveBeenLastCalledWith(null)
  expect(onSelect).not.toHaveBeenCalled()
})

test('the list is one tab stop that starts at the selected item', async () => {
  const user = userEvent.setup()
  render(<Listbox label="Fruit" items={itemsOf(fruit)} selected={new Set([3])} onToggle={noop} />)
  await user.tab()
  expect(document.activeElement).toBe(screen.getByRole('listbox', { name: 'Fruit' }))
  expect(activeName(screen.getByRole('listbox'))).toBe('banana')
  await user.tab()
  expect(document.activeElement).toBe(document.body)
})

test('a shorter list does not point at a removed item', async () => {
  const { list, rerender, user, onSelect } = await open()
  await user.keyboard('{End}')
  rerender(<Fruit names={['apple']} onSelect={onSelect} />)
  expect(list.getAttribute('aria-activedescendant')).toBeNull()
})

async function open() {
  const user = userEvent.setup()
  const onSelect = vi.fn<(id: number | null) => void>()
  const view = render(<Fruit onSelect={onSelect} />)
  await user.tab()
  return { ...view, user, onSelect, list: screen.getByRole('listbox', { name: 'Fruit' }) }
}

type FruitProps = { names?: string[]; onSelect: (id: number | null) => void }

function Fruit({ names = fruit, onSelect }: FruitProps) {
  const [selectedId, setSelectedId] = useState<number | null>(null)
  const toggle = (id: number) => {
    const next = id === selectedId ? null : id
    setSelectedId(next)
    onSelect(next)
  }
  return (
    <Listbox
      label="Fruit"
      items={itemsOf(names)}
      selected={new Set(selectedId === null ? [] : [selectedId])}
      onToggle={toggle}
    />
  )
}

function itemsOf(names: string[]) {
  return names.map((name, index) => ({ id: index + 1, name, detail: `${name.length} letters` }))
}

function activeName(list: HTMLElement) {
  const id = list.getAttribute('aria-activedescendant') ?? 'none'
  return document.getElementById(id)?.firstChild?.textContent
}

/** Types letters at given times, in milliseconds. */
function typist(list: HTMLElement) {
  return (key: string, at: number) => {
    const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true })
    Object.defineProperty(event, 'timeStamp', { value: at })
    act(() => void list.dispatchEvent(event))
  }
}
