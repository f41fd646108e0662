/** The command-line prediction without a server; its compounds and structures are those of the screens. */
import { spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Figure, limited } from './figure.ts'
import { readInput, TARGETS } from './screens.ts'

const command = fileURLToPath(new URL('../tools/predict.mjs', import.meta.url))

export async function measurePredict(shared: string): Promise<Figure[]> {
  const { compounds, structures } = await readInput(shared)
  const folder = await mkdtemp(join(tmpdir(), 'pkdex-bench-predict-'))
  const [lines, out] = [join(folder, 'compounds.smi'), join(folder, 'out.csv')]
  await writeFile(lines, compounds.join('\n'))
  const targets: string[] = []
  for (const { name, content } of structures.slice(0, TARGETS)) {
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
  if (rows !== compounds.length * TARGETS) throw new Error(`${rows} rows`)
  const name = 'npm run predict: 10,000 compounds × 10 structures, start to last row'
  return [limited(name, seconds, 's', 30)]
}
