/** What was read of a target, and the choice of another chain where there is one. */
import type { Target } from '@pkdex/contract'
import { ChainChoice } from './chain-choice.tsx'
import { describeTarget } from './describe-target.ts'
import classes from './report.module.css'
import { Warnings } from './warnings.tsx'

type Props = { target: Target; onChainChosen: (target: Target) => void }

export function TargetReport({ target, onChainChosen }: Props) {
  return (
    <>
      <dl className={classes.facts}>
        {describeTarget(target).map(({ term, text }) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <Warnings warnings={target.report.warnings} />
      <ChainChoice key={target.chain} target={target} onChosen={onChainChosen} />
    </>
  )
}
