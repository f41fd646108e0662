/** `/screens/new`: choose targets, their chains and compounds, read what it costs, start. */
import {
  type listCompounds,
  type listTargets,
  SCREEN_PAIRS_MAX,
  type ScreenRequest,
  startScreen,
} from '@pkdex/contract'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import { z } from 'zod'
import { useRefreshCredits } from '#web/features/credits/credits-counter.tsx'
import { compoundListQuery, targetListQuery } from '#web/features/files/file-lists.ts'
import { type OriginFile, originOf } from '#web/features/screens/origin-files.ts'
import { PickList } from '#web/features/screens/pick-list.tsx'
import { QuotePanel } from '#web/features/screens/quote-panel.tsx'
import { quoteQuery, screenQuery } from '#web/features/screens/screen-queries.ts'
import { call, messageOf, newOrderKey } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.ts'
import { Loaded } from '#web/ui/loaded.tsx'
import { PageHead } from '#web/ui/panel.tsx'
import { type ChosenChains, ChainChoices } from './chain-choices.tsx'
import { SampleButton } from './sample-button.tsx'
import classes from './screens.module.css'

const QUOTE_PAUSE_MS = 250

type Library = {
  targets: string[]
  compounds: string[]
  targetFiles: OriginFile[]
  compoundFiles: OriginFile[]
}

export function NewScreenPage() {
  const targets = useQuery(targetListQuery())
  const compounds = useQuery(compoundListQuery())
  const lists = {
    data: toLibrary(targets.data, compounds.data),
    error: targets.error ?? compounds.error,
    isFetching: targets.isFetching || compounds.isFetching,
    refetch: () => {
      void targets.refetch()
      void compounds.refetch()
    },
  }
  return (
    <div className={classes.page}>
      <title>New screen · pKdex</title>
      <PageHead
        above={<Link to="/screens">Screens</Link>}
        title="New screen"
        below="Nothing is spent before you start."
      />
      <Loaded
        query={lists}
        what="your targets and compounds"
        failure="Your targets and compounds could not be loaded"
        reasonOf={(error) => messageOf(error, 'The server did not answer as expected.')}
        lines={4}
      >
        {(found) =>
          found.targets.length === 0 || found.compounds.length === 0 ? (
            <EmptyLibrary />
          ) : (
            <Choice library={found} />
          )
        }
      </Loaded>
    </div>
  )
}

type Lists = [typeof listTargets, typeof listCompounds]

function toLibrary(
  targets: z.output<Lists[0]['answer']> | undefined,
  compounds: z.output<Lists[1]['answer']> | undefined,
): Library | undefined {
  if (targets === undefined || compounds === undefined) return undefined
  return {
    targets: targets.protein_names,
    compounds: compounds.compound_names,
    targetFiles: originOf(targets.protein_names, targets),
    compoundFiles: originOf(compounds.compound_names, compounds),
  }
}

function EmptyLibrary() {
  return (
    <div className={`sheet ${classes.none}`}>
      <h2>A screen needs targets and compounds</h2>
      <p className="quiet">Upload your own, or begin with a real structure and ten drugs.</p>
      <div className={classes.actions}>
        <Button component={Link} to="/prompt">
          Upload files
        </Button>
        <SampleButton />
      </div>
    </div>
  )
}

/** Names that were chosen on the way here; the others begin with everything that fits into a screen. */
const Chosen = z.object({ targets: z.array(z.string()), compounds: z.array(z.string()) })

function useChoice(library: Library) {
  const { state } = useLocation()
  const [first] = useState(() => Chosen.safeParse(state).data ?? everythingThatFits(library))
  const [targets, setTargets] = useState(() => new Set(first.targets))
  const [compounds, setCompounds] = useState(() => new Set(first.compounds))
  const [chains, setChains] = useState<ChosenChains>(new Map())
  const request = useMemo(
    () => toRequest(library, { targets, compounds, chains }),
    [library, targets, compounds, chains],
  )
  return { targets, setTargets, compounds, setCompounds, chains, setChains, request }
}

function everythingThatFits({ targets, compounds }: Library): z.output<typeof Chosen> {
  const fits = targets.length * compounds.length <= SCREEN_PAIRS_MAX
  return fits ? { targets, compounds } : { targets: [], compounds: [] }
}

type Choosing = { targets: Set<string>; compounds: Set<string>; chains: ChosenChains }

/** In the order of the lists, whatever the order of the clicks; null while one side is empty. */
function toRequest(
  library: Library,
  { targets, compounds, chains }: Choosing,
): ScreenRequest | null {
  const asked = library.targets
    .filter((name) => targets.has(name))
    .flatMap((name): ScreenRequest['targets'] => {
      const own = chains.get(name)
      return own === undefined ? [name] : own.map((chain) => ({ name, chain }))
    })
  const names = library.compounds.filter((name) => compounds.has(name))
  if (asked.length === 0 || names.length === 0) return null
  const isAll = names.length === library.compounds.length
  return { targets: asked, compounds: isAll ? 'all' : names }
}

function Choice({ library }: { library: Library }) {
  const choice = useChoice(library)
  const [request] = useDebouncedValue(choice.request, QUOTE_PAUSE_MS)
  const quote = useQuery({ ...quoteQuery(request), placeholderData: keepPreviousData })
  const start = useStart()
  const failure = start.error ?? quote.error
  return (
    <div className={classes.choice}>
      <div>
        <PickList
          title="Targets"
          noun="target"
          names={library.targets}
          files={library.targetFiles}
          chosen={choice.targets}
          onChoose={choice.setTargets}
        />
        <ChainChoices
          names={library.targets.filter((name) => choice.targets.has(name))}
          chosen={choice.chains}
          onChoose={choice.setChains}
        />
      </div>
      <PickList
        title="Compounds"
        noun="compound"
        names={library.compounds}
        files={library.compoundFiles}
        chosen={choice.compounds}
        onChoose={choice.setCompounds}
      />
      <QuotePanel
        quote={choice.request === null ? undefined : quote.data}
        failure={
          failure &&
          messageOf(failure, 'The server did not answer. Nothing was spent twice; try again.')
        }
        isStale={quote.isFetching || quote.isError || request !== choice.request}
        isStarting={start.isPending}
        onStart={() => choice.request && start.mutate(choice.request)}
      />
    </div>
  )
}

/** One order has one key: a start that is sent again after a failure is the same screen. */
function useStart() {
  const client = useQueryClient()
  const navigate = useNavigate()
  const refreshCredits = useRefreshCredits()
  const [orderKeys] = useState(() => new WeakMap<ScreenRequest, string>())
  return useMutation({
    mutationFn: (request: ScreenRequest) => {
      const key = orderKeys.get(request) ?? newOrderKey()
      orderKeys.set(request, key)
      return call(startScreen, { body: request, headers: { 'Idempotency-Key': key } })
    },
    onSettled: refreshCredits,
    onSuccess: async (screen) => {
      client.setQueryData(screenQuery(screen.id).queryKey, screen)
      await navigate(`/screens/${screen.id}`)
    },
  })
}

/** Not `crypto.randomUUID`, which a browser keeps from pages served over plain http. */
