/** Which rows of a long list are in sight, so that only these are drawn. All rows are equally high. */
import { type RefObject, useLayoutEffect, useState } from 'react'

/** Rows drawn beyond each edge, so that scrolling meets no gap. */
const SPARE_ROWS = 6
/** Until the room is known. */
const FIRST_HEIGHT_PX = 640

type Options = { scroller: RefObject<HTMLElement | null>; count: number; rowHeight: number }

export function useRowWindow({ scroller, count, rowHeight }: Options) {
  const [view, setView] = useState({ top: 0, height: FIRST_HEIGHT_PX })

  useLayoutEffect(() => {
    const element = scroller.current
    if (element === null) return
    const look = () =>
      setView({ top: element.scrollTop, height: element.clientHeight || FIRST_HEIGHT_PX })
    const observer = new ResizeObserver(look)
    observer.observe(element)
    element.addEventListener('scroll', look, { passive: true })
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', look)
    }
  }, [scroller])

  const first = Math.max(0, Math.min(count, Math.floor(view.top / rowHeight)) - SPARE_ROWS)
  const last = Math.min(count, Math.ceil((view.top + view.height) / rowHeight) + SPARE_ROWS)
  return { first, last, before: first * rowHeight, after: Math.max(0, count - last) * rowHeight }
}

/** Scrolls so far that a row stands clear of `head`, which covers the top, and of the lower edge. */
export function revealRow(
  element: HTMLElement | null,
  { index, rowHeight, head = 0 }: { index: number; rowHeight: number; head?: number },
): void {
  if (element === null) return
  const top = index * rowHeight
  const room = element.clientHeight - head
  if (top < element.scrollTop) element.scrollTop = top
  else if (top + rowHeight > element.scrollTop + room) element.scrollTop = top + rowHeight - room
}
