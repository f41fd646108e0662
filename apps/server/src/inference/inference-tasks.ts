/** Tasks of an inference thread. Each has its own model session, because a run blocks its thread. */
import { workerData } from 'node:worker_threads'
import { openRdkit } from '@pkdex/biochem'
import type { PredictionResult } from '@pkdex/contract'
import type { Compared } from './differences.ts'
import type { Grid } from './grid.ts'
import { openModel, type Model, type Pair } from './open-model.ts'
import type { ThreadData } from './shared-arrays.ts'
import { beginStep, type TaskCall } from '#server/platform/jobs/thread-pool.ts'

/** Fails if the model does not fit the program, so that a worker refuses to start. */
export async function readModelVersion(call: TaskCall<null>): Promise<string> {
  beginStep(call.steps)
  return (await healthyModel()).version
}

export function predictPairs(call: TaskCall<Pair[]>): Promise<PredictionResult[]> {
  return inOneStep(call, (model, pairs) => model.predict(pairs))
}

export function predictGrid(call: TaskCall<Grid>): Promise<Float32Array> {
  return inOneStep(call, (model, grid) => model.predictGrid(grid))
}

export function compareCompounds(call: TaskCall<Compared>): Promise<number[]> {
  return inOneStep(call, (model, compared) => model.compare(compared))
}

async function inOneStep<Input, Output>(
  { input, steps }: TaskCall<Input>,
  run: (model: Model, input: Input) => Promise<Output>,
): Promise<Output> {
  const model = await healthyModel()
  beginStep(steps)
  try {
    return await run(model, input)
  } catch (error) {
    openedModel = null
    throw error
  }
}

let openedModel: Promise<Model> | null = null

/** After a failure RDKit may be broken, so the next task loads everything again. */
function healthyModel(): Promise<Model> {
  openedModel ??= openFresh()
  return openedModel
}

async function openFresh(): Promise<Model> {
  const { modelDirectory: directory, memory }: ThreadData = workerData
  return openModel({ directory, memory, rdkit: await openRdkit() })
}
