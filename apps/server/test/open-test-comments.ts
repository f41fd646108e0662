/** A product with a screen owner and a viewer, and their calls about comments and news. */
import { readFile } from 'node:fs/promises'
import {
  Comment,
  listComments,
  type News,
  readCredits,
  Screen,
  seeScreen,
  type Share,
  shareScreen,
} from '@pkdex/contract'
import { openTestSession } from './factories.ts'
import { openTestProduct } from './open-test-product.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
type Who = { headers: Record<string, string> }

export async function openTestComments(environment: Record<string, string> = {}) {
  const sample = new URL('../../../samples/1hpv.pdb', import.meta.url)
  const t = await openTestProduct(environment)
  const open = () => openTestSession(t.db, { now: t.clock.now() })
  const named = async (name: string) => {
    const user = await open()
    await t.db.updateTable('users').set({ name }).where('id', '=', user.userId).execute()
    return user
  }
  const [owner, viewer] = [await named('Olga'), await named('Vera')]
  await t.upload(owner.headers, 'protein_pdb', 'hpv.pdb', await readFile(sample, 'utf8'))
  await t.upload(owner.headers, 'drug_smiles', 'some.txt', 'CCO ethanol\nCCCO propanol')

  function call(who: Who, method: Method, url: string, payload?: object) {
    return t.app.inject({ method, url, headers: who.headers, ...(payload && { payload }) })
  }

  async function start(): Promise<string> {
    const request = { targets: ['hpv'], compounds: 'all' }
    return Screen.parse((await call(owner, 'POST', '/screens', request)).json()).id
  }

  async function share(id: string, email: string | null): Promise<Share[]> {
    const answer = await call(owner, 'POST', `/screens/${id}/shares`, { email })
    return shareScreen.answer.parse(answer.json()).shares
  }

  const startShared = async (): Promise<string> => {
    const id = await start()
    await share(id, viewer.email)
    return id
  }

  const add = async (who: Who, id: string, body: object): Promise<Comment> =>
    Comment.parse((await call(who, 'POST', `/screens/${id}/comments`, body)).json())

  const read = async (who: Who, id: string, query = ''): Promise<Comment[]> => {
    const answer = await call(who, 'GET', `/screens/${id}/comments${query}`)
    return listComments.answer.parse(answer.json()).comments
  }

  /** What is new to somebody of a screen. */
  const newsOf = async (who: Who, id: string) => {
    const answer = readCredits.answer.parse((await call(who, 'GET', '/dta/credits')).json())
    const found = answer.news?.find(({ screen_id }) => screen_id === id)
    return found && { comments: found.comments, has_finished: found.has_finished }
  }

  const see = async (who: Who, id: string, comment: string | null): Promise<News[]> => {
    const answer = await call(who, 'PUT', `/screens/${id}/seen`, { comment })
    return seeScreen.answer.parse(answer.json()).news
  }

  const calls = { call, start, share, startShared, add, read, newsOf, see }
  return { ...t, owner, viewer, open, named, ...calls }
}
