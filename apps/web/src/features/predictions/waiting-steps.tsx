/** How far a prediction has come. Drawn only; a screen reader hears the value when it is there. */
import { Note } from '#web/ui/note.tsx'
import type { Stage } from './reading.ts'
import styles from './waiting-steps.module.css'

const steps = ['Queued', 'Running', 'Reading'] as const

export function WaitingSteps({ stage, isOutOfReach }: { stage: Stage; isOutOfReach: boolean }) {
  const now = steps.indexOf(stage)
  return (
    <>
      <ol className={styles.steps}>
        {steps.map((step, index) => (
          <li key={step} data-done={index < now} aria-current={index === now ? 'step' : undefined}>
            {step}
          </li>
        ))}
      </ol>
      {isOutOfReach && (
        <Note tone="warning" title="The server does not answer">
          The prediction goes on there. This page keeps asking.
        </Note>
      )}
      <p className={`quiet small ${styles.leave}`}>
        You may leave this page. Asking for this pair again costs nothing.
      </p>
    </>
  )
}
