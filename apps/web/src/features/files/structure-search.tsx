/** Searches the compounds by a drawn structure: the control, and the results. */
import { Box, Stack } from '#web/ui/layout.ts'
import { searchCompounds, type StructureSearchKind } from '@pkdex/contract'
import {
  queryOptions,
  skipToken,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useMemo, useState } from 'react'
import { call, messageOf } from '#web/lib/api.ts'
import { largeCountOf } from '#web/lib/format.ts'
import { Button } from '#web/ui/button.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { Note } from '#web/ui/note.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import { ToolIcon } from '#web/ui/tool-icon.tsx'
import classes from './structure-search.module.css'

type Search = { kind: StructureSearchKind; smiles: string }

export type StructureSearch = {
  /** Whether the list shows only the results. */
  isOn: boolean
  /** By name, most similar first; null until the search has finished. */
  similarities: ReadonlyMap<string, number> | null
  control: ReactNode
}

/** `structure` draws the SMILES that is searched for. */
export function useStructureSearch(structure: (smiles: string) => ReactNode): StructureSearch {
  const [search, setSearch] = useState<Search | null>(null)
  const [isOpen, setIsOpen] = useState(false)
  const client = useQueryClient()
  const { data, error, isFetching } = useQuery(foundQuery(search))
  const start = useMutation({
    mutationFn: (next: Search) => client.fetchQuery(foundQuery(next)),
    onSuccess(_, next) {
      setIsOpen(false)
      setSearch(next)
    },
  })
  const open = () => {
    start.reset()
    setIsOpen(true)
  }
  const similarities = useMemo(
    () => data && new Map(data.compounds.map(({ name, similarity }) => [name, similarity])),
    [data],
  )
  const control = (
    <>
      {search === null ? (
        <Button
          variant="default"
          leftSection={<ToolIcon name="search" size={16} />}
          aria-haspopup="dialog"
          onClick={open}
        >
          Search by structure
        </Button>
      ) : (
        <SearchedFor
          {...{ search, isFetching, structure }}
          total={data?.total}
          onEdit={open}
          onClear={() => setSearch(null)}
        />
      )}
      {error && <p role="alert">{messageOf(error, 'The search failed. Try again.')}</p>}
      {isOpen && (
        <SearchDialog
          begun={search}
          onClose={() => setIsOpen(false)}
          onSearch={start.mutate}
          isSearching={start.isPending}
          problem={start.error && messageOf(start.error, 'The search failed. Try again.')}
        />
      )}
    </>
  )
  return { isOn: search !== null && error === null, similarities: similarities ?? null, control }
}

type SearchedForProps = {
  search: Search
  total: number | undefined
  isFetching: boolean
  structure: (smiles: string) => ReactNode
  onEdit: () => void
  onClear: () => void
}

function SearchedFor({ search, total, isFetching, structure, ...props }: SearchedForProps) {
  return (
    <div className={classes.search}>
      <Box component="span" flex="none" h="2.5rem">
        {structure(search.smiles)}
      </Box>
      <Stack component="output" className={'small'} flex="1 1 4.5rem" gap={0}>
        {search.kind === 'similarity' ? 'Similar' : 'Substructure'}
        {isFetching && <Spinner text="Searching" />}
        {!isFetching && total !== undefined && (
          <Box component="b" fw={600}>
            {largeCountOf(total, 'match', 'matches')}
          </Box>
        )}
      </Stack>
      <span>
        <Button variant="subtle" aria-haspopup="dialog" onClick={props.onEdit}>
          Edit
        </Button>
        <Button variant="subtle" onClick={props.onClear}>
          Clear
        </Button>
      </span>
    </div>
  )
}

function foundQuery(search: Search | null) {
  return queryOptions({
    // Below the key of the compounds, so that it is reloaded with them.
    queryKey: ['compounds', 'search', search],
    queryFn:
      search === null
        ? skipToken
        : ({ signal }) => call(searchCompounds, { query: search, signal }),
    retry: false,
  })
}

const SearchForm = lazy(() =>
  import('./search-form.tsx').then(
    (loaded) => ({ default: loaded.SearchForm }),
    () => ({ default: NotLoaded }),
  ),
)

function NotLoaded() {
  return <Note tone="failure">The editor could not be loaded. Reload the page.</Note>
}

type DialogProps = {
  begun: Search | null
  onSearch: (search: Search) => void
  isSearching: boolean
  /** Why the last search found nothing to show; the dialog stays open. */
  problem: string | null
  onClose: () => void
}

function SearchDialog({ begun, onClose, ...form }: DialogProps) {
  return (
    <Dialog label="Search by structure" width={720} onClose={onClose}>
      <Suspense fallback={<Spinner text="Loading" />}>
        <SearchForm begun={begun ?? { kind: 'similarity', smiles: '' }} {...form} />
      </Suspense>
    </Dialog>
  )
}
