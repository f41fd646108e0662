/**
 * Shortcuts on every page behind the sign-in: `/` focuses the search, `?` lists the keys. Users of speech input can
 * disable both; Ctrl+/ always shows the list.
 */
import { useEffect, useEffectEvent, useState } from 'react'
import { Dialog } from '#web/ui/dialog.tsx'
import { Switch } from '#web/ui/field.tsx'
import classes from './keyboard.module.css'

const SWITCHED_OFF = 'pkdex-single-keys-off'

export function Keyboard() {
  const [isOpen, setIsOpen] = useState(false)
  const handle = useEffectEvent((event: KeyboardEvent) => {
    if (isTaken(event)) return
    const isAlone = !event.ctrlKey
    if (isAlone && localStorage.getItem(SWITCHED_OFF) !== null) return
    if (event.key === (isAlone ? '?' : '/')) setIsOpen(true)
    else if (!isAlone || event.key !== '/' || !focusSearch()) return
    event.preventDefault()
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => handle(event)
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
  return isOpen && <KeyList onClose={() => setIsOpen(false)} />
}

/** Whether the key belongs to a field, to a list, or to the browser. */
function isTaken({ target, defaultPrevented, metaKey, altKey }: KeyboardEvent): boolean {
  if (defaultPrevented || metaKey || altKey) return true
  return target instanceof HTMLElement && target.matches('input, textarea, select, [role=listbox]')
}

function focusSearch(): boolean {
  const field = document.querySelector<HTMLInputElement>('main input[type=search]')
  field?.focus()
  field?.select()
  return field !== null
}

const KEYS: [keys: string, meaning: string][] = [
  ['/', 'Focus the search box'],
  ['?', 'Show shortcuts (also Ctrl + /)'],
  ['Arrows', 'Move within a list, table or heat map'],
  ['Home, End', 'First or last item; in a heat map, start or end of the row'],
  ['Page up, Page down', 'Move one page'],
  ['Enter', 'Select an item or open a pair'],
  ['Space', 'Select or deselect an item'],
  ['Letters', 'In a list: jump to a name'],
  ['*', 'Star a compound'],
  ['Ctrl + C', 'In a table of results: copy the cell'],
  ['M, O, X', 'In a suggestion: make list, open, exclude'],
  ['Escape', 'Close a dialog or the menu'],
]

function KeyList({ onClose }: { onClose: () => void }) {
  const [isOn, setIsOn] = useState(() => localStorage.getItem(SWITCHED_OFF) === null)
  function toggle(next: boolean) {
    setIsOn(next)
    if (next) localStorage.removeItem(SWITCHED_OFF)
    else localStorage.setItem(SWITCHED_OFF, 'true')
  }
  return (
    <Dialog label="Keyboard shortcuts" width={480} onClose={onClose}>
      <dl className={classes.keys}>
        {KEYS.map(([keys, meaning]) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <Switch
        label="Enable the / and ? shortcuts"
        checked={isOn}
        onChange={({ currentTarget }) => toggle(currentTarget.checked)}
      />
    </Dialog>
  )
}
