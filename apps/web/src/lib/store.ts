/** A value outside React; components that use it render again when it is set. */
import { useSyncExternalStore } from 'react'

export function createStore<T>(initial: T) {
  let value = initial
  const listeners = new Set<() => void>()
  const read = () => value
  const subscribe = (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
  return {
    read,
    subscribe,
    set(next: T): void {
      value = next
      for (const listener of listeners) listener()
    },
    useValue: (): T => useSyncExternalStore(subscribe, read),
  }
}
