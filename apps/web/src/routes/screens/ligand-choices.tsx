/** Selects the reference ligand on which compounds are placed, for each target that has several. */
import type { ScreenQuote } from '@pkdex/contract'
import { optionOf } from '#web/lib/ligands.ts'
import { Select } from '#web/ui/field.tsx'

/** The `id` of the ligand by target and chain; if missing, the suggested ligand is used. */
export type ChosenLigands = ReadonlyMap<string, string>

type Props = {
  /** Contains the ligands of a screen with poses. */
  quote: ScreenQuote | undefined
  chosen: ChosenLigands
  onChoose: (chosen: ChosenLigands) => void
}

export function LigandChoices({ quote, chosen, onChoose }: Props) {
  return (quote?.structure?.ligands ?? [])
    .filter(({ references }) => references.length > 1)
    .map(({ target, chain, reference, references }) => (
      <Select
        key={keyOf(target, chain)}
        label={`Ligand of ${target}, chain ${chain}`}
        value={reference}
        options={references.map(optionOf)}
        onChange={(id) => onChoose(new Map(chosen).set(keyOf(target, chain), id))}
      />
    ))
}

/** `chain`: by default the one used for predictions. */
export function ligandOf(
  chosen: ChosenLigands,
  target: string,
  chain?: string,
): string | undefined {
  const found = [...chosen].find(([key]) =>
    chain === undefined ? key.startsWith(keyOf(target, '')) : key === keyOf(target, chain),
  )
  return found?.[1]
}

function keyOf(target: string, chain: string): string {
  return `${target}\n${chain}`
}
