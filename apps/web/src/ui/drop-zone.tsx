/** An area that accepts dropped files, and a button that opens the file picker. The caller decides what to accept, separately for picked and dropped files. */
import { Button, FileButton } from '@mantine/core'
import { type DragEvent, type ReactNode, useEffect, useRef, useState } from 'react'
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
  const reset = useRef<() => void>(null)
  return (
    <FileButton
      multiple
      accept={accept}
      inputProps={{ 'aria-label': label }}
      resetRef={reset}
      onChange={(files) => {
        // The same file may be selected again.
        reset.current?.()
        if (files.length > 0) onPick(files)
      }}
    >
      {(picker) => (
        <Button variant={variant} color="gray" {...picker}>
          {text}
        </Button>
      )}
    </FileButton>
  )
}

/** Accepts files dropped on an element. Files dropped elsewhere on the page are ignored; the browser would open them and leave the page. */
export function useFileDrop(isEnabled: boolean, onDrop: (files: File[]) => void) {
  const [isOver, setIsOver] = useState(false)
  useIgnoredDrops()
  return {
    isOver,
    handlers: {
      onDragOver: (event: DragEvent) => {
        if (!isEnabled || !event.dataTransfer.types.includes('Files')) return
        event.preventDefault()
        event.stopPropagation()
        event.dataTransfer.dropEffect = 'copy'
        setIsOver(true)
      },
      onDragLeave: ({ currentTarget, relatedTarget }: DragEvent) => {
        // Moving to a child element is not leaving.
        const isInside = relatedTarget instanceof Node && currentTarget.contains(relatedTarget)
        if (!isInside) setIsOver(false)
      },
      onDrop: (event: DragEvent) => {
        setIsOver(false)
        if (!isEnabled) return
        event.preventDefault()
        event.stopPropagation()
        const files = [...event.dataTransfer.files]
        if (files.length > 0) onDrop(files)
      },
    },
  }
}

function useIgnoredDrops() {
  useEffect(() => {
    const ignore = (event: globalThis.DragEvent) => {
      event.preventDefault()
      if (event.dataTransfer !== null) event.dataTransfer.dropEffect = 'none'
    }
    window.addEventListener('dragover', ignore)
    window.addEventListener('drop', ignore)
    return () => {
      window.removeEventListener('dragover', ignore)
      window.removeEventListener('drop', ignore)
    }
  }, [])
}
