/** Puts ticked compounds on the make list of a target. */
import { changeListedMolecules, type ListedNumber } from '@pkdex/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call, messageOf } from '#web/lib/api.ts'
import { OwnerOnly } from '#web/lib/viewing.tsx'
import { Button } from '#web/ui/button.ts'
import { Popover } from '#web/ui/popover.tsx'
import { listsQuery } from './make-list.ts'

type Props = {
  /** A make list belongs to a target: with several, one is chosen. */
  targets: string[]
  /** The molecules, with what each is predicted at on the target. */
  moleculesOn: (target: string) => Listing | Promise<Listing>
}

type Listing = { smiles: string[]; added_with: (ListedNumber | null)[] }

export function AddToMakeList({ targets, moleculesOn }: Props) {
  const client = useQueryClient()
  const add = useMutation({
    mutationFn: async (target: string) => {
      const listing = {
        target,
        list: 'make' as const,
        listed: true,
        ...(await moleculesOn(target)),
      }
      return call(changeListedMolecules, { body: listing })
    },
    onSuccess: (lists, target) => client.setQueryData(listsQuery(target).queryKey, lists),
  })
  const buttonOf = (name: string, label: string) => (
    <Button key={name} variant="subtle" loading={add.isPending} onClick={() => add.mutate(name)}>
      {label}
    </Button>
  )
  const [only, ...others] = targets
  if (only === undefined) return null
  return (
    <OwnerOnly>
      {others.length === 0 ? (
        buttonOf(only, 'Make list')
      ) : (
        <Popover label="Make list" variant="subtle">
          {targets.map((name) => buttonOf(name, name))}
        </Popover>
      )}
      <output className="small">
        {add.isSuccess && `On the make list of ${add.variables}`}
        {add.error && messageOf(add.error, 'The list could not be changed.')}
      </output>
    </OwnerOnly>
  )
}
