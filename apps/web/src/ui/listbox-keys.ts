/** Where a key moves to in a list, or null when the key does not move. */

const PAGE_ITEMS = 5

export function moveByKey(key: string, current: number | null, size: number): number | null {
  const last = size - 1
  const from = current ?? -1
  switch (key) {
    case 'ArrowDown':
      return Math.min(from + 1, last)
    case 'ArrowUp':
      return current === null ? last : Math.max(from - 1, 0)
    case 'PageDown':
      return Math.min(from + PAGE_ITEMS, last)
    case 'PageUp':
      return Math.max(from - PAGE_ITEMS, 0)
    case 'Home':
      return 0
    case 'End':
      return last
    default:
      return null
  }
}
