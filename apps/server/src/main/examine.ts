/**
 * Examines what a server with these settings needs: database, disk, model, clock, reverse proxy and sign-in providers.
 * One sentence each. Creates and migrates nothing, and works while the server runs.
 */
import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { discoverProvider } from '#server/auth/user/oidc.ts'
import { openPredictor, readModelVersion } from '#server/inference/service.ts'
import { examineDatabase } from '#server/platform/db/contents.ts'
import { freeBytes, isWritable } from '#server/platform/db/embedded/folder-error.ts'
import { OperatorError } from '#server/platform/errors.ts'
import { openLog } from '#server/platform/log.ts'
import { findMisspelt, findRemoved } from './environment.ts'
import { explainFailure } from './run-process.ts'
import { type Config, readConfig, settingsTable } from './settings.ts'

/** `unknown`: could not be checked, or is for the operator to judge. */
export type Finding = { subject: string; state: 'good' | 'problem' | 'unknown'; sentence: string }

const ANSWER_MS_MAX = 5000
/** The stricter of the two that sign-in tolerates: Google's tokens 30 s, others 60 s. */
const CLOCK_SECONDS_MAX = 30
/** An address for documentation, which no client has. */
const FORGED_ADDRESS = '192.0.2.1'
const MEBIBYTE = 2 ** 20

export async function examine(environment: NodeJS.ProcessEnv): Promise<Finding[]> {
  let config: Config
  try {
    config = readConfig(environment)
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error
    const rest = unknown('Everything else', 'was not checked, because the settings are not valid.')
    return [...error.message.split('\n').map((line) => problem('Settings', line)), rest]
  }
  const server = await findServer(config)
  const database = await checkDatabase(config, server)
  const providers = await checkProviders(config)
  return [
    ...checkNames(environment),
    server.found,
    ...database.findings,
    checkDisk(config),
    await checkModel(config),
    ...providers.findings,
    ...checkClocks([...database.clocks, ...providers.clocks]),
    await checkProxy(config, server.isPkdex),
  ]
}

export function toText(findings: Finding[]): string {
  const words = { good: 'ok', problem: 'PROBLEM', unknown: 'note' }
  const lines = findings.map(
    ({ subject, state, sentence }) => `${words[state].padEnd(8)} ${subject}: ${sentence}`,
  )
  const count = findings.filter(({ state }) => state === 'problem').length
  const total = count === 0 ? 'No problems found.' : `${count} problem${count === 1 ? '' : 's'}.`
  return [...lines, '', total].join('\n')
}

const finding = (state: Finding['state']) => (subject: string, sentence: string) => ({
  subject,
  state,
  sentence,
})
const good = finding('good')
const problem = finding('problem')
const unknown = finding('unknown')

function checkNames(environment: NodeJS.ProcessEnv): Finding[] {
  const names = settingsTable.map(({ name }) => name)
  const ignored = [
    ...findMisspelt(environment, names).map(
      ([name, meant]) => `${name} is not a setting and is ignored. Did you mean ${meant}?`,
    ),
    ...findRemoved(environment).map((name) => `${name} is no longer a setting and is ignored.`),
  ]
  if (ignored.length === 0) return [good('Settings', 'all values are valid.')]
  return ignored.map((sentence) => problem('Settings', sentence))
}

type Server = { isPkdex: boolean; isReady: boolean; found: Finding }

/** The server of these settings, if it runs. */
async function findServer({ host, port }: Config): Promise<Server> {
  const wildcards: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '::1' }
  const own = wildcards[host] ?? host
  const address = `http://${own.includes(':') ? `[${own}]` : own}:${port}`
  const health = await readHealth(address)
  if (health === 'silent') {
    return {
      isPkdex: false,
      isReady: false,
      found: unknown('Server', `not running at ${address}.`),
    }
  }
  if (health === 'foreign') {
    const sentence = `another program uses PORT ${port} (${address}).`
    return { isPkdex: false, isReady: false, found: problem('Server', sentence) }
  }
  const ready = await request(`${address}/readyz`)
  if (ready?.ok) {
    return { isPkdex: true, isReady: true, found: good('Server', `ready at ${address}.`) }
  }
  const { message = 'it does not answer /readyz.' } = Object(await ready?.json().catch(() => null))
  const sentence = `running at ${address}, but not ready: ${message}`
  return { isPkdex: true, isReady: false, found: problem('Server', sentence) }
}

/** `forwardedFor`: the header as it arrived at pKdex. */
async function readHealth(
  address: string,
  headers: Record<string, string> = {},
): Promise<'silent' | 'foreign' | { forwardedFor: string | null }> {
  const answer = await request(`${address}/healthz`, headers)
  if (answer === null) return 'silent'
  const body = Object(await answer.json().catch(() => null))
  if (body.status !== 'alive' || body.version === undefined) return 'foreign'
  return { forwardedFor: body.forwarded_for ?? null }
}

async function request(url: string, headers: Record<string, string> = {}) {
  const signal = AbortSignal.timeout(ANSWER_MS_MAX)
  return fetch(url, { headers, signal, redirect: 'manual' }).catch(() => null)
}

/** How far another clock is ahead of this one. */
type Clock = { whose: string; aheadMs: number }

type Checked = { findings: Finding[]; clocks: Clock[] }

async function checkDatabase(config: Config, { isReady }: Server): Promise<Checked> {
  const { databaseUrl, dataDir } = config
  const where =
    databaseUrl === undefined ? `embedded, in DATA_DIR ${dataDir}` : 'PostgreSQL, in DATABASE_URL'
  if (databaseUrl === undefined && isReady) {
    return { findings: [good('Database', `${where}; the running server uses it.`)], clocks: [] }
  }
  try {
    const found = await examineDatabase({ ...config, log: openLog('silent') })
    const clocks =
      databaseUrl !== undefined ? [{ whose: 'the PostgreSQL server', aheadMs: found.aheadMs }] : []
    if (found.isThere) return { findings: [good('Database', `${where}; it answers.`)], clocks }
    const sentence = `${where}; there is no pKdex database yet. The first start creates it.`
    return { findings: [unknown('Database', sentence)], clocks }
  } catch (error) {
    const { sentence } = explainFailure(error)
    return { findings: [problem('Database', toSentence(sentence))], clocks: [] }
  }
}

function toSentence(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

export function checkDisk({
  databaseUrl,
  dataDir,
  diskBytesMin,
}: Pick<Config, 'databaseUrl' | 'dataDir' | 'diskBytesMin'>): Finding {
  if (databaseUrl !== undefined) {
    return unknown('Disk', 'the disk of the PostgreSQL server cannot be checked from here.')
  }
  let folder = dataDir
  while (!existsSync(folder)) folder = dirname(folder)
  if (!isWritable(folder)) {
    return problem('Disk', `${folder} is not a folder that this user can write to.`)
  }
  const free = freeBytes(folder)
  const sentence = `${Math.floor(free / MEBIBYTE)} MiB are free in ${folder}`
  if (free >= diskBytesMin) return good('Disk', `${sentence}.`)
  const limit = `${diskBytesMin / MEBIBYTE} MiB`
  return problem('Disk', `${sentence}. Below ${limit}, uploads and predictions are refused.`)
}

async function checkModel({ modelDir }: Config): Promise<Finding> {
  try {
    const version = await readModelVersion(modelDir)
    const predictor = await openPredictor({ modelDirectory: modelDir, threads: 1 })
    await predictor.close()
    return good('Model', `version ${version}; its files are intact and it opens.`)
  } catch (error) {
    return problem('Model', toSentence(explainFailure(error).sentence))
  }
}

async function checkProviders({ identity, oidc }: Config): Promise<Checked> {
  const google = identity.kind === 'google' ? [await checkGoogle(identity.keysUrl)] : []
  const others = await Promise.all(oidc.providers.map(checkProvider))
  const all = [...google, ...others]
  const development =
    identity.kind === 'development'
      ? [unknown('Sign-in', 'the development sign-in is used: anyone can sign in as any user.')]
      : []
  return {
    findings: [...development, ...all.flatMap(({ findings }) => findings)],
    clocks: all.flatMap(({ clocks }) => clocks),
  }
}

async function checkGoogle(keysUrl: string): Promise<Checked> {
  const answer = await request(keysUrl)
  const clocks = answer === null ? [] : readClock('Google', answer)
  const { keys } = Object(await answer?.json().catch(() => null))
  if (Array.isArray(keys) && keys.length > 0) {
    return { findings: [good('Google', `its keys can be read from ${keysUrl}.`)], clocks }
  }
  const sentence = `its keys cannot be read from GOOGLE_JWKS_URL ${keysUrl}, so nobody can sign in with it.`
  return { findings: [problem('Google', sentence)], clocks }
}

async function checkProvider(provider: Config['oidc']['providers'][number]): Promise<Checked> {
  const { name, issuer } = provider
  try {
    await discoverProvider(provider)
    const answer = await request(issuer)
    const sentence = `found at ${issuer}. Whether client_id and client_secret are right, only a sign-in shows.`
    return {
      findings: [good(name, sentence)],
      clocks: answer === null ? [] : readClock(name, answer),
    }
  } catch (error) {
    const sentence = `not found at ${issuer}, so nobody can sign in with it: ${reasonOf(error)}.`
    return { findings: [problem(name, sentence)], clocks: [] }
  }
}

function reasonOf(error: unknown): string {
  const { cause, message } = Object(error)
  return cause instanceof Error ? reasonOf(cause) : String(message)
}

function readClock(whose: string, { headers }: Response): Clock[] {
  const theirs = Date.parse(headers.get('date') ?? '')
  return Number.isNaN(theirs) ? [] : [{ whose, aheadMs: theirs - Date.now() }]
}

function checkClocks(clocks: Clock[]): Finding[] {
  if (clocks.length === 0) {
    return [unknown('Clock', 'not checked: no provider or PostgreSQL server to compare it with.')]
  }
  return clocks.map(({ whose, aheadMs }) => {
    const seconds = Math.round(Math.abs(aheadMs) / 1000)
    if (seconds <= CLOCK_SECONDS_MAX) return good('Clock', `agrees with that of ${whose}.`)
    const side = aheadMs > 0 ? 'behind' : 'ahead of'
    const sentence = `${seconds} s ${side} that of ${whose}. Above ${CLOCK_SECONDS_MAX} s, sign-ins fail.`
    return problem('Clock', sentence)
  })
}

/** One request through PUBLIC_URL shows what the reverse proxy does with the address of a client. */
async function checkProxy({ oidc, trustProxy }: Config, isRunning: boolean): Promise<Finding> {
  const { publicUrl } = oidc
  if (publicUrl === '') {
    return unknown('Proxy', 'not checked, because PUBLIC_URL is not set.')
  }
  if (publicUrl.startsWith('https:') && !trustProxy) {
    const sentence = `PUBLIC_URL ${publicUrl} needs a reverse proxy for https, but TRUST_PROXY is off, so all users count as one address.`
    return problem('Proxy', sentence)
  }
  if (!isRunning) {
    return unknown('Proxy', `${publicUrl} was not asked, because the server is not running.`)
  }
  const health = await readHealth(publicUrl, { 'X-Forwarded-For': FORGED_ADDRESS })
  if (health === 'silent') {
    return problem('Proxy', `PUBLIC_URL ${publicUrl} does not answer within 5 s.`)
  }
  if (health === 'foreign') {
    return problem('Proxy', `at PUBLIC_URL ${publicUrl} something other than pKdex answers.`)
  }
  const { forwardedFor } = health
  const addsAddress = forwardedFor !== null && forwardedFor !== FORGED_ADDRESS
  if (trustProxy && !addsAddress) {
    const sentence = `TRUST_PROXY is on, but the proxy at ${publicUrl} does not add the client's address to X-Forwarded-For, so clients can choose theirs.`
    return problem('Proxy', sentence)
  }
  if (!trustProxy && addsAddress) {
    const sentence = `a proxy at ${publicUrl} sends X-Forwarded-For, but TRUST_PROXY is off, so all users count as one address.`
    return problem('Proxy', sentence)
  }
  const how = trustProxy ? 'the proxy states the address of each client' : 'no proxy is in between'
  return good('Proxy', `${publicUrl} reaches pKdex, and ${how}.`)
}
