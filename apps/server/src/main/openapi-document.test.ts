/** /openapi.json can be read by tools in other languages. */
import { afterAll, expect, test } from 'vitest'
import { openTestProduct } from '#test/open-test-product.ts'

const t = await openTestProduct()
afterAll(() => t.close())

function patternsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]: [string, unknown]) =>
    key === 'pattern' && typeof inner === 'string' ? [inner] : patternsIn(inner),
  )
}

test('every pattern is a regular expression that Python and Java accept', async () => {
  const patterns = patternsIn((await t.app.inject({ url: '/openapi.json' })).json())
  expect(patterns.length).toBeGreaterThan(5)
  expect(patterns.filter((pattern) => /\\[pP]\{/.test(pattern))).toEqual([])
  // Without the `u` flag, as in the document.
  for (const pattern of patterns) expect(() => new RegExp(pattern)).not.toThrow()
})

test('every operation has the unique name of its endpoint in the contract', async () => {
  const { paths } = (await t.app.inject({ url: '/openapi.json' })).json<{
    paths: Record<string, Record<string, { operationId: string }>>
  }>()
  const ids = Object.values(paths).flatMap((calls) =>
    Object.values(calls).map(({ operationId }) => operationId),
  )
  expect(ids).toContain('requestPrediction')
  expect(ids.filter((id) => !/^[a-z][A-Za-z]+$/.test(id))).toEqual([])
  expect(new Set(ids).size).toBe(ids.length)
})

type Part = { $ref?: string; type?: string; additionalProperties?: boolean; format?: string }
type Content = Record<string, { schema: Part }>
type Document = {
  paths: Record<
    string,
    Record<
      string,
      { requestBody?: { content: Content }; responses: Record<string, { content: Content }> }
    >
  >
  components: { schemas: Record<string, Part & { properties?: Record<string, Part> }> }
}

const readDocument = async () => (await t.app.inject({ url: '/openapi.json' })).json<Document>()

test('bodies and responses that are objects have a name, and every reference has a schema', async () => {
  const document = await readDocument()
  const { schemas } = document.components
  const parts = Object.values(document.paths)
    .flatMap((calls) => Object.values(calls))
    .flatMap(({ requestBody, responses }) => [
      ...Object.entries(requestBody?.content ?? {}).filter(
        ([type]) => !type.startsWith('multipart'),
      ),
      ...Object.values(responses).flatMap(({ content }) => Object.entries(content)),
    ])
    .map(([, { schema }]) => schema)
  expect(parts.length).toBeGreaterThan(200)
  expect(parts.filter(({ type }) => type === 'object')).toEqual([])
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]*)"/g)]
  const known = new Set(Object.keys(schemas).map((name) => `#/components/schemas/${name}`))
  expect(references.map(([, to = '']) => to).filter((to) => !known.has(to))).toEqual([])
  expect(Object.keys(schemas).filter((name) => !/^[A-Z][A-Za-z]+$/.test(name))).toEqual([])
})

test('a schema that is sent and returned in two shapes has two names', async () => {
  const { schemas } = (await readDocument()).components
  expect(schemas['OwnAlertInput']?.additionalProperties).toBe(false)
  expect(schemas['OwnAlert']?.additionalProperties).toBeUndefined()
  const unlike = Object.keys(schemas).filter((name) => `${name}Input` in schemas)
  expect(unlike).toEqual(['OwnAlert'])
})

test('a response may get further fields, a request may not, and timestamps are marked as such', async () => {
  const { schemas } = (await readDocument()).components
  expect(schemas['AdminUser']?.additionalProperties).toBeUndefined()
  expect(schemas['StartScreenBody']?.additionalProperties).toBe(false)
  const moments = Object.values(schemas).flatMap(({ properties = {} }) =>
    Object.entries(properties).filter(([name]) => name.endsWith('_at')),
  )
  expect(moments.length).toBeGreaterThan(8)
  const unmarked = moments.filter(([, part]) => !JSON.stringify(part).includes('"date-time"'))
  expect(unmarked).toEqual([])
})

test('names are as long in the document as on the server, and the page id has its pattern', async () => {
  const document = await readDocument()
  const name = document.components.schemas['RenameTargetBody']?.properties?.['name']
  expect(name).toMatchObject({ minLength: 1, maxLength: 200 })
  const { parameters } = Object(document.paths['/dta/login']?.['post'])
  expect(parameters).toContainEqual(
    expect.objectContaining({
      name: 'X-Page-Id',
      schema: { type: 'string', pattern: String.raw`^[\w-]{1,100}$` },
    }),
  )
})
