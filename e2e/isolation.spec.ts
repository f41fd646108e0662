/** Two users and every call of the contract: one gets 404 for the other's things, never 403 and never the thing. */
import { readFile } from 'node:fs/promises'
import { expect } from '@playwright/test'
import * as contract from '@pkdex/contract'
import { type ApiUser, signIn } from './api-user.ts'
import { test } from './product.ts'
import { newEmail, sampleCompounds, sampleStructure } from './steps.ts'

type Probe = { owner: number; stranger: number; call: (user: ApiUser) => Promise<Response> }

let owner: ApiUser
let stranger: ApiUser
let taskId: string

test.beforeAll(async ({ product }) => {
  owner = await signIn(product.url, newEmail())
  stranger = await signIn(product.url, newEmail())
  await owner.upload({
    name: 'mine.pdb',
    type: 'protein_pdb',
    content: await readFile(sampleStructure),
  })
  await owner.upload({
    name: 'mine.txt',
    type: 'drug_smiles',
    content: await readFile(sampleCompounds),
  })
  taskId = await startTask()
  expect(taskId).toMatch(/^[0-9a-f-]{36}$/)
})

/** Calls that name a thing: the owner gets it, a stranger gets 404. */
const probes: Record<string, Probe> = {
  readTargetPreview: get(() => '/visualization/protein/mine'),
  readCompoundPreview: get(() => '/visualization/molecule/aspirin'),
  readPrediction: get(() => `/dta/predict/${taskId}`),
  requestPrediction: {
    owner: 200,
    stranger: 404,
    call: (user) => user.post('/dta/predict', { protein_id: 'mine', compound_id: 'aspirin' }),
  },
  chooseChain: {
    owner: 200,
    stranger: 404,
    call: (user) => user.put('/file_manager/targets/mine/chain', { chain: 'B' }),
  },
}

/** Calls that answer the caller's own things, whoever calls: checked for what they hold. */
const ownThings = ['listTargets', 'listCompounds', 'readCredits', 'login', 'uploadFile']

test('the matrix names every call of a user', () => {
  const calls = Object.entries(contract)
    .filter(([, value]) => isUserCall(value))
    .map(([name]) => name)
  expect([...Object.keys(probes), ...ownThings].toSorted()).toEqual(calls.toSorted())
})

for (const [name, probe] of Object.entries(probes)) {
  test(`SPEC 6.2: ${name} answers 404 for another user's thing`, async () => {
    const refused = await probe.call(stranger)
    expect(refused.status).toBe(probe.stranger)
    expect(Object.keys(await refused.json()).toSorted()).toEqual(['code', 'detail', 'message'])
    expect((await probe.call(owner)).status).toBe(probe.owner)
  })
}

test('SPEC 6.2: lists and balance hold only the caller’s own', async () => {
  expect(await (await stranger.get('/dta/get_protein_names')).json()).toMatchObject({
    protein_names: [],
  })
  expect(await (await stranger.get('/dta/get_compound_names')).json()).toMatchObject({
    compound_names: [],
  })
  expect(await (await stranger.get('/dta/credits')).json()).toMatchObject({ credits: 100 })
})

test('a stranger may use the same names without touching the other’s files', async () => {
  const content = 'CCO aspirin'
  const answer = await stranger.upload({ name: 'mine.txt', type: 'drug_smiles', content })
  expect(await answer.json()).toMatchObject({ names: ['aspirin'], renamed: [] })
  const { compounds } = await (await owner.get('/dta/get_compound_names')).json()
  const aspirin = compounds.find(({ name }: { name: string }) => name === 'aspirin')
  expect(aspirin.report.formula).toBe('C9H8O4')
})

test('without a key every call of a user answers 401', async ({ product }) => {
  for (const [name, value] of Object.entries(contract)) {
    if (!isUserCall(value)) continue
    const path = value.path.replaceAll(/:\w+/g, 'mine')
    const { status } = await fetch(product.url + path, { method: value.method })
    expect(status, name).toBe(401)
  }
})

function get(path: () => string): Probe {
  return { owner: 200, stranger: 404, call: (user) => user.get(path()) }
}

function isUserCall(value: unknown): value is contract.Endpoint {
  return typeof value === 'object' && value !== null && 'auth' in value && value.auth === 'user'
}

/** A direct answer carries no task id; a caller in a hurry gets one. */
async function startTask(): Promise<string> {
  const answer = await owner.post(
    '/dta/predict',
    { protein_id: 'mine', compound_id: 'caffeine' },
    { Prefer: 'respond-async' },
  )
  return (await answer.json()).task_id
}
