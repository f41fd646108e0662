/** Targets without a ligand to place compounds on, with a form to give the first one its own. */
import { Box, Flex } from '#web/ui/layout.ts'
import type { ScreenQuote } from '@pkdex/contract'
import { useQueryClient } from '@tanstack/react-query'
import { OwnLigand } from '#web/features/evidence/own-ligand.tsx'

type Missing = NonNullable<ScreenQuote['structure']>['without_ligand']

export function MissingLigand({ targets }: { targets: Missing }) {
  const client = useQueryClient()
  const [first] = targets
  if (first === undefined) return null
  const { target, chain } = first
  return (
    <Flex component="fieldset" wrap="wrap" columnGap="md">
      <Box
        component="legend"
        className="breaks"
        fw={500}
      >{`No ligand: ${targets.map((one) => one.target).join(', ')}`}</Box>
      <p className="quiet small">
        Compounds get no pose there. You can give a ligand for {target}.
      </p>
      <OwnLigand
        key={`${target} ${chain}`}
        {...first}
        hasOwn={false}
        onChange={() => void client.invalidateQueries({ queryKey: ['screen quote'] })}
      />
    </Flex>
  )
}
