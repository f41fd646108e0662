/** npm run verify-receipt: computes the prediction of a receipt again. See `--help`. */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
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
// oxlint-disable-next-line no-restricted-imports -- numbers are rounded as the server rounds them
import { toReceiptDigits } from '../apps/server/src/evidence/receipt.ts'
// oxlint-disable-next-line no-restricted-imports -- the file is read as the server read it
import { decodePackedText } from '../apps/server/src/files/parsing/decode-text.ts'
// oxlint-disable-next-line no-restricted-imports -- the same code as the server's computes the prediction
import { readModelIdentity } from '../apps/server/src/inference/model-card.ts'
// oxlint-disable-next-line no-restricted-imports -- the same
import { openModel, type Model } from '../apps/server/src/inference/open-model.ts'
// oxlint-disable-next-line no-restricted-imports -- numbers are rounded as the server rounds them
import { roundPk } from '../apps/server/src/predictions/pair-number.ts'

const help = `npm run verify-receipt -- receipt.json [--target FILE] [--compound SMILES] [--model FOLDER]

  --target FILE      the structure file; without it, the file's hash and the sequence are not checked
  --compound SMILES  the compound; without it, the SMILES in the receipt is used
  --model FOLDER     the model; without it, the one in models/current

Ends with 0 when the number and its interval repeat to the last digit, 1 when they do not or an input differs, 2 when
the receipt cannot be checked here.`

type Verdict = { exitCode: 0 | 1 | 2; sentence: string }
type Inputs = { target?: Uint8Array | undefined; compound?: string | undefined }

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
  if (result === undefined) return { exitCode: 2, sentence: 'The model returned no prediction.' }
  const numbers: [what: string, stated: number, found: number][] = [
    ['pKd', receipt.predicted_kd, result.predicted_kd],
    ['lower end of the interval', receipt.interval.lower, result.interval.lower],
    ['upper end of the interval', receipt.interval.upper, result.interval.upper],
  ]
  for (const [what, stated, found] of numbers) {
    // The server writes a receipt from the prediction, or from what it stored of it.
    if ([found, roundPk(found)].map(toReceiptDigits).includes(stated)) continue
    const sentence = `The ${what} is ${found.toFixed(RECEIPT_DECIMALS)}, but the receipt says ${stated}.`
    return { exitCode: 1, sentence }
  }
  const stated = receipt.predicted_kd.toFixed(RECEIPT_DECIMALS)
  const sentence = `pKd ${stated} and its interval reproduced exactly. ${notChecked(inputs)}`
  return { exitCode: 0, sentence }
}

/** Parts of a receipt that may be false although its prediction is reproduced. */
function notChecked({ target, compound }: Inputs): string {
  const what = [
    ...(target === undefined ? ['the structure file (give it with --target)'] : []),
    ...(compound === undefined ? ['the compound as you have it (give it with --compound)'] : []),
    'the names',
    'the time',
  ]
  return `Not checked: ${what.join(', ')}.`
}

/** Null if nothing is wrong, or no file was given. */
function wrongTarget({ structure }: Receipt, bytes: Uint8Array | undefined): string | null {
  if (bytes === undefined) return null
  const { file_sha256, chain, segments } = structure
  if (createHash('sha256').update(bytes).digest('hex') !== file_sha256) {
    return 'The structure file does not match the receipt (different SHA-256).'
  }
  const text = decodePackedText(bytes)
  const read = text.ok ? readStructure(text.value) : text
  if (!read.ok) return `The structure file cannot be read: ${read.reason}`
  const used = read.value.chains.find(({ id, kind }) => id === chain && kind === 'protein')
  if (used === undefined) return `The structure has no protein chain ${chain}.`
  if (chainSegments(used).join() === segments.join()) return null
  return `Chain ${chain} of the structure has a different sequence from the receipt.`
}

function wrongCompound(
  rdkit: RdkitModule,
  { compound }: Receipt,
  given = compound.smiles,
): string | null {
  const standard = standardise(rdkit, given)
  if (!standard.ok) return `The SMILES cannot be read: ${standard.reason}`
  if (standard.standardSmiles === compound.standard_smiles) return null
  return `Different compound: ${standard.standardSmiles}, but the receipt says ${compound.standard_smiles}.`
}

function checkModel({ model }: Receipt, here: { version: string; cardSha256: string }): void {
  if (model.version !== here.version) {
    throw new Error(
      `it names model ${model.version}, and here is ${here.version}; name its folder with --model`,
    )
  }
  if (model.card_sha256 === here.cardSha256) return
  throw new Error(
    `it names model ${model.version} with another model card than the one here: SHA-256 ${model.card_sha256}, here ${here.cardSha256}`,
  )
}

/** The command; returns its exit code. */
export async function runVerification(
  args: string[],
  print: (line: string) => void,
): Promise<number> {
  if (args.includes('--help')) {
    print(help)
    return 0
  }
  try {
    const verdict = await readAndVerify(args)
    print(verdict.sentence)
    return verdict.exitCode
  } catch (error) {
    print(`Cannot check this receipt: ${error instanceof Error ? error.message : String(error)}`)
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
  const [file, ...rest] = positionals
  if (file === undefined) throw new Error('give the receipt file')
  if (rest.length > 0) throw new Error(`one receipt at a time, not also ${rest.join(' ')}`)
  const receipt = Receipt.parse(JSON.parse(await readFile(fromCaller(file), 'utf8')))
  const directory = values.model ?? fileURLToPath(new URL('../models/current', import.meta.url))
  const identity = await readModelIdentity(directory)
  checkModel(receipt, identity)
  if (receipt.features.hash !== featureSpecHash) {
    throw new Error(
      `it was made with features ${receipt.features.hash}; this program computes ${featureSpecHash}`,
    )
  }
  const target = values.target === undefined ? undefined : await readFile(fromCaller(values.target))
  const model = await openModel({ directory, rdkit: await openRdkit() })
  return verifyReceipt(receipt, { target, compound: values.compound }, model)
}

/** npm runs scripts in the checkout's folder, but paths are relative to the folder where the command was typed. */
function fromCaller(path: string): string {
  return resolve(process.env['INIT_CWD'] ?? '', path)
}

if (import.meta.main) process.exitCode = await runVerification(process.argv.slice(2), console.log)
