/** `/screens/new`: select targets, their chains and compounds, see the cost, start. */
import { Group, Stack } from '#web/ui/layout.ts'
import {
  type AlertList,
  type listCompounds,
  type listTargets,
  SCREEN_PAIRS_MAX,
  type ScreenRequest,
  startScreen,
  STRUCTURE_COMPOUNDS_MAX,
} from '@pkdex/contract'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import { z } from 'zod'
import { creditsQuery, useRefreshCredits } from '#web/features/credits/credits-counter.tsx'
import { compoundListQuery, targetListQuery } from '#web/features/files/file-lists.ts'
import { useDrawCompound } from '#web/features/previews/structure.tsx'
import { type OriginFile, originOf } from '#web/features/screens/origin-files.ts'
import { PickList } from '#web/features/screens/pick-list.tsx'
import { QuotePanel } from '#web/features/screens/quote-panel.tsx'
import { quoteQuery, screenQuery } from '#web/features/screens/screen-queries.ts'
import { call, isOutOfReach, loadingReason, messageOf, newOrderKey } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.ts'
import { Switch } from '#web/ui/field.tsx'
import { Loaded } from '#web/ui/loaded.tsx'
import { PageHead } from '#web/ui/panel.tsx'
import { type ChosenChains, ChainChoices, ChainsKnown } from './chain-choices.tsx'
import { type ChosenLigands, LigandChoices, ligandOf } from './ligand-choices.tsx'
import { MissingLigand } from './missing-ligand.tsx'
import { SampleButton } from './sample-button.tsx'
import classes from './screens.module.css'

const QUOTE_PAUSE_MS = 250

type Library = {
  targets: string[]
  compounds: string[]
  targetFiles: OriginFile[]
  compoundFiles: OriginFile[]
  starred: string[]
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
    <div className="page low">
      <title>New screen · pKdex</title>
      <PageHead
        above={<Link to="/screens">Screens</Link>}
        title="New screen"
        below="No credits are used until you start."
      />
      <Loaded
        query={lists}
        what="your targets and compounds"
        failure="Failed to load your targets and compounds"
        reasonOf={loadingReason}
        lines={4}
      >
        {(found) =>
          found.targets.length === 0 || found.compounds.length === 0 ? (
            <EmptyLibrary />
          ) : (
            <ChainsKnown names={found.targets}>
              <Choice library={found} />
            </ChainsKnown>
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
    starred: compounds.starred,
  }
}

function EmptyLibrary() {
  return (
    <Stack className={`sheet ${classes.none}`} align="flex-start" py="xl" px="lg">
      <h2>A screen needs targets and compounds</h2>
      <p className="quiet">Upload your own, or start with the sample structure and ten drugs.</p>
      <Group gap="xs">
        <Button component={Link} to="/prompt">
          Upload files
        </Button>
        <SampleButton />
      </Group>
    </Stack>
  )
}

/** Names selected on the previous page; without them, everything that fits into a screen is selected. */
const Chosen = z.object({ targets: z.array(z.string()), compounds: z.array(z.string()) })

function useChoice(library: Library) {
  const { state } = useLocation()
  const [first] = useState(() => Chosen.safeParse(state).data ?? everythingThatFits(library))
  const [targets, setTargets] = useState(() => new Set(first.targets))
  const [compounds, setCompounds] = useState(() => new Set(first.compounds))
  const [chains, setChains] = useState<ChosenChains>(new Map())
  const [wantsStructure, setWantsStructure] = useState(true)
  const [ligands, setLigands] = useState<ChosenLigands>(new Map())
  const [leaveOut, setLeaveOut] = useState<AlertList[]>([])
  const canPlace = compounds.size <= STRUCTURE_COMPOUNDS_MAX
  const structure = wantsStructure && canPlace
  const request = useMemo(() => {
    const request = toRequest(library, { targets, compounds, chains, structure, ligands })
    return request && leaveOut.length > 0 ? { ...request, leave_out: leaveOut } : request
  }, [library, targets, compounds, chains, structure, ligands, leaveOut])
  const choosing = { targets, setTargets, compounds, setCompounds, chains, setChains }
  const placing = { structure, setWantsStructure, canPlace, ligands, setLigands }
  return { ...choosing, ...placing, leaveOut, setLeaveOut, request }
}

function everythingThatFits({ targets, compounds }: Library): z.output<typeof Chosen> {
  const fits = targets.length * compounds.length <= SCREEN_PAIRS_MAX
  return fits ? { targets, compounds } : { targets: [], compounds: [] }
}

type Choosing = {
  targets: Set<string>
  compounds: Set<string>
  chains: ChosenChains
  structure: boolean
  ligands: ChosenLigands
}

/** In the order of the lists, not of the clicks; null if nothing is selected on one side. */
function toRequest(
  library: Library,
  { targets, compounds, chains, structure, ligands }: Choosing,
): ScreenRequest | null {
  const chosen = library.targets
    .filter((name) => targets.has(name))
    .flatMap((name): ScreenRequest['targets'] => {
      const own = chains.get(name)
      const on = (chain?: string) => {
        const reference = structure ? ligandOf(ligands, name, chain) : undefined
        return { name, ...(chain && { chain }), ...(reference && { reference }) }
      }
      const usual = on()
      if (own === undefined) return [usual.reference === undefined ? name : usual]
      return own.map(on)
    })
  const names = library.compounds.filter((name) => compounds.has(name))
  if (chosen.length === 0 || names.length === 0) return null
  const isAll = names.length === library.compounds.length
  const request = { targets: chosen, compounds: isAll ? ('all' as const) : names }
  return structure ? { ...request, structure } : request
}

/** The header shows the balance of the latest quote: an administrator may have added credits. */
function useBalance(credits: number | undefined) {
  const client = useQueryClient()
  useEffect(() => {
    if (credits === undefined) return
    client.setQueryData(creditsQuery().queryKey, (known) => ({ ...known, credits }))
  }, [client, credits])
}

function Choice({ library }: { library: Library }) {
  const choice = useChoice(library)
  const [request] = useDebouncedValue(choice.request, QUOTE_PAUSE_MS)
  const quote = useQuery({ ...quoteQuery(request), placeholderData: keepPreviousData })
  useBalance(quote.data?.credits_left)
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
        <StructureChoice
          isOn={choice.structure}
          canPlace={choice.canPlace}
          onChange={choice.setWantsStructure}
        >
          <LigandChoices quote={quote.data} chosen={choice.ligands} onChoose={choice.setLigands} />
          <MissingLigand targets={quote.data?.structure?.without_ligand ?? []} />
        </StructureChoice>
      </div>
      <PickList
        title="Compounds"
        noun="compound"
        names={library.compounds}
        files={library.compoundFiles}
        chosen={choice.compounds}
        onChoose={choice.setCompounds}
        starred={library.starred}
        draw={useDrawCompound(library.compounds)}
      />
      <QuotePanel
        quote={choice.request === null ? undefined : quote.data}
        isComing={choice.request !== null && quote.isPending}
        failure={failure && messageOf(failure, noAnswer)}
        onRetry={isOutOfReach(quote.error) ? () => void quote.refetch() : null}
        isStale={quote.isFetching || quote.isError || request !== choice.request}
        isStarting={start.isPending}
        leaveOut={choice.leaveOut}
        onLeaveOut={choice.setLeaveOut}
        onStart={() => choice.request && start.mutate(choice.request)}
      />
    </div>
  )
}

const noAnswer = 'The server did not respond. Try again: you will not be charged twice.'

type StructureChoiceProps = {
  isOn: boolean
  canPlace: boolean
  onChange: (isOn: boolean) => void
  children: ReactNode
}

function StructureChoice({ isOn, canPlace, onChange, children }: StructureChoiceProps) {
  const most = STRUCTURE_COMPOUNDS_MAX.toLocaleString('en')
  return (
    <Stack component="section" className="sheet" aria-label="Structure" gap="sm" p="lg">
      <Switch
        label="Place compounds in the structure"
        checked={isOn}
        disabled={!canPlace}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
      <p className="quiet small">
        {canPlace
          ? 'Poses on the ligand of the structure move the pKd. Free; computed after the predictions.'
          : `For at most ${most} compounds.`}
      </p>
      {children}
    </Stack>
  )
}

/** One key per order: if a failed start is sent again, it starts the same screen. */
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
