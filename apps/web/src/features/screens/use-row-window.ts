/** Which rows of a long list are in sight, so that only these are drawn. All rows are equally high. */
import { useMediaQuery } from '@mantine/hooks'
import { type RefObject, useLayoutEffect, useState } from 'react'

/** Rows drawn beyond each edge at least, so that scrolling meets no gap. */
const SPARE_ROWS = 4
/** Rows come and go this many at a time, so that most frames of a scroll change nothing. */
const STEP_ROWS = 3
/** Until the room is known. */
const FIRST_HEIGHT_PX = 640
/** Browsers cut what is higher, Firefox at 17.9 million pixels and Chromium at 33.5 million. */
const LIST_HEIGHT_PX_MAX = 15_000_000

const ROW_PX = 44
/** On a touch screen: a button and the line below it. */
const TOUCHED_ROW_PX = 48
/** With a structure in it. */
const DRAWN_ROW_PX = 72
/** On a phone: the star above the name. */
const PHONE_ROW_PX = 96
const AT_ONCE = { getInitialValueInEffect: false }

/** Of a table whose rows have a star and buttons; grows with the reader's text size. */
export function useRowHeight(isDrawn: boolean): number {
  return useUsualRowHeight(isDrawn) * textScale()
}

function useUsualRowHeight(isDrawn: boolean): number {
  const isPhone = useMediaQuery('(max-width: 640px)', false, AT_ONCE)
  const isTouched = useMediaQuery('(pointer: coarse)', false, AT_ONCE)
  if (isPhone) return PHONE_ROW_PX
  if (isDrawn) return DRAWN_ROW_PX
  return isTouched ? TOUCHED_ROW_PX : ROW_PX
}

/** 1 at the usual text size of browsers. */
export function textScale(): number {
  const size = Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
  return Number.isFinite(size) ? size / 16 : 1
}

type Options = { scroller: RefObject<HTMLElement | null>; count: number; rowHeight: number }
type View = { top: number; height: number }

export function useRowWindow({ scroller, count, rowHeight }: Options) {
  const [view, setView] = useState({ top: 0, height: FIRST_HEIGHT_PX })

  useLayoutEffect(() => {
    const element = scroller.current
    if (element === null) return
    const look = () => {
      const next = { top: element.scrollTop, height: element.clientHeight || FIRST_HEIGHT_PX }
      setView((known) => (showsTheSame(known, next, count, rowHeight) ? known : next))
    }
    look()
    const observer = new ResizeObserver(look)
    observer.observe(element)
    element.addEventListener('scroll', look, { passive: true })
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', look)
    }
  }, [scroller, count, rowHeight])

  return windowOf(view, count, rowHeight)
}

function showsTheSame(one: View, other: View, count: number, rowHeight: number): boolean {
  const [now, next] = [windowOf(one, count, rowHeight), windowOf(other, count, rowHeight)]
  return now.first === next.first && now.last === next.last && now.before === next.before
}

/** `before` and `after`: the room of the rows that are not drawn, in pixels. */
export function windowOf({ top, height }: View, count: number, rowHeight: number) {
  const listHeight = Math.min(count * rowHeight, LIST_HEIGHT_PX_MAX)
  // Where the view would be if the list were as high as its rows.
  const place = top * stretchOf(count * rowHeight, height)
  const from = inSteps(Math.min(count, Math.floor(place / rowHeight)) - SPARE_ROWS - STEP_ROWS + 1)
  const to = from + inSteps(Math.ceil(height / rowHeight) + 2 * (SPARE_ROWS + STEP_ROWS))
  const [first, last] = [Math.max(0, from), Math.min(count, to)]
  const before = Math.max(0, top + first * rowHeight - place)
  const after = Math.max(0, listHeight - before - (last - first) * rowHeight)
  return { first, last, before, after }
}

function inSteps(rows: number): number {
  return STEP_ROWS * Math.ceil(rows / STEP_ROWS)
}

/** Pixels of rows that one pixel of scrolling passes: 1, and more in a list that is higher than a browser can draw. */
function stretchOf(rowsHeight: number, viewHeight: number): number {
  if (rowsHeight <= LIST_HEIGHT_PX_MAX) return 1
  return (rowsHeight - viewHeight) / (LIST_HEIGHT_PX_MAX - viewHeight)
}

type Revealed = { index: number; count: number; rowHeight: number; head?: number }

/** Scrolls until a row is fully visible below `head`, which covers the top, and above the lower edge. */
export function revealRow(
  element: HTMLElement | null,
  { index, count, rowHeight, head = 0 }: Revealed,
): void {
  if (element === null) return
  const stretch = stretchOf(count * rowHeight, element.clientHeight)
  const [top, place] = [index * rowHeight, element.scrollTop * stretch]
  const room = element.clientHeight - head
  if (top < place) element.scrollTop = top / stretch
  else if (top + rowHeight > place + room) element.scrollTop = (top + rowHeight - room) / stretch
}
