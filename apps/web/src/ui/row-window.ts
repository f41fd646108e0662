/** Which rows of a long list are visible, so that only these are drawn. All rows have the same height. */
import { useMediaQuery } from '@mantine/hooks'
import { type RefObject, useLayoutEffect, useState } from 'react'

/** Minimum number of rows drawn beyond each edge, so that fast scrolling shows no gaps. */
const SPARE_ROWS = 4
/** Rows are added and removed this many at a time, so that most frames of a scroll change nothing. */
const STEP_ROWS = 3
/** Assumed until the list is laid out; in unit tests it never is. */
const FIRST_HEIGHT_PX = 640
/** Browsers cut off higher elements: Firefox at 17.9 million pixels, Chromium at 33.5 million. */
const LIST_HEIGHT_PX_MAX = 15_000_000

const ROW_PX = 44
/** On a touch screen, with a button and a line below it. */
const TOUCHED_ROW_PX = 48
/** With a structure. */
const DRAWN_ROW_PX = 72
/** On a phone, with the star above the name. */
const PHONE_ROW_PX = 96
const AT_ONCE = { getInitialValueInEffect: false }

/** Height of table rows with a star and buttons; grows with the reader's text size. */
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
function textScale(): number {
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

/** `before` and `after`: the space for the rows that are not drawn, in pixels. */
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

/** Pixels of rows per pixel of scrolling: more than 1 only in a list higher than a browser can draw. */
function stretchOf(rowsHeight: number, viewHeight: number): number {
  if (rowsHeight <= LIST_HEIGHT_PX_MAX) return 1
  return (rowsHeight - viewHeight) / (LIST_HEIGHT_PX_MAX - viewHeight)
}

type Revealed = {
  index: number
  count: number
  rowHeight: number
  /** Height of what covers the top. */
  head?: number
  /** Padding of the list above its first and below its last row. */
  edge?: number
}

/** Scrolls until a row is fully visible. */
export function revealRow(
  element: HTMLElement | null,
  { index, count, rowHeight, head = 0, edge = 0 }: Revealed,
): void {
  if (element === null) return
  const stretch = stretchOf(count * rowHeight, element.clientHeight)
  const [top, place] = [index * rowHeight, element.scrollTop * stretch]
  const bottom = top + rowHeight + 2 * edge
  const room = element.clientHeight - head
  if (top < place) element.scrollTop = top / stretch
  else if (bottom > place + room) element.scrollTop = (bottom - room) / stretch
}
