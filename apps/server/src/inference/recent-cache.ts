/** A map that keeps what was used last and drops the rest. */
export type RecentCache<T> = {
  get(key: string): T | undefined
  set(key: string, value: T): void
}

export function openRecentCache<T>(entriesMax: number): RecentCache<T> {
  const entries = new Map<string, T>()

  function get(key: string): T | undefined {
    const value = entries.get(key)
    if (value !== undefined) set(key, value)
    return value
  }

  function set(key: string, value: T): void {
    entries.delete(key)
    entries.set(key, value)
    const [oldest] = entries.keys()
    if (entries.size > entriesMax && oldest !== undefined) entries.delete(oldest)
  }

  return { get, set }
}
