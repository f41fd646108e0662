/** The shortlist of compounds: its query, the star that adds and removes a compound, and its download. */
import { downloadShortlist, starCompound } from '@pkdex/contract'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { call, messageOf, openCall } from '#web/lib/api.ts'
import { useViewing } from '#web/lib/viewing.tsx'
import { readAgain } from '#web/lib/read-again.ts'
import { saveAnswer, savingReason } from '#web/lib/save-stream.ts'
import { Button, UnstyledButton } from '#web/ui/button.ts'
import { StarIcon } from '#web/ui/icon.tsx'
import { SaveButton } from '#web/ui/save-button.tsx'
import { compoundListQuery } from './file-lists.ts'
import classes from './shortlist.module.css'

export type Shortlist = {
  starred: ReadonlySet<string>
  /** Whether the user still has a compound with this name; null until that is known. */
  has: (name: string) => boolean | null
  toggle: (name: string) => void
  /** Why the last change was not saved. */
  failure: string | null
}

type Change = { name: string; starred: boolean }

export function useShortlist(): Shortlist {
  const client = useQueryClient()
  const { queryKey } = compoundListQuery()
  const isViewing = useViewing() !== null
  const { data } = useQuery({ ...compoundListQuery(), enabled: !isViewing })
  const { mutate, error } = useMutation({
    mutationFn: ({ name, starred }: Change) =>
      // The star is saved even if the page is left at once.
      call(starCompound, { params: { name }, body: { starred }, keepalive: true }),
    // The star changes immediately; a refused change is undone.
    onMutate: ({ name, starred }) =>
      client.setQueryData(queryKey, (list) => {
        if (list === undefined) return undefined
        const others = list.starred.filter((other) => other !== name)
        return { ...list, starred: starred ? [...others, name] : others }
      }),
    onError: () => void readAgain(client, { queryKey }),
    onSuccess: () =>
      void readAgain(client, {
        predicate: ({ queryKey: [scope, , part, params] }) =>
          scope === 'screen' && part === 'results' && Object(params).starred !== undefined,
      }),
  })
  return useMemo(() => {
    const starred = new Set(data?.starred)
    const names = data && new Set(data.compound_names)
    return {
      starred,
      // The compounds of a shared screen are in another user's library.
      has: (name) => (isViewing ? false : (names?.has(name) ?? null)),
      toggle: (name) => mutate({ name, starred: !starred.has(name) }),
      failure: error && messageOf(error, 'The shortlist could not be changed.'),
    }
  }, [data, error, mutate, isViewing])
}

/** `tabIndex`: -1 in a table whose cells are reached with the arrow keys. */
export function StarButton({
  shortlist: { starred, has, toggle },
  name,
  tabIndex = 0,
}: {
  shortlist: Shortlist
  name: string
  tabIndex?: 0 | -1
}) {
  const isThere = has(name)
  // Reserves the space, so that nothing moves when the star appears.
  if (isThere === null) {
    return (
      <span className={classes.star} data-coming aria-hidden="true">
        <StarIcon />
      </span>
    )
  }
  if (!isThere) return null
  return (
    <UnstyledButton
      className={classes.star}
      data-star={starred.has(name)}
      aria-pressed={starred.has(name)}
      aria-label={`Star ${name}`}
      tabIndex={tabIndex}
      onClick={(event) => {
        event.stopPropagation()
        toggle(name)
      }}
    >
      <StarIcon />
    </UnstyledButton>
  )
}

/** Stars ticked compounds. */
export function StarAll({ shortlist, names }: { shortlist: Shortlist; names: string[] }) {
  const { starred, toggle } = shortlist
  const star = () => {
    for (const name of names.filter((name) => !starred.has(name))) toggle(name)
  }
  if (names.length === 0) return null
  return (
    <Button variant="subtle" onClick={star}>
      Star
    </Button>
  )
}

/** Shows nothing while the shortlist is empty. */
export function SaveShortlist({ count }: { count: number }) {
  if (count === 0) return null
  const save = () => saveAnswer(openCall(downloadShortlist, {}), 'shortlist.csv')
  return (
    <SaveButton variant="subtle" color="gray" save={save} reasonOf={savingReason}>
      Shortlist ({count})
    </SaveButton>
  )
}
