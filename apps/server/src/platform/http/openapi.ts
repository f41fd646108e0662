/** What `/openapi.json` says, made from the same endpoints that are served. */
import { ADMIN_EMAIL_HEADER, ADMIN_KEY_HEADER, API_KEY_HEADER, ErrorBody } from '@pkdex/contract'
import { type Endpoint, type ErrorCode, errorStatus } from '@pkdex/contract'
import { z } from 'zod'

type Json = Record<string, unknown>

export function describeApi(endpoints: Endpoint[]): Json {
  const paths: Record<string, Json> = {}
  for (const endpoint of endpoints) {
    const path = endpoint.path.replaceAll(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: describe(endpoint) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'pKdex',
      version: '1',
      description: 'Predicts the binding affinity (pKd) of a compound to a protein structure.',
    },
    externalDocs: {
      description: 'The guide shows each call that users have, by task, with what comes back.',
      url: '/docs/guide',
    },
    paths,
    components: { securitySchemes, schemas: { Error: schemaOf(ErrorBody, 'output') } },
  }
}

const securitySchemes = {
  user: { type: 'apiKey', in: 'header', name: API_KEY_HEADER },
  adminKey: { type: 'apiKey', in: 'header', name: ADMIN_KEY_HEADER },
  adminToken: { type: 'http', scheme: 'bearer' },
}

const security = { none: [], user: [{ user: [] }], admin: [{ adminToken: [] }, { adminKey: [] }] }

function describe(endpoint: Endpoint): Json {
  const { auth, path, method, summary } = endpoint
  return {
    operationId: `${method} ${path}`.replaceAll(/[^A-Za-z]+/g, '_').toLowerCase(),
    tags: [path.split('/')[1]],
    summary,
    security: security[auth],
    parameters: [
      ...pathParameters(path),
      ...queryParameters(endpoint),
      ...headerParameters(endpoint),
    ],
    ...requestBody(endpoint),
    responses: {
      200: {
        description: 'Done.',
        headers: headersOf(endpoint.answerHeaders),
        content: answerContent(endpoint),
      },
      ...errorResponses(endpoint),
    },
  }
}

function pathParameters(path: string): Json[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
}

function queryParameters({ query }: Endpoint): Json[] {
  const { properties, required } = schemaOf(query, 'input')
  return Object.entries((properties ?? {}) as Json).map(([name, schema]) => ({
    name,
    in: 'query',
    required: Array.isArray(required) && required.includes(name),
    schema,
  }))
}

const ofAdministrators = { [ADMIN_EMAIL_HEADER]: 'The e-mail of the credential’s owner.' }

function headerParameters({ auth, headers }: Endpoint): Json[] {
  const all = { ...(auth === 'admin' ? ofAdministrators : {}), ...headers }
  return Object.entries(headersOf(all)).map(([name, header]) => ({ name, in: 'header', ...header }))
}

function headersOf(described: Record<string, string> = {}): Record<string, Json> {
  return Object.fromEntries(
    Object.entries(described).map(([name, description]) => [
      name,
      { description, schema: { type: 'string' } },
    ]),
  )
}

function requestBody({ body, form, multipart }: Endpoint): Json {
  if (body instanceof z.ZodUndefined) return {}
  const schema = schemaOf(body, 'input')
  if (!multipart) {
    const asForm = form ? { 'application/x-www-form-urlencoded': { schema } } : {}
    return {
      requestBody: { required: true, content: { ...jsonContent(schema).content, ...asForm } },
    }
  }
  const properties = { file: { type: 'string', format: 'binary' }, ...(schema.properties as Json) }
  return {
    requestBody: {
      required: true,
      content: { 'multipart/form-data': { schema: { ...schema, properties } } },
    },
  }
}

function answerContent({ answer, mediaTypes = ['application/json'] }: Endpoint): Json {
  const json = schemaOf(answer, 'output')
  const text = { type: 'string' }
  return Object.fromEntries(
    mediaTypes.map((type) => [type, { schema: type === 'application/json' ? json : text }]),
  )
}

function errorResponses(endpoint: Endpoint): Json {
  const responses: Json = {}
  for (const code of errorCodes(endpoint)) {
    responses[errorStatus[code]] = {
      description: code,
      ...jsonContent({ $ref: '#/components/schemas/Error' }),
    }
  }
  return responses
}

/** Every status that the documentation names for a call. */
export function documentedStatuses(endpoint: Endpoint): number[] {
  return [200, ...errorCodes(endpoint).map((code) => errorStatus[code])]
}

function errorCodes({ auth, body, multipart, path, errors }: Endpoint): ErrorCode[] {
  const hasBody = !(body instanceof z.ZodUndefined)
  const codes: ErrorCode[] = ['invalid_request']
  if (auth !== 'none') codes.push('not_signed_in', 'forbidden')
  if (path.includes(':')) codes.push('not_found')
  if (hasBody) codes.push('file_too_large', 'wrong_file_type')
  if (multipart) codes.push('file_unreadable')
  return [...codes, ...(errors ?? []), 'too_many_requests', 'internal', 'unavailable']
}

function jsonContent(schema: Json): { content: Json } {
  return { content: { 'application/json': { schema } } }
}

function schemaOf(shape: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...schema } = z.toJSONSchema(shape, { io, unrepresentable: 'any' })
  return schema
}
