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
let screenId: string
let keyId: string
let fileId: string
let measurementId: string

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
  // What a number rests on is told once there is one.
  const status = async () => (await (await owner.get(`/dta/predict/${taskId}`)).json()).status
  await expect.poll(status).toBe('SUCCESS')
  const { files } = await (await owner.get('/file_manager/files')).json()
  fileId = files.find((file: contract.KeptFile) => file.filename === 'mine.txt').file_id
  const screen = await owner.post('/screens', { targets: ['mine'], compounds: 'all' })
  screenId = (await screen.json()).id
  expect(screenId).toMatch(/^[0-9a-f-]{36}$/)
  await owner.post('/account/keys', { name: 'notebook' })
  keyId = (await (await owner.get('/account/keys')).json()).keys[0].id
  await owner.post('/measurements', { target: 'mine', text: 'aspirin,12 µM\ncaffeine,3 µM' })
  const { measurements } = await (await owner.get('/measurements')).json()
  measurementId = measurements[0].id
})

/** Calls that name a thing: the owner gets it, a stranger gets 404. */
const probes: Record<string, Probe> = {
  readTargetPreview: get(() => '/visualization/protein/mine'),
  readCompoundPreview: get(() => '/visualization/molecule/aspirin'),
  readTarget: get(() => '/file_manager/targets/mine'),
  readStructure: get(() => '/file_manager/targets/mine/structure'),
  readAtomEvidence: get(() => '/evidence/atoms?target=mine&compound=caffeine'),
  readAlikeEvidence: get(() => '/evidence/alike?target=mine&compound=caffeine'),
  readReceipt: get(() => '/evidence/receipt?target=mine&compound=caffeine'),
  readCompound: get(() => '/file_manager/compounds/aspirin'),
  listKnown: get(() => '/dta/known?protein_id=mine'),
  readPrediction: get(() => `/dta/predict/${taskId}`),
  requestPrediction: {
    owner: 200,
    stranger: 404,
    call: (user) => user.post('/dta/predict', { protein_id: 'mine', compound_id: 'aspirin' }),
  },
  predictPairs: {
    owner: 200,
    stranger: 404,
    call: (user) => user.post('/predict', { smiles: 'CCO', target: 'mine' }),
  },
  readScreen: get(() => `/screens/${screenId}`),
  readScreenResults: get(() => `/screens/${screenId}/results`),
  readScreenMatrix: get(() => `/screens/${screenId}/matrix`),
  downloadScreen: get(() => `/screens/${screenId}/results.csv`),
  downloadScreenSdf: get(() => `/screens/${screenId}/results.sdf`),
  downloadScreenXlsx: get(() => `/screens/${screenId}/results.xlsx`),
  watchScreen: get(() => `/screens/${screenId}/events`),
  cancelScreen: {
    owner: 200,
    stranger: 404,
    call: (user) => user.delete(`/screens/${screenId}`),
  },
  revokeOwnKey: {
    owner: 200,
    stranger: 404,
    call: (user) => user.delete(`/account/keys/${keyId}`),
  },
  importMeasurements: {
    owner: 200,
    stranger: 404,
    call: (user) => user.post('/measurements', { target: 'mine', text: 'caffeine,4 µM' }),
  },
  compareMeasurements: get(() => '/measurements/comparison?target=mine'),
  changeMeasurement: {
    owner: 200,
    stranger: 404,
    call: (user) =>
      user.put(`/measurements/${measurementId}`, { value: '>20', unit: 'µM', type: 'Ki' }),
  },
  deleteMeasurement: {
    owner: 200,
    stranger: 404,
    call: (user) => user.delete(`/measurements/${measurementId}`),
  },
  deleteMeasurements: {
    owner: 200,
    stranger: 404,
    call: (user) => user.delete('/measurements?target=mine'),
  },
  chooseChain: {
    owner: 200,
    stranger: 404,
    call: (user) => user.put('/file_manager/targets/mine/chain', { chain: 'B' }),
  },
}

/** One after another at the end, because what they name is gone then. */
const changes: Record<string, Probe> = {
  renameFile: {
    owner: 200,
    stranger: 404,
    call: (user) => user.patch(`/file_manager/files/${fileId}`, { filename: 'ours.txt' }),
  },
  renameTarget: {
    owner: 200,
    stranger: 404,
    call: (user) => user.patch('/file_manager/targets/mine', { name: 'ours' }),
  },
  renameCompound: {
    owner: 200,
    stranger: 404,
    call: (user) => user.patch('/file_manager/compounds/caffeine', { name: 'ours' }),
  },
  deleteTarget: {
    owner: 200,
    stranger: 404,
    call: (user) => user.delete('/file_manager/targets/ours'),
  },
  deleteCompound: {
    owner: 200,
    stranger: 404,
    call: (user) => user.delete('/file_manager/compounds/ours'),
  },
  deleteFile: {
    owner: 200,
    stranger: 404,
    call: (user) => user.delete(`/file_manager/files/${fileId}`),
  },
}

/** Calls that answer the caller's own things, whoever calls: checked for what they hold. */
const ownThings = [
  'readUsage',
  'listFiles',
  'listTargets',
  'listCompounds',
  'readCredits',
  'login',
  'uploadFile',
  'quoteScreen',
  'startScreen',
  'listScreens',
  'listOwnKeys',
  'createOwnKey',
  'listMeasurements',
  'listHistory',
  'downloadHistory',
  'exportAccount',
  'deleteAccount',
]

test('the matrix names every call of a user', () => {
  const calls = Object.entries(contract)
    .filter(([, value]) => isUserCall(value))
    .map(([name]) => name)
  expect([...Object.keys(probes), ...Object.keys(changes), ...ownThings].toSorted()).toEqual(
    calls.toSorted(),
  )
})

for (const [name, probe] of Object.entries(probes)) {
  test(`SPEC 6.2: ${name} answers 404 for another user's thing`, () => expectOwnersOnly(probe))
}

test('SPEC 6.2: lists and balance hold only the caller’s own', async () => {
  expect(await (await stranger.get('/dta/get_protein_names')).json()).toMatchObject({
    protein_names: [],
  })
  expect(await (await stranger.get('/dta/get_compound_names')).json()).toMatchObject({
    compound_names: [],
  })
  expect(await (await stranger.get('/dta/credits')).json()).toMatchObject({ credits: 100 })
  expect(await (await stranger.get('/file_manager/files')).json()).toEqual({ files: [] })
  expect(await (await stranger.get('/screens')).json()).toEqual({ screens: [] })
  expect(await (await stranger.get('/account/keys')).json()).toEqual({ keys: [] })
  expect(await (await stranger.get('/history')).json()).toEqual({ predictions: [] })
  expect(await (await stranger.get('/history.csv')).text()).not.toContain('caffeine')
  expect(await (await owner.get('/history.csv')).text()).toContain('caffeine')
  const values = await (await stranger.get('/measurements?target=mine')).json()
  expect(values).toEqual({ measurements: [], targets: [] })
  const others = { targets: ['mine'], compounds: ['aspirin'] }
  expect(await (await stranger.post('/screens/quote', others)).json()).toMatchObject({
    total: 0,
    unusable: [{ name: 'mine' }, { name: 'aspirin' }],
  })
})

test('a stranger may use the same names without touching the other’s files', async () => {
  const content = 'CCO aspirin'
  const answer = await stranger.upload({ name: 'mine.txt', type: 'drug_smiles', content })
  expect(await answer.json()).toMatchObject({ names: ['aspirin'], renamed: [] })
  const aspirin = await (await owner.get('/file_manager/compounds/aspirin')).json()
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

for (const [name, probe] of Object.entries(changes)) {
  test(`SPEC 6.2: ${name} answers 404 for another user's thing`, () => expectOwnersOnly(probe))
}

async function expectOwnersOnly(probe: Probe): Promise<void> {
  const refused = await probe.call(stranger)
  expect(refused.status).toBe(probe.stranger)
  expect(Object.keys(await refused.json()).toSorted()).toEqual(['code', 'detail', 'message'])
  expect((await probe.call(owner)).status).toBe(probe.owner)
}

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
