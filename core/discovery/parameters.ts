import type { JsonObject, JsonSchema, JsonValue } from '../canonical/json.ts'
import type { Example, Surface } from '../manifest/surface.ts'
import { typedText } from '../schema/json-schema.ts'
import { membersOf, plainSchema } from './plain-schema.ts'

/** One argument that a caller gives to a surface. */
export type Parameter = Readonly<{
  /** Name of the argument: unique within the surface. */
  name: string
  /** Name in the path template or the query string; `body` and `method` are the whole body and the HTTP method. */
  parameter: string
  in: 'path' | 'query' | 'body' | 'method'
  description: string
  required: boolean
  schema: JsonSchema
}>

const placeholderNote = 'Fills `{NAME}` of the path.'

const describe = (schema: JsonSchema, otherwise: string): string =>
  typeof schema.description === 'string' ? schema.description : otherwise

const bodyMethods = new Set(['POST', 'PUT', 'PATCH'])
export const takesBody = (method: string): boolean => bodyMethods.has(method)

/**
 * Returns the path, query, body and method parameters, in this order. If a name is taken, the place is put in front:
 * `query_id`.
 */
export function parametersOf(surface: Surface): readonly Parameter[] {
  const { params, query, body } = surface.input
  const { methods } = surface.route
  const all: Omit<Parameter, 'name'>[] = [
    ...membersOf(params).map(({ name, schema }) => ({
      parameter: name,
      in: 'path' as const,
      description: describe(schema, placeholderNote.replace('NAME', name)),
      required: true,
      schema
    })),
    ...membersOf(query).map(({ name, schema, required }) => ({
      parameter: name,
      in: 'query' as const,
      description: describe(schema, `Query parameter \`${name}\`.`),
      required,
      schema
    }))
  ]
  if (body !== undefined) {
    const schema = plainSchema(body.schema)
    const description = describe(schema, `The JSON body, at most ${body.limitBytes} bytes.`)
    all.push({ parameter: 'body', in: 'body', description, required: methods.every(takesBody), schema })
  }
  if (methods.length > 1) {
    const schema = { type: 'string', enum: [...methods] }
    all.push({
      parameter: 'method',
      in: 'method',
      description: `HTTP method; ${methods[0] ?? 'GET'} when absent.`,
      required: false,
      schema
    })
  }
  const taken = new Set<string>()
  return all.map(parameter => {
    const name = taken.has(parameter.parameter) ? `${parameter.in}_${parameter.parameter}` : parameter.parameter
    taken.add(name)
    return { ...parameter, name }
  })
}

/** Returns the value that an example has for a parameter; `undefined` if it has none. */
export function exampleValue({ parameter, in: place, schema }: Parameter, example: Example): JsonValue | undefined {
  if (place === 'body') return example.body
  if (place === 'method') return example.method
  const text = (place === 'path' ? example.params : example.query)[parameter]
  return text === undefined ? undefined : typedText(schema, text)
}

/** Returns the tool arguments that produce the request of an example. */
export const exampleArguments = (parameters: readonly Parameter[], example: Example): JsonObject =>
  Object.fromEntries(
    parameters.flatMap(parameter => {
      const value = exampleValue(parameter, example)
      return value === undefined ? [] : [[parameter.name, value]]
    })
  )

/**
 * Returns the examples whose answer is the declared one or that fail only because they lack a credential. Examples of
 * other errors appear only in the example documents.
 */
export const workingExamples = ({ status, examples }: Surface): readonly Example[] =>
  examples.filter(({ expect }) => expect.status < 400 || [status, 401, 403].includes(expect.status))

/**
 * Returns the example whose answer is shown for a method: the first working one with the declared status and the
 * default format.
 */
export const shownExample = (surface: Surface, method: string): Example | undefined =>
  workingExamples(surface).find(
    example =>
      example.method === method && example.expect.status === surface.status && example.query.format === undefined
  )
