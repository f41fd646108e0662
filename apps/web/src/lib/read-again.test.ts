import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import { readAgain } from './read-again.ts'

const queryKey = ['keys']

/** A query on a page, whose responses the test provides. */
function openPage() {
  const client = new QueryClient()
  const answers: ((rows: string[]) => void)[] = []
  const observer = new QueryObserver(client, {
    queryKey,
    queryFn: ({ signal }) =>
      new Promise<string[]>((resolve) => {
        answers.push((rows) => {
          if (!signal.aborted) resolve(rows)
        })
      }),
  })
  observer.subscribe(() => undefined)
  return { client, answers, rows: () => client.getQueryData(queryKey) }
}

test('a change made during the first load of a list appears in it', async () => {
  const { client, answers, rows } = openPage()
  const again = readAgain(client, { queryKey })
  answers[0]?.([])
  await vi.waitFor(() => expect(answers).toHaveLength(2))
  answers[1]?.(['pkdex_1'])
  await again
  expect(rows()).toEqual(['pkdex_1'])
})

test('a loaded list stays visible while it is reloaded', async () => {
  const { client, answers, rows } = openPage()
  answers[0]?.(['pkdex_1'])
  await vi.waitFor(() => expect(rows()).toEqual(['pkdex_1']))
  const again = readAgain(client, { queryKey })
  await vi.waitFor(() => expect(answers).toHaveLength(2))
  expect(rows()).toEqual(['pkdex_1'])
  answers[1]?.([])
  await again
  expect(rows()).toEqual([])
})
