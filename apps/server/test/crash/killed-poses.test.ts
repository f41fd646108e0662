/**
 * The product is killed and restarted while the poses of a screen are computed; structure-worker.deep.test.ts proves on
 * both databases that another worker takes over.
 */
import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import type { Screen } from '@pkdex/contract'
import { afterAll, expect, test } from 'vitest'
import { asOwner } from './mixed-callers.ts'
import { findWrongScreen, type KnownScreen } from './mixed-faults.ts'
import { openEmbedded } from './products.ts'
import { asUser, killSpawned, signIn } from './spawned-server.ts'

afterAll(killSpawned)

/** Enough compounds for four blocks. */
const ROWS = 100
const RUN_MS_MAX = 300_000

const structure = readFileSync(new URL('../../../../samples/1hpv.pdb', import.meta.url), 'utf8')
const amprenavir = 'CC(C)CN(C[C@H]([C@H](Cc1ccccc1)NC(=O)O[C@H]2CCOC2)O)S(=O)(=O)c3ccc(cc3)N'
const compounds = ['N', 'OC', 'F', 'Cl', 'C']
  .map((end) => `${amprenavir.replace(/N$/, end)} para-${end}`)
  .join('\n')

test(
  `SPEC 29.13: kill -9 and a restart while poses are computed: the run ends with each row once`,
  { timeout: 900_000 },
  async () => {
    const product = await openEmbedded({ INITIAL_CREDITS: '1000', LOG_LEVEL: 'warn', WORKERS: '1' })
    const key = await signIn(product.chooseUrl(), 'poses@example.org')
    const owner = () => asOwner(product.chooseUrl(), key)
    const user = asUser(product.chooseUrl(), key)
    const { names: targets } = await user.upload('protein_pdb', 'protease.pdb', structure)
    const { names } = await user.upload('drug_smiles', 'series.txt', compounds)
    const screen: KnownScreen = {
      targets,
      compounds: Array.from({ length: ROWS }, (_, at) => names[at % names.length] ?? ''),
      structure: true,
      isCancelled: false,
      seen: new Map(),
    }
    await owner().startScreen('poses', screen)
    const waitFor = (is: (screen: Screen) => boolean) => untilScreen(owner, is)
    const { structure_done: before } = await waitFor(isUnderWay(0))
    await (
      await product.end('kill')
    )()
    await waitFor(isUnderWay(before ?? 0))
    await (
      await product.end('stop')
    )()
    const ended = await waitFor((one) => one.structure_status === 'DONE')
    expect(ended).toMatchObject({ structure_done: ROWS, structure_message: null })
    const rows = await owner().screenRows(ended.id)
    // Rows of one compound are one pair, which is charged once.
    expect(ended.credits_charged).toBe(names.length)
    expect(findWrongScreen(screen, ended, rows)).toEqual([])
    expect(rows.filter((row) => !row.structure_adjusted)).toEqual([])
    const sdf = await owner().download(`/screens/${ended.id}/poses.sdf?target=protease`)
    expect(sdf.toString().match(/^\$\$\$\$$/gm)).toHaveLength(ROWS)
    await product.asOne().stop()
    await product.close()
  },
)

/** Some poses exist, and some are missing. */
const isUnderWay =
  (before: number) =>
  ({ structure_status: status, structure_done: done }: Screen) => {
    // Otherwise there is nothing left to interrupt.
    expect(status).not.toBe('DONE')
    return status === 'RUNNING' && (done ?? 0) > before
  }

async function untilScreen(
  owner: () => ReturnType<typeof asOwner>,
  is: (screen: Screen) => boolean,
) {
  const deadline = Date.now() + RUN_MS_MAX
  for (;;) {
    const [screen] = await owner().screens()
    if (screen !== undefined && is(screen)) return screen
    if (Date.now() > deadline) throw new Error(`not reached: ${JSON.stringify(screen)}`)
    await pause(50)
  }
}
