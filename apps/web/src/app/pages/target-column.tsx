/** The left side of the results page: the targets, and the picture and report of the selected one. */
import { messages, type Target } from '@pkdex/contract'
import { useMemo } from 'react'
import { ChainChoice } from '#web/features/files/chain-choice.tsx'
import { TargetCaption } from '#web/features/files/target-caption.tsx'
import { EmptyPicture, Picture } from '#web/features/previews/picture.tsx'
import { type List, ResultsColumn } from './results-column.tsx'

type Props = {
  list: List<{ protein_names: string[]; targets: Target[] }>
  selectedName: string | null
  onSelect: (name: string | null) => void
  /** Another chain of the selected target is used from now on. */
  onChainChosen: (target: Target) => void
}

export function TargetColumn({ list, selectedName, onSelect, onChainChosen }: Props) {
  const { data } = list
  const items = useMemo(() => data?.protein_names.map(itemOf(data.targets)), [data])
  const target = data?.targets.find(({ name }) => name === selectedName)
  const caption = target && <TargetCaption target={target} />
  return (
    <ResultsColumn
      title="Target"
      plural="Targets"
      emptyText={messages.results.noTargets}
      items={items}
      hasFailed={list.isError}
      selectedName={selectedName}
      onSelect={onSelect}
      picture={
        selectedName === null ? (
          <EmptyPicture>
            No target selected.
            <br />
            Its picture appears here.
          </EmptyPicture>
        ) : (
          <Picture kind="protein" name={selectedName} caption={caption} />
        )
      }
      caption={
        target && (
          <>
            {caption}
            <ChainChoice
              key={`${target.name} ${target.chain}`}
              target={target}
              onChosen={onChainChosen}
            />
          </>
        )
      }
    />
  )
}

function itemOf(targets: Target[]) {
  const residues = new Map(targets.map((target) => [target.name, target.residues]))
  return (name: string, index: number) => {
    const count = residues.get(name)
    return { id: index + 1, name, detail: count === undefined ? '' : `${count} aa` }
  }
}
