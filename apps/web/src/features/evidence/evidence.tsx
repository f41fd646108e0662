/** What the number rests on, behind three buttons under it: each loads its part, and its code, when it is opened. */
import { lazy, type ReactNode, Suspense, useId, useState } from 'react'
import { UnstyledButton } from '#web/ui/button.ts'
import { Icon } from '#web/ui/icon.tsx'
import { SkeletonLines } from '#web/ui/loaded.tsx'
import classes from './evidence.module.css'
import type { ReadPair } from './evidence-queries.ts'

const loadParts = () => import('./evidence-parts.ts')
const failed = { default: PartFailure }
const AtomMap = lazy(() =>
  loadParts().then(
    (parts) => ({ default: parts.AtomMap }),
    () => failed,
  ),
)
const AlikeCompounds = lazy(() =>
  loadParts().then(
    (parts) => ({ default: parts.AlikeCompounds }),
    () => failed,
  ),
)
const ReceiptFacts = lazy(() =>
  loadParts().then(
    (parts) => ({ default: parts.ReceiptFacts }),
    () => failed,
  ),
)

export function Evidence({ pair }: { pair: ReadPair }) {
  return (
    <section className={classes.evidence} aria-label="What the number rests on">
      <Part title="Which atoms" hint="What each atom adds to the number">
        <AtomMap pair={pair} />
      </Part>
      <Part title="What it leans on" hint="Training compounds that are alike, and their values">
        <AlikeCompounds pair={pair} />
      </Part>
      <Part title="Receipt" hint="Model, inputs and date, to compute the number again">
        <ReceiptFacts pair={pair} />
      </Part>
    </section>
  )
}

type PartProps = { title: string; hint: string; children: ReactNode }

function Part({ title, hint, children }: PartProps) {
  const [isOpen, setIsOpen] = useState(false)
  const id = useId()
  return (
    <div className={classes.part}>
      <h2>
        <UnstyledButton
          className={classes.opener}
          aria-expanded={isOpen}
          aria-controls={isOpen ? id : undefined}
          onClick={() => setIsOpen(!isOpen)}
        >
          <Icon name="chevron" size={16} />
          <span>{title}</span>
          <span className={classes.hint}>{hint}</span>
        </UnstyledButton>
      </h2>
      {isOpen && (
        <div id={id} className={classes.content}>
          <Suspense fallback={<SkeletonLines lines={3} what={title.toLowerCase()} />}>
            {children}
          </Suspense>
        </div>
      )}
    </div>
  )
}

/** The code did not come, which a reload mends. */
function PartFailure() {
  return <p role="alert">This part could not be loaded. Reload the page to try again.</p>
}
