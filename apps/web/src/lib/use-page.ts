/** The page of one of several lists on a page, stored in the URL next to those of the others. */
import { useSearchParams } from 'react-router'

export function usePage(name: string): { page: number; hrefOf: (page: number) => string } {
  const [searchParams] = useSearchParams()
  return {
    page: Math.max(1, Math.trunc(Number(searchParams.get(name))) || 1),
    hrefOf(page) {
      const next = new URLSearchParams(searchParams)
      if (page === 1) next.delete(name)
      else next.set(name, String(page))
      return `?${next}`
    },
  }
}
