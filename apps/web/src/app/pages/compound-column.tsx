/** The right side of the results page: the compounds, and the picture and report of the selected one. */
import { messages, type Compound } from '@pkdex/contract'
import { useMemo } from 'react'
import { CompoundCaption } from '#web/features/files/compound-caption.tsx'
import { EmptyPicture, Picture } from '#web/features/previews/picture.tsx'
import { type List, ResultsColumn } from './results-column.tsx'

type Props = {
  list: List<{ compound_names: string[]; compounds: Compound[] }>
  selectedName: string | null
  onSelect: (name: string | null) => void
}

export function CompoundColumn({ list, selectedName, onSelect }: Props) {
  const { data } = list
  const items = useMemo(() => data?.compound_names.map(itemOf(data.compounds)), [data])
  const compound = data?.compounds.find(({ name }) => name === selectedName)
  const caption = compound && <CompoundCaption compound={compound} />
  return (
    <ResultsColumn
      title="Compound"
      plural="Compounds"
      emptyText={messages.results.noCompounds}
      items={items}
      hasFailed={list.isError}
      selectedName={selectedName}
      onSelect={onSelect}
      picture={
        selectedName === null ? (
          <EmptyPicture>
            No compound selected.
            <br />
            Its structure appears here.
          </EmptyPicture>
        ) : (
          <Picture kind="molecule" name={selectedName} caption={caption} />
        )
      }
      caption={caption}
    />
  )
}

function itemOf(compounds: Compound[]) {
  const masses = new Map(compounds.map((compound) => [compound.name, compound.report.mass]))
  return (name: string, index: number) => {
    const mass = masses.get(name)
    return { id: index + 1, name, detail: mass === undefined ? '' : `${mass.toFixed(1)} g/mol` }
  }
}
