/** A new pair with API and worker as separate, idle processes on one PostgreSQL server. */
import { setTimeout as pause } from 'node:timers/promises'
import { signIn } from '../e2e/api-user.ts'
import { ownProcess, startProduct } from '../e2e/start-product.ts'
import { type Figure, limited, quantilesMs } from './figure.ts'
import { compound, sample } from './on-product.ts'
import { expectOk } from './peers.ts'
import { onOwnDatabase } from './screens.ts'

const PAIRS = 100
/** After this long, both processes are idle again. */
const IDLE_MS = 100

export async function measureTwoProcesses(server: string): Promise<Figure[]> {
  return onOwnDatabase(server, async (url) => {
    const settings = { DATABASE_URL: url, LOG_LEVEL: 'warn', INITIAL_CREDITS: '1000' }
    const api = await startProduct(settings, await ownProcess('api'))
    const worker = await startProduct(settings, await ownProcess('worker'))
    try {
      return [await measurePairs(api.url)]
    } finally {
      await Promise.all([api.stop(), worker.stop()])
    }
  })
}

async function measurePairs(url: string): Promise<Figure> {
  const user = await signIn(url, 'two-processes@example.org')
  const lines = Array.from({ length: PAIRS + 1 }, (_, at) => `${compound(at)} pair-${at}`)
  await user.upload({ name: 'hiv.pdb', type: 'protein_pdb', content: sample })
  await user.upload({ name: 'pairs.txt', type: 'drug_smiles', content: lines.join('\n') })
  const { p50 } = await quantilesMs(
    PAIRS,
    async (round) => {
      const body = { protein_id: 'hiv', compound_id: `pair-${round + 1}` }
      await expectOk(await user.post('/dta/predict', body))
    },
    () => pause(IDLE_MS),
  )
  return limited('prediction over HTTP, API and worker apart on PostgreSQL, median', p50, 'ms', 60)
}
