/** A search field that waits for a pause in typing. The caller keeps the search text, in the URL. */
import { Input } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useState } from 'react'
import { ToolIcon } from './tool-icon.tsx'
import classes from './field.module.css'

const PAUSE_MS = 250

type Props = {
  label: string
  /** Placeholder, if the label is too long for it. */
  placeholder?: string
  search: string
  /** Maximum length of the text; null: no limit. */
  charactersMax: number | null
  onSearch: (text: string) => void
}

export function SearchField({
  label,
  placeholder = label,
  search,
  charactersMax,
  onSearch,
}: Props) {
  const [text, setText] = useState(search)
  const [seen, setSeen] = useState(search)
  const [sent, setSent] = useState(search)
  // Changed from outside, by Back or by a link, and not by typing here.
  if (search !== seen) {
    setSeen(search)
    if (search !== sent) setText(search)
  }

  const send = useDebouncedCallback((next: string) => {
    setSent(next)
    onSearch(next)
  }, PAUSE_MS)

  return (
    <Input
      unstyled
      type="search"
      classNames={{
        wrapper: classes.search,
        section: classes.glass,
        input: `${classes.input} ${classes.beside}`,
      }}
      leftSection={<ToolIcon name="search" />}
      aria-label={label}
      placeholder={placeholder}
      maxLength={charactersMax ?? undefined}
      value={text}
      onChange={({ currentTarget: { value } }) => {
        setText(value)
        send(value)
      }}
      onKeyDown={({ key }) => {
        if (key === 'Enter') send.flush()
      }}
    />
  )
}
