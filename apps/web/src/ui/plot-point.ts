/** The active point of a plot, chosen by pointer or arrow keys. */
import { type KeyboardEvent, type PointerEvent, useState } from 'react'

export type Place = [x: number, y: number]

type Dotted = { count: number; placeOf: (index: number) => Place }

export function useActivePoint(dotted: Dotted) {
  const [chosen, setChosen] = useState<number | null>(null)
  // The points may have changed meanwhile.
  const active = chosen !== null && chosen < dotted.count ? chosen : null
  const leave = () => setChosen(null)
  return {
    active,
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key === 'Escape') return leave()
      const direction = DIRECTIONS[event.key]
      if (direction === undefined) return
      event.preventDefault()
      setChosen(stepFrom(active, direction, dotted) ?? active)
    },
    onPointerMove: ({ clientX, clientY, currentTarget }: PointerEvent<HTMLElement>) => {
      const { left, top } = currentTarget.getBoundingClientRect()
      setChosen(nearestTo([clientX - left, clientY - top], dotted))
    },
    onPointerLeave: leave,
    onBlur: leave,
  }
}

const REACH_PX = 28

function nearestTo([x, y]: Place, { count, placeOf }: Dotted): number | null {
  let [nearest, least]: [number | null, number] = [null, REACH_PX]
  for (let index = 0; index < count; index += 1) {
    const [atX, atY] = placeOf(index)
    const distance = Math.hypot(atX - x, atY - y)
    if (distance < least) [nearest, least] = [index, distance]
  }
  return nearest
}

const DIRECTIONS: Record<string, Place> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

/** The nearest point in the direction, counting distance to the side double; the first point if none is active. */
function stepFrom(from: number | null, [dx, dy]: Place, { count, placeOf }: Dotted): number | null {
  if (from === null) return count > 0 ? 0 : null
  const [x, y] = placeOf(from)
  let [nearest, least]: [number | null, number] = [null, Infinity]
  for (let index = 0; index < count; index += 1) {
    const [atX, atY] = placeOf(index)
    const along = (atX - x) * dx + (atY - y) * dy
    const aside = Math.abs((atX - x) * dy) + Math.abs((atY - y) * dx)
    if (along <= 0 || along + 2 * aside >= least) continue
    ;[nearest, least] = [index, along + 2 * aside]
  }
  return nearest
}
