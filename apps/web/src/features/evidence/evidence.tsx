/** The evidence of a prediction, in tabs below it. A tab loads its part, and its code, when it is opened. */
import { Box } from '#web/ui/layout.ts'
import type { PredictionResult } from '@pkdex/contract'
import { type KeyboardEvent, lazy, type ReactNode, Suspense, useId, useRef, useState } from 'react'
import { UnstyledButton } from '#web/ui/button.ts'
import { SkeletonLines } from '#web/ui/loaded.tsx'
import classes from './evidence.module.css'
import type { ReadPair } from './evidence-queries.ts'
import type { Pocket } from './pose-view.tsx'

const loadParts = () => import('./evidence-parts.ts')
const failed = { default: PartFailure }
const AtomMap = lazy(() =>
  loadParts().then(
    (parts) => ({ default: parts.AtomMap }),
    () => failed,
  ),
)
const SimilarCompounds = lazy(() =>
  loadParts().then(
    (parts) => ({ default: parts.SimilarCompounds }),
    () => failed,
  ),
)
const PoseView = lazy(() =>
  loadParts().then(
    (parts) => ({ default: parts.PoseView }),
    () => failed,
  ),
)
const ReceiptFacts = lazy(() =>
  loadParts().then(
    (parts) => ({ default: parts.ReceiptFacts }),
    () => failed,
  ),
)

type Props = {
  pair: ReadPair
  details: PredictionResult | null
  /** The content of the tab 3D; without it there is no such tab. */
  structure?: ReactNode
  /** The content of the tab In the pocket; without it there is no such tab. */
  pocket?: Pocket | undefined
}

export function Evidence({ pair, details, structure, pocket }: Props) {
  const tabs = [
    {
      title: 'Similar compounds',
      content: <SimilarCompounds pair={pair} details={details} />,
    },
    { title: 'Atom contributions', content: <AtomMap pair={pair} /> },
    ...(pocket === undefined
      ? []
      : [{ title: 'In the pocket', content: <PoseView pair={pair} pocket={pocket} /> }]),
    ...(structure === undefined ? [] : [{ title: '3D', content: structure }]),
    { title: 'Receipt', content: <ReceiptFacts pair={pair} /> },
  ]
  return (
    <Box component="section" mt={4} aria-label="Evidence">
      <Tabs tabs={tabs} />
    </Box>
  )
}

type Tab = { title: string; content: ReactNode }

/** Arrows, Home and End select a tab, as in every tab list; a tab loses its state when it is left. */
function Tabs({ tabs }: { tabs: Tab[] }) {
  const [chosen, setChosen] = useState(0)
  const id = useId()
  const list = useRef<HTMLDivElement>(null)

  function pressed(event: KeyboardEvent) {
    const last = tabs.length - 1
    const next = {
      ArrowRight: chosen === last ? 0 : chosen + 1,
      ArrowLeft: chosen === 0 ? last : chosen - 1,
      Home: 0,
      End: last,
    }[event.key]
    if (next === undefined) return
    event.preventDefault()
    setChosen(next)
    list.current?.querySelectorAll('button')[next]?.focus()
  }

  return (
    <>
      <div ref={list} role="tablist" aria-label="Evidence" className={classes.tabs}>
        {tabs.map(({ title }, at) => (
          <UnstyledButton
            key={title}
            role="tab"
            id={`${id}-tab-${at}`}
            aria-selected={at === chosen}
            aria-controls={`${id}-panel`}
            tabIndex={at === chosen ? 0 : -1}
            onClick={() => setChosen(at)}
            onKeyDown={pressed}
          >
            {title}
          </UnstyledButton>
        ))}
      </div>
      <Box
        id={`${id}-panel`}
        role="tabpanel"
        aria-labelledby={`${id}-tab-${chosen}`}
        className={`small ${classes.content}`}
        mih="9rem"
      >
        <Suspense key={chosen} fallback={<SkeletonLines lines={3} what="evidence" />}>
          {tabs[chosen]?.content}
        </Suspense>
      </Box>
    </>
  )
}

/** The code failed to load; a reload fetches it. */
function PartFailure() {
  return <p role="alert">This section could not be loaded. Reload the page.</p>
}
