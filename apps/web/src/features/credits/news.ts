/** What is new to the user, which comes with the balance: the header asks for both at once. */
import { clearNews, type News, seeScreen } from '@pkdex/contract'
import { useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import { call } from '#web/lib/api.ts'
import { useOwnClient } from '#web/lib/viewing.tsx'
import { creditsQuery } from './credits-counter.tsx'

/** Loaded by the header. */
export function useNews(): News[] {
  return useQuery({ ...creditsQuery(), enabled: false }, useOwnClient()).data?.news ?? []
}

/** What is new of one screen, and how to say that it was seen: with comments up to one, or null for none. */
export function useNewsOf(id: string) {
  const news = useNews().find((one) => one.screen_id === id)
  const keep = useKeepNews()
  const isNews = news !== undefined
  const see = useCallback(
    (comment: string | null) => {
      if (isNews) keep(call(seeScreen, { params: { id }, body: { comment } }))
    },
    [id, isNews, keep],
  )
  return { news, see }
}

export function useClearNews(): () => void {
  const keep = useKeepNews()
  return () => keep(call(clearNews))
}

function useKeepNews() {
  const client = useOwnClient()
  return useCallback(
    (asked: Promise<{ news: News[] }>) => {
      const store = ({ news }: { news: News[] }) =>
        client.setQueryData(creditsQuery().queryKey, (old) => old && { ...old, news })
      // Otherwise it stays new, until the next look.
      void asked.then(store, () => undefined)
    },
    [client],
  )
}
