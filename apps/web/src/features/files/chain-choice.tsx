/** Chooses the chain of a target with several. Moving through the list changes nothing until the button is clicked. */
import { Button } from '#web/ui/button.ts'
import { chooseChain, type Target } from '@pkdex/contract'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { call, messageOf } from '#web/lib/api.ts'
import { Select } from '#web/ui/field.tsx'
import { Note } from '#web/ui/note.tsx'
import { describeOption, proteinChains } from './describe-target.ts'
import classes from './upload-report.module.css'

type Props = { target: Target; onChosen: (target: Target) => void }

export function ChainChoice({ target, onChosen }: Props) {
  const [isOpen, setIsOpen] = useState(false)
  const [chain, setChain] = useState(target.chain)
  const choice = useMutation({
    mutationFn: () => call(chooseChain, { params: { name: target.name }, body: { chain } }),
    onSuccess: onChosen,
  })

  const chains = proteinChains(target)
  if (chains.length < 2) return null
  if (!isOpen) {
    return (
      <Button
        variant="subtle"
        color="gray"
        className={classes.quietAction}
        onClick={() => setIsOpen(true)}
      >
        Use another chain
      </Button>
    )
  }
  return (
    <div className={classes.choice}>
      <Select
        label="Chain"
        className={classes.chain}
        value={chain}
        // The button that opened the list is gone, so the list gets the focus.
        ref={(element) => element?.focus()}
        options={chains.map((each) => ({ value: each.id, label: describeOption(each) }))}
        onChange={setChain}
      />
      <Button
        variant="default"
        loading={choice.isPending}
        onClick={() => (chain === target.chain ? setIsOpen(false) : choice.mutate())}
      >
        Use this chain
      </Button>
      {choice.error && (
        <Note tone="failure">{messageOf(choice.error, 'The chain could not be changed.')}</Note>
      )}
    </div>
  )
}
