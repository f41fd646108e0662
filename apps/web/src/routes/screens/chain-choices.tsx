/** Chains of the selected targets that have several: each ticked chain is a column of the screen. */
import { Box, Flex, Stack } from '#web/ui/layout.ts'
import { useQueries } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { targetQuery } from '#web/features/files/file-lists.ts'
import { Checkbox } from '#web/ui/field.tsx'
import { SkeletonLines } from '#web/ui/loaded.tsx'

/** By target name; a missing target is screened on the chain used for predictions. */
export type ChosenChains = ReadonlyMap<string, string[]>

/** With more targets, chains are selected on the page of the targets. */
const TARGETS_MAX = 20

type Props = {
  names: string[]
  chosen: ChosenChains
  onChoose: (chosen: ChosenChains) => void
}

/** Waits until the chains are loaded: their choice is above other content and would push it down. */
export function ChainsKnown({ names, children }: { names: string[]; children: ReactNode }) {
  const queried = names.length <= TARGETS_MAX ? names : []
  const isPending = useQueries({ queries: queried.map(targetQuery) }).some((one) => one.isPending)
  // Waits only once: chains that failed to load are requested again by `children`.
  const [isDrawn, setIsDrawn] = useState(false)
  if (!isPending && !isDrawn) setIsDrawn(true)
  return isDrawn ? children : <SkeletonLines what="chains" lines={4} />
}

export function ChainChoices({ names, chosen, onChoose }: Props) {
  const queried = names.length <= TARGETS_MAX ? names : []
  const targets = useQueries({ queries: queried.map(targetQuery) }).flatMap(
    ({ data }) => data ?? [],
  )
  const withChoice = targets.flatMap((target) => {
    const chains = target.report.chains.filter(({ kind }) => kind === 'protein')
    return chains.length > 1 ? [{ target, chains }] : []
  })
  if (withChoice.length === 0) return null

  function toggle(name: string, used: string[], chain: string) {
    const next = used.includes(chain) ? used.filter((id) => id !== chain) : [...used, chain]
    // The last chain stays ticked: a target without a chain is not in the screen.
    if (next.length > 0) onChoose(new Map(chosen).set(name, next))
  }

  return (
    <Stack component="section" className="sheet" aria-label="Chains" gap="sm" p="lg">
      <h2>Chains</h2>
      <p className="quiet small">Each ticked chain is predicted separately.</p>
      {withChoice.map(({ target: { name, chain: usual }, chains }) => {
        const used = chosen.get(name) ?? [usual]
        return (
          <Flex component="fieldset" key={name} wrap="wrap" columnGap="md">
            <Box component="legend" className="breaks" fw={500}>
              {name}
            </Box>
            {chains.map(({ id, residues }) => (
              <Checkbox
                key={id}
                isChecked={used.includes(id)}
                onChange={() => toggle(name, used, id)}
              >
                {id} <span className="faint small">{residues} aa</span>
              </Checkbox>
            ))}
          </Flex>
        )
      })}
    </Stack>
  )
}
