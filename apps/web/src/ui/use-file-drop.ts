/** Dropped files for an element. Anywhere else on the page a dropped file is ignored; the browser would open it and leave. */
import { type DragEvent, useEffect, useState } from 'react'

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
        // Moving on to a child is not leaving.
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
