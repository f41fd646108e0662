/** The command-line prediction without a server; its compounds and structures are those of the screens. */
import { spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Figure, limited } from './figure.ts'
import { readInput, TARGETS } from './screens.ts'

const command = fileURLToPath(new URL('../tools/predict.mjs', import.meta.url))

/** A million compounds in 45 minutes. */
const COMPOUNDS_PER_SECOND = 370

export async function measurePredict(shared: string): Promise<Figure[]> {
  const input = await readInput(shared)
  const { length } = input.compounds
  const [first = ''] = input.compounds
  const start = await secondsOf({ ...input, compounds: [first] }, 1)
  return [
    limited(
      'npm run predict: 10,000 compounds × 10 structures, start to last row',
      await secondsOf(input, TARGETS),
      's',
      30,
    ),
    {
      // The start is a small part of 45 minutes, and an eighth of this run.
      name: 'npm run predict: 10,000 compounds × 1 structure, after the start',
      measured: (length - 1) / ((await secondsOf(input, 1)) - start),
      unit: 'pairs/s',
      against: { name: 'a million in 45 minutes', value: COMPOUNDS_PER_SECOND },
      isFloor: true,
    },
  ]
}

async function secondsOf(
  { compounds, structures }: Awaited<ReturnType<typeof readInput>>,
  count: number,
): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'pkdex-bench-predict-'))
  const [lines, out] = [join(folder, 'compounds.smi'), join(folder, 'out.csv')]
  await writeFile(lines, compounds.join('\n'))
  const targets: string[] = []
  for (const { name, content } of structures.slice(0, count)) {
    await writeFile(join(folder, name), content)
    targets.push('--target', join(folder, name))
  }
  const started = performance.now()
  const { status, stderr } = spawnSync(
    process.execPath,
    [command, ...targets, '--compounds', lines, '--out', out, '--quiet'],
    { encoding: 'utf8' },
  )
  const seconds = (performance.now() - started) / 1000
  // Exit code 3: some rows have no prediction.
  if (status !== 0 && status !== 3) throw new Error(stderr)
  const rows = (await readFile(out, 'utf8')).trim().split('\n').length - 1
  await rm(folder, { recursive: true })
  if (rows !== compounds.length * count) throw new Error(`${rows} rows`)
  return seconds
}
