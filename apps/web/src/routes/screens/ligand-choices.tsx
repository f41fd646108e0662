/** The ligand that the compounds are placed on, for each target that has several. */
import type { ScreenQuote } from '@pkdex/contract'
import { optionOf } from '#web/lib/ligands.ts'
import { Select } from '#web/ui/field.tsx'

/** `id` of the ligand by target and chain; without one the suggested ligand. */
export type ChosenLigands = ReadonlyMap<string, string>

type Props = {
  /** Lists the ligands of a screen with structure. */
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

/** `chain`: without it the one that predictions use. */
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
