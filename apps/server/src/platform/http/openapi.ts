/** Generates `/openapi.json` from the served endpoints. */
import * as contract from '@pkdex/contract'
import { type DescribedHeader, type Endpoint, type ErrorCode, errorStatus } from '@pkdex/contract'
import { z } from 'zod'
import { version } from '#server/platform/version.ts'
import { type Json, openSchemas, type Schemas } from './openapi-schemas.ts'

const { ADMIN_EMAIL_HEADER, ADMIN_KEY_HEADER, API_KEY_HEADER, ErrorBody } = contract

/** Operations are named as in the contract, e.g. `requestPrediction`. */
const names = new Map(
  Object.entries(contract).flatMap(([name, value]) => {
    const isCall = typeof value === 'object' && 'method' in value && 'path' in value
    return isCall ? [[`${value.method} ${value.path}`, name] as const] : []
  }),
)

export function describeApi(endpoints: Endpoint[]): Json {
  const paths: Record<string, Json> = {}
  const schemas = openSchemas()
  const error = schemas.refer(ErrorBody, 'output', 'ErrorBody')
  for (const endpoint of endpoints) {
    const path = endpoint.path.replaceAll(/:(\w+)/g, '{$1}')
    paths[path] = {
      ...paths[path],
      [endpoint.method.toLowerCase()]: describe(endpoint, schemas, error),
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'pKdex',
      version,
      description: 'Predicts the binding affinity (pKd) of a compound for a protein target.',
    },
    externalDocs: {
      description: 'Guide to every user endpoint, by task, with example responses.',
      url: '/docs/guide',
    },
    paths: schemas.finish(paths),
    components: { securitySchemes, schemas: schemas.named() },
  }
}

const securitySchemes = {
  user: { type: 'apiKey', in: 'header', name: API_KEY_HEADER },
  adminKey: { type: 'apiKey', in: 'header', name: ADMIN_KEY_HEADER },
  adminToken: { type: 'http', scheme: 'bearer' },
}

const security = { none: [], user: [{ user: [] }], admin: [{ adminToken: [] }, { adminKey: [] }] }

function describe(endpoint: Endpoint, schemas: Schemas, error: Json): Json {
  const { auth, path, summary } = endpoint
  return {
    operationId: nameOf(endpoint),
    tags: [path.split('/')[1]],
    summary,
    security: security[auth],
    parameters: [
      ...pathParameters(path),
      ...queryParameters(endpoint, schemas),
      ...headerParameters(endpoint),
    ],
    ...requestBody(endpoint, schemas),
    responses: {
      200: {
        description: 'Success.',
        headers: headersOf(endpoint.answerHeaders),
        content: answerContent(endpoint, schemas),
      },
      ...errorResponses(endpoint, error),
    },
  }
}

function nameOf({ method, path }: Endpoint): string {
  return names.get(`${method} ${path}`) ?? `${method} ${path}`
}

/** Name of a body or response that the contract does not export: `RequestPredictionBody`. */
function schemaName(endpoint: Endpoint, part: 'Body' | 'Answer'): string {
  const name = nameOf(endpoint)
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}${part}`
}

function pathParameters(path: string): Json[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
}

function queryParameters({ query }: Endpoint, schemas: Schemas): Json[] {
  const { properties, required } = schemas.describe(query, 'input')
  return Object.entries((properties ?? {}) as Json).map(([name, schema]) => ({
    name,
    in: 'query',
    required: Array.isArray(required) && required.includes(name),
    schema,
  }))
}

const ofAdministrators = {
  [ADMIN_EMAIL_HEADER]: 'Email of the administrator who owns the credential.',
}

function headerParameters({ auth, headers }: Endpoint): Json[] {
  const all = { ...(auth === 'admin' ? ofAdministrators : {}), ...headers }
  return Object.entries(headersOf(all)).map(([name, header]) => ({ name, in: 'header', ...header }))
}

function headersOf(described: Record<string, DescribedHeader> = {}): Record<string, Json> {
  return Object.fromEntries(
    Object.entries(described).map(([name, header]) => {
      const schema = { type: 'string' }
      if (typeof header === 'string') return [name, { description: header, schema }]
      const { description, pattern } = header
      return [name, { description, schema: { ...schema, pattern: pattern.source } }]
    }),
  )
}

function requestBody(endpoint: Endpoint, schemas: Schemas): Json {
  const { body, form, multipart } = endpoint
  if (body instanceof z.ZodUndefined) return {}
  if (!multipart) {
    const schema = schemas.refer(body, 'input', schemaName(endpoint, 'Body'))
    const asForm = form ? { 'application/x-www-form-urlencoded': { schema } } : {}
    return {
      requestBody: { required: true, content: { ...jsonContent(schema).content, ...asForm } },
    }
  }
  const schema = schemas.describe(body, 'input')
  const file = { type: 'string', format: 'binary' }
  const original = {
    ...file,
    description: 'The table that a compound file was made from; kept in its place.',
  }
  const properties = { file, original, ...(schema.properties as Json) }
  const required = ['file', ...((schema.required as string[] | undefined) ?? [])]
  return {
    requestBody: {
      required: true,
      content: { 'multipart/form-data': { schema: { ...schema, properties, required } } },
    },
  }
}

function answerContent(endpoint: Endpoint, schemas: Schemas): Json {
  const { answer, mediaTypes = ['application/json'] } = endpoint
  const json = schemas.refer(answer, 'output', schemaName(endpoint, 'Answer'))
  const text = { type: 'string' }
  return Object.fromEntries(
    mediaTypes.map((type) => [type, { schema: type === 'application/json' ? json : text }]),
  )
}

function errorResponses(endpoint: Endpoint, error: Json): Json {
  const responses: Json = {}
  for (const code of errorCodes(endpoint)) {
    responses[errorStatus[code]] = {
      description: code,
      ...jsonContent(error),
    }
  }
  return responses
}

/** Every status documented for an endpoint. */
export function documentedStatuses(endpoint: Endpoint): number[] {
  return [200, ...errorCodes(endpoint).map((code) => errorStatus[code])]
}

function errorCodes({ auth, body, multipart, path, headers = {}, errors }: Endpoint): ErrorCode[] {
  const hasBody = !(body instanceof z.ZodUndefined)
  const codes: ErrorCode[] = ['invalid_request']
  if (auth !== 'none') codes.push('not_signed_in', 'forbidden')
  if (path.includes(':') || Object.hasOwn(headers, contract.SHARED_SCREEN_HEADER)) {
    codes.push('not_found')
  }
  if (hasBody) codes.push('file_too_large', 'wrong_file_type')
  if (multipart) codes.push('file_unreadable')
  return [...codes, ...(errors ?? []), 'too_many_requests', 'internal', 'unavailable']
}

function jsonContent(schema: Json): { content: Json } {
  return { content: { 'application/json': { schema } } }
}
