/**
 * The schemas of the OpenAPI document, by name, so that generated clients have one type for each. Schemas exported by the
 * contract keep their name; other bodies and responses are named after their operation.
 */
import * as contract from '@pkdex/contract'
import { z } from 'zod'

export type Json = Record<string, unknown>

for (const [name, value] of Object.entries(contract)) {
  if (!(value instanceof z.ZodType)) continue
  z.globalRegistry.add(value, { ...z.globalRegistry.get(value), id: name })
}

/** Direction: a field with a default may be missing from a request, but never from a response. */
type Side = 'input' | 'output'

export type Schemas = {
  /** A reference to the schema, if it has a name or is an object; otherwise the schema. */
  refer: (shape: z.ZodType, side: Side, name: string) => Json
  /** The schema itself, whose parts may be references. */
  describe: (shape: z.ZodType, side: Side) => Json
  /** Replaces references in a part of the document by the final names. */
  finish: <Part>(part: Part) => Part
  /** All referenced schemas, by name. */
  named: () => Record<string, Json>
}

export function openSchemas(): Schemas {
  const sides = { input: new Map<string, string>(), output: new Map<string, string>() }

  function read(shape: z.ZodType, side: Side): Json {
    const {
      $schema: _,
      $defs = {},
      ...schema
    } = z.toJSONSchema(shape, {
      io: side,
      unrepresentable: 'any',
      // A later version may add fields to a response; clients that reject them would break.
      override: ({ jsonSchema }) => {
        if (side === 'output' && jsonSchema.additionalProperties === false) {
          delete jsonSchema.additionalProperties
        }
      },
    })
    for (const [name, definition] of Object.entries($defs)) {
      sides[side].set(name, markReferences(definition, side))
    }
    return JSON.parse(markReferences(schema, side))
  }

  function refer(shape: z.ZodType, side: Side, name: string): Json {
    const schema = read(shape, side)
    if (schema['type'] !== 'object') return schema
    sides[side].set(name, JSON.stringify(schema))
    return { $ref: `#/${side}/${name}` }
  }

  function describe(shape: z.ZodType, side: Side): Json {
    const schema = read(shape, side)
    const { $ref: path = '' } = schema as { $ref?: string }
    const name = path.split('/').at(-1) ?? ''
    const known = sides[side].get(name)
    return known === undefined ? schema : JSON.parse(known)
  }

  const finish = <Part>(part: Part): Part => {
    const twofold = findTwofold(sides)
    const text = JSON.stringify(part).replaceAll(
      reference,
      (_, side: Side, name: string) => `"#/components/schemas/${finalName(side, name, twofold)}"`,
    )
    return JSON.parse(text)
  }

  function named(): Record<string, Json> {
    const twofold = findTwofold(sides)
    const all = (['output', 'input'] as const).flatMap((side) =>
      [...sides[side]].map(([name, text]): [string, Json] => [
        finalName(side, name, twofold),
        JSON.parse(text),
      ]),
    )
    return finish(Object.fromEntries(all.toSorted(([a], [b]) => a.localeCompare(b, 'en'))))
  }

  return { refer, describe, finish, named }
}

const reference = /"#\/(input|output)\/(\w+)"/g

function markReferences(schema: unknown, side: Side): string {
  return JSON.stringify(schema).replaceAll('"#/$defs/', `"#/${side}/`)
}

function finalName(side: Side, name: string, twofold: ReadonlySet<string>): string {
  return side === 'input' && twofold.has(name) ? `${name}Input` : name
}

/** Names whose schema, or that of a part, differs between requests and responses. */
function findTwofold({ input, output }: Record<Side, Map<string, string>>): Set<string> {
  const twofold = new Set<string>()
  const isTwofold = (name: string, sent: string) => {
    const returned = output.get(name)
    if (returned === undefined) return false
    if (sent.replaceAll('"#/input/', '"#/output/') !== returned) return true
    return [...sent.matchAll(reference)].some(([, , part = '']) => twofold.has(part))
  }
  for (let before = -1; before !== twofold.size;) {
    before = twofold.size
    for (const [name, sent] of input) if (isTwofold(name, sent)) twofold.add(name)
  }
  return twofold
}
