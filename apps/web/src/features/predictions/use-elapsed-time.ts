/** How long something has taken, told again every second: `3 s`, `2 min 5 s`. */
import { useEffect, useState } from 'react'

const SECOND_MS = 1000

export function useElapsedTime(since: number | null): string | null {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), SECOND_MS)
    return () => clearInterval(timer)
  }, [])
  if (since === null) return null
  const seconds = Math.max(0, Math.floor((now - since) / SECOND_MS))
  const minutes = Math.floor(seconds / 60)
  return minutes === 0 ? `${seconds} s` : `${minutes} min ${seconds % 60} s`
}
