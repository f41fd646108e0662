/** What can be done with the ticked rows of a screen; it sticks to the bottom while there are any. */
import { changeListedMolecules, type Screen } from '@pkdex/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { type Shortlist, useShortlist } from '#web/features/files/shortlist.tsx'
import { compoundsOf, type Selection, tableOf } from '#web/features/screens/selection.ts'
import type { Pairs } from '#web/features/screens/table-columns.tsx'
import { predictedOf } from '#web/features/series/cells.ts'
import { listedNumber, listsQuery } from '#web/features/series/make-list.ts'
import { call, messageOf } from '#web/lib/api.ts'
import { copyTable } from '#web/lib/copy-table.ts'
import { countOf } from '#web/lib/format.ts'
import { Button } from '#web/ui/button.ts'
import { Popover } from '#web/ui/popover.tsx'
import classes from './selection-bar.module.css'

type Props = { screen: Screen; selection: Selection; onClear: () => void }

export function SelectionBar({ screen, selection, onClear }: Props) {
  const shortlist = useShortlist()
  const navigate = useNavigate()
  const copy = useMutation({ mutationFn: () => copyTable(tableOf(selection, screen.targets)) })
  const compounds = compoundsOf(selection)
  if (compounds.length === 0) return null
  const known = compounds.map(([{ compound }]) => compound).filter((name) => shortlist.has(name))
  return (
    <section className={classes.bar} aria-label="Selection">
      <b>{`${countOf(compounds.length, 'compound')} selected`}</b>
      <Button variant="subtle" loading={copy.isPending} onClick={() => copy.mutate()}>
        Copy
      </Button>
      {known.length > 0 && (
        <>
          <Button variant="subtle" onClick={() => starAll(shortlist, known)}>
            Star
          </Button>
          <Button
            variant="subtle"
            onClick={() =>
              void navigate('/screens/new', {
                state: { targets: namesOf(screen), compounds: known },
              })
            }
          >
            New screen
          </Button>
        </>
      )}
      <MakeLists screen={screen} compounds={compounds} />
      <Button variant="subtle" onClick={onClear}>
        Clear
      </Button>
      <output className="small">
        {copy.isSuccess && 'Copied'}
        {copy.isError && 'The browser blocked copying.'}
        {shortlist.failure}
      </output>
    </section>
  )
}

function namesOf({ targets }: Screen): string[] {
  return [...new Set(targets.map(({ name }) => name))]
}

function starAll({ starred, toggle }: Shortlist, names: string[]): void {
  for (const name of names.filter((one) => !starred.has(one))) toggle(name)
}

/** A make list belongs to a target: with several, one is chosen. */
function MakeLists({ screen, compounds }: { screen: Screen; compounds: Pairs[] }) {
  const client = useQueryClient()
  const add = useMutation({
    mutationFn: (target: string) =>
      call(changeListedMolecules, { body: listing(target, compounds) }),
    onSuccess: (lists, target) => client.setQueryData(listsQuery(target).queryKey, lists),
  })
  const names = namesOf(screen)
  const buttonOf = (name: string, label: string) => (
    <Button key={name} variant="subtle" loading={add.isPending} onClick={() => add.mutate(name)}>
      {label}
    </Button>
  )
  const [only = ''] = names
  return (
    <>
      {names.length === 1 ? (
        buttonOf(only, 'Make list')
      ) : (
        <Popover label="Make list" variant="subtle">
          {names.map((name) => buttonOf(name, name))}
        </Popover>
      )}
      <output className="small">
        {add.isSuccess && `On the make list of ${add.variables}`}
        {add.error && messageOf(add.error, 'The list could not be changed.')}
      </output>
    </>
  )
}

function listing(target: string, compounds: Pairs[]) {
  const added_with = compounds.map((pairs) => {
    const row = pairs.find((pair) => pair.target === target)
    return listedNumber(row && predictedOf(row))
  })
  const smiles = compounds.map(([row]) => row.smiles)
  return { target, list: 'make' as const, smiles, listed: true, added_with }
}
