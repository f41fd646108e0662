/** Compounds of published series, from the output of `affinity_model.left_out`. */
import { readFileSync } from 'node:fs'
import { kernelDescriptorNames } from '@pkdex/biochem'
// oxlint-disable-next-line no-restricted-imports -- replays compute with the product's own code
import * as inference from '../apps/server/src/inference/service.ts'

/** `fep`: the pK by free-energy perturbation. */
export type Compound = inference.OwnValue & { system: string; heavyAtoms: number; fep: number }

export function readSeriesRows(file: string): Compound[] {
  const [columns = [], ...lines] = readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t'))
  return lines.map((line) => {
    const row = Object.fromEntries(columns.map((column, at) => [column, line[at] ?? '']))
    const number = (name: string) => Number(row[name])
    const words = (row['fingerprint'] ?? '').match(/.{8}/g) ?? []
    return {
      system: row['system'] ?? '',
      heavyAtoms: number('heavy_atoms'),
      fep: number('fep'),
      measured: number('pk'),
      predicted: number('predicted'),
      halfWidth: (number('upper') - number('lower')) / 2,
      bits: inference.bitsIn(Uint32Array.from(words, (word) => Number.parseInt(word, 16))),
      descriptors: kernelDescriptorNames.map((name) => number(`descriptor_${name}`)),
    }
  })
}
