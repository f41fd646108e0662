/** Keys that work on every page behind the sign-in: `/` goes to the search, `?` shows the list of keys. Who dictates can switch both off; Ctrl and / shows the list all the same. */
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

/** The key belongs to a field, to a list, or to the browser. */
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
  ['/', 'Go to the search of the page'],
  ['?', 'Show this list; Ctrl and / do so, too'],
  ['Arrows', 'Move in a list, a table or a heat map'],
  ['Home, End', 'To the first and the last; in a heat map to the ends of a row'],
  ['Page up, Page down', 'Move a page'],
  ['Enter', 'Select in a list, open a pair'],
  ['Space', 'Select or deselect in a list'],
  ['Letters', 'In a list: go to the name that begins with them'],
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
    <Dialog label="Keys" onClose={onClose}>
      <div className={classes.body}>
        <h2>Keys</h2>
        <dl>
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
          label="Use / and ? as keys"
          checked={isOn}
          onChange={({ currentTarget }) => toggle(currentTarget.checked)}
        />
      </div>
    </Dialog>
  )
}
