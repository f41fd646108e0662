/**
 * npm run verify-receipt -- receipt.json [--target <PDB file>] [--compound <SMILES>] [--model <folder>]: computes the
 * number of a receipt again. Without the inputs it takes what the receipt says the model saw. Exit codes: 0, it
 * repeats to the last digit; 1, it does not, or an input is another one; 2, it cannot be checked here.
 */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import {
  chainSegments,
  featureSpecHash,
  openRdkit,
  readStructure,
  standardise,
} from '@pkdex/biochem'
import type { RdkitModule } from '@pkdex/biochem'
import { Receipt, RECEIPT_DECIMALS } from '@pkdex/contract'
// oxlint-disable-next-line no-restricted-imports -- the file is read as the server read it
import { decodePackedText } from '../apps/server/src/files/parsing/decode-text.ts'
// oxlint-disable-next-line no-restricted-imports -- the number comes from where the server's came from
import { readModelIdentity } from '../apps/server/src/inference/model-card.ts'
// oxlint-disable-next-line no-restricted-imports -- the same
import { openModel, type Model } from '../apps/server/src/inference/open-model.ts'

type Verdict = { exitCode: 0 | 1 | 2; sentence: string }
type Inputs = { target?: Uint8Array | undefined; compound?: string | undefined }

/** Half of the last digit, and the noise of the last bits of a 32-bit number: a batch of another size rounds otherwise. */
const TOLERANCE = 0.5 * 10 ** -RECEIPT_DECIMALS + 5e-6

export async function verifyReceipt(
  receipt: Receipt,
  inputs: Inputs,
  model: Pick<Model, 'predict'>,
): Promise<Verdict> {
  const { segments } = receipt.structure
  const wrong =
    wrongTarget(receipt, inputs.target) ??
    wrongCompound(await openRdkit(), receipt, inputs.compound)
  if (wrong !== null) return { exitCode: 1, sentence: wrong }
  const [result] = await model.predict([{ segments, smiles: receipt.compound.standard_smiles }])
  if (result === undefined) return { exitCode: 2, sentence: 'The model answered no number.' }
  const numbers: [what: string, said: number, found: number][] = [
    ['pKd', receipt.predicted_kd, result.predicted_kd],
    ['lower end of the interval', receipt.interval.lower, result.interval.lower],
    ['upper end of the interval', receipt.interval.upper, result.interval.upper],
  ]
  for (const [what, said, found] of numbers) {
    if (Math.abs(said - found) <= TOLERANCE) continue
    const sentence = `The ${what} is ${found.toFixed(RECEIPT_DECIMALS)}, the receipt says ${said}.`
    return { exitCode: 1, sentence }
  }
  const said = receipt.predicted_kd.toFixed(RECEIPT_DECIMALS)
  const sentence = `pKd ${said} repeats to the last digit, and so does its interval.`
  return { exitCode: 0, sentence }
}

/** Null where nothing is wrong, or nothing was given. */
function wrongTarget({ structure }: Receipt, bytes: Uint8Array | undefined): string | null {
  if (bytes === undefined) return null
  const { file_sha256, chain, segments } = structure
  if (createHash('sha256').update(bytes).digest('hex') !== file_sha256) {
    return 'The structure file is not the one of the receipt: its SHA-256 is another.'
  }
  const text = decodePackedText(bytes)
  const read = text.ok ? readStructure(text.value) : text
  if (!read.ok) return `The structure file cannot be read: ${read.reason}`
  const used = read.value.chains.find(({ id, kind }) => id === chain && kind === 'protein')
  if (used === undefined) return `The structure has no protein chain ${chain}.`
  if (chainSegments(used).join() === segments.join()) return null
  return `Chain ${chain} of the structure has another sequence than the receipt says.`
}

function wrongCompound(
  rdkit: RdkitModule,
  { compound }: Receipt,
  given = compound.smiles,
): string | null {
  const standard = standardise(rdkit, given)
  if (!standard.ok) return `The SMILES cannot be read: ${standard.reason}`
  if (standard.standardSmiles === compound.standard_smiles) return null
  return `The compound is another one: ${standard.standardSmiles}, the receipt says ${compound.standard_smiles}.`
}

/** The command; answers its exit code. */
export async function runVerification(
  args: string[],
  print: (line: string) => void,
): Promise<number> {
  try {
    const verdict = await readAndVerify(args)
    print(verdict.sentence)
    return verdict.exitCode
  } catch (error) {
    print(
      `This receipt cannot be checked: ${error instanceof Error ? error.message : String(error)}`,
    )
    return 2
  }
}

async function readAndVerify(args: string[]): Promise<Verdict> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      target: { type: 'string' },
      compound: { type: 'string' },
      model: { type: 'string' },
    },
  })
  const [file] = positionals
  if (file === undefined) throw new Error('name the file of the receipt')
  const receipt = Receipt.parse(JSON.parse(await readFile(file, 'utf8')))
  const directory = values.model ?? fileURLToPath(new URL('../models/current', import.meta.url))
  const identity = await readModelIdentity(directory)
  if (identity.cardSha256 !== receipt.model.card_sha256) {
    throw new Error(
      `it is of model ${receipt.model.version}, and here is ${identity.version}; name its folder with --model`,
    )
  }
  if (receipt.features.hash !== featureSpecHash) {
    throw new Error(
      `it is of features ${receipt.features.hash}, and this program computes ${featureSpecHash}`,
    )
  }
  const target = values.target === undefined ? undefined : await readFile(values.target)
  const model = await openModel({ directory, rdkit: await openRdkit() })
  return verifyReceipt(receipt, { target, compound: values.compound }, model)
}

if (import.meta.main) process.exitCode = await runVerification(process.argv.slice(2), console.log)
