import type { Static } from 'typebox'
import type { JsonObject, JsonSchema, JsonValue } from '../canonical/json.ts'
import { Type } from '../canonical/type.ts'
import type { Example, Surface } from '../manifest/surface.ts'
import { coerceText } from '../schema/json-schema.ts'
import { Closed, Text } from './define.ts'
import { membersOf, plainSchema } from './plain-schema.ts'

export const Parameter = Closed({
  /** Name of the argument of a tool, which is unique within the surface. */
  name: Text,
  /** Name in the path template or in the query; `body` for the whole body, `method` for the HTTP method. */
  parameter: Text,
  in: Type.Enum(['path', 'query', 'body', 'method']),
  description: Text,
  required: Type.Boolean(),
  schema: Type.Unsafe<JsonSchema>({ description: 'JSON Schema of the value.' })
})
export type Parameter = Readonly<Static<typeof Parameter>>

const describe = (schema: JsonSchema, otherwise: string): string =>
  typeof schema.description === 'string' ? schema.description : otherwise

const bodyMethods = new Set(['POST', 'PUT', 'PATCH'])
export const takesBody = (method: string): boolean => bodyMethods.has(method)

/**
 * Returns the parameters of a surface: path, query, body and method. If a name is taken, its `in` is put in front:
 * `query_id`.
 */
export function parametersOf({ input, route: { methods } }: Surface): readonly Parameter[] {
  const all: Omit<Parameter, 'name'>[] = []
  for (const { name, schema } of membersOf(input.params)) {
    const description = describe(schema, `Fills \`{${name}}\` of the path.`)
    all.push({ parameter: name, in: 'path', description, required: true, schema })
  }
  for (const { name, schema, required } of membersOf(input.query)) {
    const description = describe(schema, `Query parameter \`${name}\`.`)
    all.push({ parameter: name, in: 'query', description, required, schema })
  }
  if (input.body !== undefined) {
    const schema = plainSchema(input.body.schema)
    const description = describe(schema, `The JSON body, at most ${input.body.limitBytes} bytes.`)
    all.push({ parameter: 'body', in: 'body', description, required: methods.every(takesBody), schema })
  }
  if (methods.length > 1) {
    const description = `HTTP method; ${methods[0] ?? 'GET'} when absent.`
    const schema = { type: 'string', enum: [...methods] }
    all.push({ parameter: 'method', in: 'method', description, required: false, schema })
  }
  const taken = new Set<string>()
  return all.map(parameter => {
    const name = taken.has(parameter.parameter) ? `${parameter.in}_${parameter.parameter}` : parameter.parameter
    taken.add(name)
    return { ...parameter, name }
  })
}

export function exampleValue({ parameter, in: place, schema }: Parameter, example: Example): JsonValue | undefined {
  if (place === 'body') return example.body
  if (place === 'method') return example.method
  const text = (place === 'path' ? example.params : example.query)[parameter]
  return text === undefined ? undefined : coerceText(schema, text)
}

export const exampleArguments = (parameters: readonly Parameter[], example: Example): JsonObject =>
  Object.fromEntries(
    parameters.flatMap(parameter => {
      const value = exampleValue(parameter, example)
      return value === undefined ? [] : [[parameter.name, value]]
    })
  )

/** Returns the examples that expect no error, the declared status, or a refusal for lack of rights (401, 403). */
export const workingExamples = ({ status, examples }: Surface): readonly Example[] =>
  examples.filter(({ expect }) => expect.status < 400 || [status, 401, 403].includes(expect.status))

/**
 * Returns the first example of a method that has the declared status and does not ask for a format. What needs a key is
 * not shown to everyone.
 */
export const shownExample = (surface: Surface, method: string): Example | undefined =>
  workingExamples(surface).find(
    example =>
      example.method === method &&
      example.as === undefined &&
      example.expect.status === surface.status &&
      example.query.format === undefined
  )
