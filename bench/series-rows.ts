/** Replays of published series: their compounds, from the output of `npm run retrain`, and the page they write. */
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { kernelDescriptorNames } from '@pkdex/biochem'
// oxlint-disable-next-line no-restricted-imports -- replays compute with the product's own code
import * as inference from '../apps/server/src/inference/service.ts'
import { readRows } from './series-structures.ts'

/** `fep`: the pK by free-energy perturbation. */
export type Compound = inference.OwnValue & { system: string; heavyAtoms: number; fep: number }

/**
 * The arguments `--rows <file>`, `--model <folder>` and `--out <page>`: the series of at least `compoundsMin` compounds,
 * and the model's settings. `write` writes the page, or prints it.
 */
export async function openReplay(compoundsMin: number) {
  const { values } = parseArgs({
    options: {
      rows: { type: 'string', default: '.cache/training/series-left-out.tsv' },
      model: { type: 'string' },
      out: { type: 'string' },
    },
  })
  const directory = values.model ?? fileURLToPath(new URL('../models/current', import.meta.url))
  const all = Map.groupBy(readSeriesRows(values.rows), ({ system }) => system)
  return {
    series: [...all.values()].filter(({ length }) => length >= compoundsMin),
    settings: inference.readOwnValuesSettings(directory),
    model: await inference.readModelVersion(directory),
    write: (page: string) =>
      values.out === undefined ? console.log(page) : writeFileSync(values.out, page),
  }
}

function readSeriesRows(file: string): Compound[] {
  return readRows(file).map((row) => {
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
