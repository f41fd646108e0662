/** Shared by benchmarks: the product while it is measured, and the sample structure with generated compounds. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { chainSegments, longestProteinChain, openRdkit, readStructure } from '@pkdex/biochem'
// oxlint-disable-next-line no-restricted-imports -- the model is measured as the server's worker runs it
import { openModel } from '../apps/server/src/inference/open-model.ts'
import { type Product, startProduct } from '../e2e/start-product.ts'

/** Starts the product, and stops it even after a failure. */
export async function onProduct<T>(
  environment: Record<string, string>,
  measure: (product: Product) => Promise<T>,
): Promise<T> {
  const product = await startProduct({ LOG_LEVEL: 'warn', ...environment })
  try {
    return await measure(product)
  } finally {
    await product.stop()
  }
}

/** The model without the product around it, on one thread. */
export async function openBareModel() {
  const directory = fileURLToPath(new URL('../models/current', import.meta.url))
  return openModel({ directory, rdkit: await openRdkit() })
}

export const sample = readFileSync(new URL('../samples/1hpv.pdb', import.meta.url), 'utf8')

export function sampleSegments(): string[] {
  const structure = readStructure(sample)
  const chain = structure.ok ? longestProteinChain(structure.value) : null
  if (chain === null) throw new Error('the sample structure cannot be read')
  return chainSegments(chain)
}

/** Constructs of the sample: each starts a few residues later. */
export function sampleConstructs(count: number): string[][] {
  const whole = sampleSegments().join('')
  return Array.from({ length: count }, (_, at) => [whole.slice(at * 3)])
}

/** Distinct compounds, each the size of a drug. */
export function compound(at: number): string {
  const links = ['C', 'O', 'N', 'S', 'CC', 'CO', 'CN', 'C(=O)N', 'CCO', 'S(=O)(=O)N']
  const [first, second] = [links[at % 10] ?? 'C', links[Math.floor(at / 10) % 10] ?? 'C']
  return `c1ccccc1${first}c1ccc(${second}${'C'.repeat(1 + Math.floor(at / 100))})nc1`
}
