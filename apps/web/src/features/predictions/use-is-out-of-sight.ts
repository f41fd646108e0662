/** Whether an element has been scrolled out of the window. */
import { type RefObject, useEffect, useState } from 'react'

export function useIsOutOfSight(element: RefObject<Element | null>): boolean {
  const [isOutOfSight, setIsOutOfSight] = useState(false)
  useEffect(() => {
    if (element.current === null) return
    const observer = new IntersectionObserver((entries) => {
      const last = entries.at(-1)
      if (last) setIsOutOfSight(!last.isIntersecting)
    })
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [element])
  return isOutOfSight
}
