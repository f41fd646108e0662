/** The OpenAPI document describes the served endpoints completely enough for scripts. */
import {
  ADMIN_EMAIL_HEADER,
  type Endpoint,
  listUsers,
  login,
  requestAdminToken,
  requestPrediction,
  TOTAL_COUNT_HEADER,
  uploadFile,
} from '@pkdex/contract'
import { expect, test } from 'vitest'
import { describeApi } from './openapi.ts'

type Operation = {
  parameters: { name: string; in: string; required?: boolean; description?: string }[]
  requestBody?: { content: Record<string, unknown> }
  responses: Record<string, { headers?: Record<string, unknown> }>
}

function operation(call: Endpoint): Operation {
  const paths = describeApi([call])['paths'] as Record<string, Record<string, Operation>>
  const found = paths[call.path]?.[call.method.toLowerCase()]
  if (found === undefined) throw new Error(`${call.path} is not described`)
  return found
}

const headersIn = ({ parameters }: Operation) =>
  parameters.filter((parameter) => parameter.in === 'header').map(({ name }) => name)

test('SPEC 16.7: request headers are listed with descriptions', () => {
  expect(headersIn(operation(login))).toEqual(['X-Page-Id'])
  expect(headersIn(operation(requestPrediction))).toEqual(['Prefer'])
  expect(headersIn(operation(listUsers))).toEqual([ADMIN_EMAIL_HEADER])
  const [prefer] = operation(requestPrediction).parameters
  expect(prefer).toMatchObject({ description: expect.stringContaining('respond-async') })
  expect(prefer?.required).toBeUndefined()
})

test('SPEC 16.7: a paged list documents its total header', () => {
  expect(operation(listUsers).responses['200']?.headers).toHaveProperty(TOTAL_COUNT_HEADER)
  expect(operation(login).responses['200']?.headers).toEqual({})
})

test('SPEC 7.13: the token endpoint documents JSON and form bodies', () => {
  expect(Object.keys(operation(requestAdminToken).requestBody?.content ?? {})).toEqual([
    'application/json',
    'application/x-www-form-urlencoded',
  ])
})

test('an upload documents its required file', () => {
  const { content } = operation(uploadFile).requestBody ?? { content: {} }
  expect(content['multipart/form-data']).toMatchObject({
    schema: { required: ['file', 'file_type'] },
  })
})
