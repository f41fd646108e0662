/** A user who calls the API without a browser: signs in through the development identity provider and uploads files. */
import {
  login,
  uploadFile,
  verifyGoogle,
  readConnectionConfig,
  API_KEY_HEADER,
} from '@pkdex/contract'

export type ApiUser = {
  url: string
  get(path: string): Promise<Response>
  post(path: string, body: unknown, extra?: Record<string, string>): Promise<Response>
  put(path: string, body: unknown): Promise<Response>
  patch(path: string, body: unknown): Promise<Response>
  delete(path: string): Promise<Response>
  upload(file: {
    name: string
    type: 'protein_pdb' | 'drug_smiles'
    content: BlobPart
  }): Promise<Response>
  headers: Record<string, string>
}

export async function signIn(url: string, email: string): Promise<ApiUser> {
  const config = await (await fetch(url + readConnectionConfig.path)).json()
  const identity = { email, name: email.split('@')[0], nonce: config.nonce }
  const { id_token } = await postJson(`${url}/dev/identity/token`, identity)
  const { api_key } = await postJson(url + verifyGoogle.path, { id_token })
  const headers = { [API_KEY_HEADER]: api_key }
  const valid = await fetch(url + login.path, { method: 'POST', headers })
  if (!valid.ok) throw new Error(`The key of ${email} is not valid: ${valid.status}`)
  const send =
    (method: string) =>
    (path: string, body: unknown, extra: Record<string, string> = {}) =>
      fetch(url + path, {
        method,
        headers: { ...headers, ...extra, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
  return {
    url,
    headers,
    get: (path) => fetch(url + path, { headers }),
    post: send('POST'),
    put: send('PUT'),
    patch: send('PATCH'),
    delete: (path) => fetch(url + path, { method: 'DELETE', headers }),
    upload({ name, type, content }) {
      const form = new FormData()
      form.set('file_type', type)
      form.set('file', new Blob([content]), name)
      return fetch(url + uploadFile.path, { method: 'POST', headers, body: form })
    },
  }
}

async function postJson(url: string, body: unknown) {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`)
  return answer.json()
}
