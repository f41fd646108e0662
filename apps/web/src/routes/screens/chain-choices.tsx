/** The chains of the chosen targets, where a structure has several: each that is ticked is a column of the screen. */
import { useQueries } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { targetQuery } from '#web/features/files/file-lists.ts'
import { Checkbox } from '#web/ui/field.tsx'
import { SkeletonLines } from '#web/ui/loaded.tsx'
import classes from './screens.module.css'

/** By name of the target; one that is not in it is screened on the chain that predictions use. */
export type ChosenChains = ReadonlyMap<string, string[]>

/** Of more targets the chains are chosen where the targets are. */
const TARGETS_MAX = 20

type Props = {
  names: string[]
  chosen: ChosenChains
  onChoose: (chosen: ChosenChains) => void
}

/** Waits for the chains of the user's targets: their choice is above others, which it would push down. */
export function ChainsKnown({ names, children }: { names: string[]; children: ReactNode }) {
  const asked = names.length <= TARGETS_MAX ? names : []
  const isPending = useQueries({ queries: asked.map(targetQuery) }).some((one) => one.isPending)
  // Once: chains that could not be read are asked for again by what is drawn then.
  const [isDrawn, setIsDrawn] = useState(false)
  if (!isPending && !isDrawn) setIsDrawn(true)
  return isDrawn ? children : <SkeletonLines what="chains" lines={4} />
}

export function ChainChoices({ names, chosen, onChoose }: Props) {
  const asked = names.length <= TARGETS_MAX ? names : []
  const targets = useQueries({ queries: asked.map(targetQuery) }).flatMap(({ data }) => data ?? [])
  const withChoice = targets.flatMap((target) => {
    const chains = target.report.chains.filter(({ kind }) => kind === 'protein')
    return chains.length > 1 ? [{ target, chains }] : []
  })
  if (withChoice.length === 0) return null

  function toggle(name: string, used: string[], chain: string) {
    const next = used.includes(chain) ? used.filter((id) => id !== chain) : [...used, chain]
    // The last one stays: a target without a chain is one that is not chosen.
    if (next.length > 0) onChoose(new Map(chosen).set(name, next))
  }

  return (
    <section className={`sheet ${classes.chains}`} aria-label="Chains">
      <h2>Chains</h2>
      <p className="quiet small">Each ticked chain is predicted separately.</p>
      {withChoice.map(({ target: { name, chain: usual }, chains }) => {
        const used = chosen.get(name) ?? [usual]
        return (
          <fieldset key={name}>
            <legend>{name}</legend>
            {chains.map(({ id, residues }) => (
              <Checkbox
                key={id}
                isChecked={used.includes(id)}
                onChange={() => toggle(name, used, id)}
              >
                {id} <span className="faint small">{residues} aa</span>
              </Checkbox>
            ))}
          </fieldset>
        )
      })}
    </section>
  )
}
