/** An area that takes dropped files, and a button that picks them. What is accepted is for the caller to judge: a picker and a drop are told apart. */
import { Button } from '@mantine/core'
import { type ReactNode, useRef } from 'react'
import { Icon } from './icon.tsx'
import classes from './drop-zone.module.css'

type Props = {
  title: string
  hint: string
  /** For the picker's `accept` attribute. */
  accept: string
  /** Names the file input for assistive technology. */
  label: string
  isOver: boolean
  isWrong: boolean
  onPick: (files: File[]) => void
  children?: ReactNode
}

export function DropZone({ title, hint, isOver, isWrong, children, ...picker }: Props) {
  return (
    <div className={classes.zone} data-over={isOver} data-wrong={isWrong}>
      <Icon name="upload" size={56} />
      <strong>{title}</strong>
      <span>{hint}</span>
      <FilePicker text="Choose files" variant="default" {...picker} />
      {children}
    </div>
  )
}

type PickerProps = Pick<Props, 'accept' | 'label' | 'onPick'> & {
  text: string
  variant: 'default' | 'subtle'
}

export function FilePicker({ text, variant, accept, label, onPick }: PickerProps) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        accept={accept}
        aria-label={label}
        onChange={({ currentTarget }) => {
          const files = [...(currentTarget.files ?? [])]
          // The same file may be chosen again.
          currentTarget.value = ''
          if (files.length > 0) onPick(files)
        }}
      />
      <Button variant={variant} color="gray" onClick={() => input.current?.click()}>
        {text}
      </Button>
    </>
  )
}
