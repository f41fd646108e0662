/**
 * Small structures in lists and cards, drawn by the server. Those that become visible together
 * share a request; a row that is scrolled past requests nothing.
 */
import {
  CORE_COMPOUNDS_MAX,
  drawCompounds,
  DRAWN_COMPOUNDS_MAX,
  type Preview,
  type Theme,
} from '@pkdex/contract'
import { queryOptions, skipToken, useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo } from 'react'
import { call } from '#web/lib/api.ts'
import { createStore } from '#web/lib/store.ts'
import { Switch } from '#web/ui/field.tsx'
import { useColorScheme } from '#web/ui/theme/theme-provider.tsx'
import classes from './structure.module.css'

/** Compounds of the library are drawn by name, rows of results by the molecule that was predicted. */
type By = 'names' | 'smiles'

type StructureOptions = {
  by: By
  /** A name or SMILES. */
  of: string
  /** From `sampleOf`: compounds of one list are drawn with their common core in the same orientation. */
  like: readonly string[]
}

type StructureProps = StructureOptions & {
  theme?: Theme
  /** No name is next to it, so it is described. */
  isAlone?: boolean
}

/** Height and width follow the container; the ratio is 15 to 8. */
function Structure({ theme, isAlone = false, ...options }: StructureProps) {
  const scheme = useColorScheme()
  const { data, isPending } = useQuery(structureQuery({ ...options, theme: theme ?? scheme }))
  return (
    <span className={classes.structure} data-loading={isPending && options.of !== ''}>
      {/* A name is next to the others; the results page describes the structure in words. */}
      {data != null && (
        <img
          src={data.visualizationUrl}
          alt={isAlone ? describe(data, options.of) : ''}
          decoding="async"
          draggable={false}
        />
      )}
    </span>
  )
}

/** The server puts the SMILES before its description. */
function describe({ alt = '' }: Preview, smiles: string): string {
  return alt.startsWith(`${smiles}: `) ? alt.slice(smiles.length + 2) : alt
}

export type Draw = (of: string) => ReactNode

/** Draws a compound of a list by its name, all in the same orientation; null if structures are switched off. */
export function useDrawCompound(names: readonly string[]): Draw | null {
  return useDraw('names', names)
}

/** The same by SMILES: a prediction keeps its structure when compounds are renamed or deleted. */
export function useDrawSmiles(smiles: readonly string[]): Draw | null {
  return useDraw('smiles', smiles)
}

function useDraw(by: By, list: readonly string[]): Draw | null {
  const areShown = useStructuresShown()
  return useMemo(() => {
    const like = sampleOf(list)
    return areShown ? (of: string) => <Structure {...{ by, of, like }} /> : null
  }, [by, list, areShown])
}

/** The same for a series: structures are always shown, and described. */
export function useDrawSeries(smiles: readonly string[]): Draw {
  return useMemo(() => {
    const like = sampleOf(smiles)
    return (of: string) => <Structure {...{ by: 'smiles', of, like }} isAlone />
  }, [smiles])
}

/** The same for print: always shown, in light colours. */
export function useDrawOnPaper(smiles: readonly string[]): Draw {
  const like = sampleOf(smiles)
  return (of) => <Structure {...{ by: 'smiles', of, like }} theme="light" />
}

/** Pictures for a file or the clipboard, in light colours; null for one that cannot be drawn. */
export async function drawForCopy(smiles: string[]): Promise<(string | null)[]> {
  const like = sampleOf(smiles)
  const { signal } = new AbortController()
  const drawOne = async (of: string) =>
    of === '' ? null : draw({ by: 'smiles', of, like, theme: 'light' }, signal)
  const drawn = await Promise.all(smiles.map(drawOne))
  return drawn.map((picture) => picture?.visualizationUrl ?? null)
}

/** A dozen compounds spread over the list, from which the common core is computed. */
function sampleOf(list: readonly string[]): string[] {
  const step = Math.max(1, list.length / CORE_COMPOUNDS_MAX)
  const count = Math.min(list.length, CORE_COMPOUNDS_MAX)
  const places = Array.from({ length: count }, (_, at) => list[Math.floor(at * step)])
  // Rows of a compound that does not exist have no SMILES.
  return [...new Set(places)].flatMap((one) => one || [])
}

/** Null if the compound was deleted or cannot be drawn. */
function structureQuery(request: StructureOptions & { theme: Theme }) {
  return queryOptions({
    queryKey: ['structure', request],
    queryFn: request.of === '' ? skipToken : ({ signal }) => draw(request, signal),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
}

type DrawRequest = StructureOptions & { theme: Theme }
type Waiting = {
  request: DrawRequest
  signal: AbortSignal
  settle: (picture: Promise<Preview | null>) => void
}

/** Long enough for scrolling to stop. */
const SETTLE_MS = 60
let waiting: Waiting[] = []
let timer: ReturnType<typeof setTimeout> | undefined

function draw(request: DrawRequest, signal: AbortSignal): Promise<Preview | null> {
  clearTimeout(timer)
  timer = setTimeout(drawWaiting, SETTLE_MS)
  return new Promise((settle) => waiting.push({ request, signal, settle }))
}

function drawWaiting(): void {
  const lists = Map.groupBy(
    waiting.filter(({ signal }) => !signal.aborted),
    ({ request: { by, like, theme } }) => JSON.stringify([by, theme, like]),
  )
  waiting = []
  for (const list of lists.values()) {
    for (let from = 0; from < list.length; from += DRAWN_COMPOUNDS_MAX) {
      drawTogether(list.slice(from, from + DRAWN_COMPOUNDS_MAX))
    }
  }
}

function drawTogether(list: Waiting[]): void {
  const [first] = list
  if (first === undefined) return
  const { by, like, theme } = first.request
  const wanted = list.map(({ request }) => request.of)
  const drawn = by === 'names' ? { names: wanted } : { smiles: wanted }
  const body = { ...drawn, like: [...like], theme }
  const answer = call(drawCompounds, { body })
  list.forEach(({ settle }, place) =>
    settle(answer.then(({ pictures }) => pictures[place] ?? null)),
  )
}

const KEPT_AS = 'structures-in-lists'
const store = createStore(localStorage.getItem(KEPT_AS) !== 'hidden')

/** Whether lists show structures; stored in this browser. */
const useStructuresShown = store.useValue

export function StructureSwitch() {
  return (
    <Switch
      label="Structures"
      checked={useStructuresShown()}
      onChange={({ currentTarget: { checked } }) => {
        localStorage.setItem(KEPT_AS, checked ? 'shown' : 'hidden')
        store.set(checked)
      }}
    />
  )
}
