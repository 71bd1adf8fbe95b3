import { isObject, type JsonObject, type JsonValue } from '../../canonical/json.ts'
import type { Sliced } from '../../canonical/slices.ts'
import { shareSchemas, type RootSchema } from './shared-schemas.ts'

type Change = (schema: JsonObject, word: string) => JsonObject

const mapMembers = (
  object: JsonValue | undefined,
  change: (member: JsonObject) => JsonObject
): Record<string, JsonObject> =>
  isObject(object)
    ? Object.fromEntries(
        Object.entries(object).flatMap(([name, member]) => (isObject(member) ? [[name, change(member)]] : []))
      )
    : {}

const mapContent = (holder: JsonObject, change: (schema: JsonObject) => JsonObject): JsonObject =>
  holder.content === undefined
    ? holder
    : {
        ...holder,
        content: mapMembers(holder.content, type =>
          isObject(type.schema) ? { ...type, schema: change(type.schema) } : type
        )
      }

/** Replaces the schemas of an operation's request body and responses. */
function mapOperation(operation: JsonObject, change: Change): JsonObject {
  const facts = operation['x-surface']
  const id = isObject(facts) && typeof facts.id === 'string' ? facts.id : ''
  const word =
    id
      .replace(/\.\w+$/, '')
      .split('/')
      .at(-1) ?? ''
  return {
    ...operation,
    ...(isObject(operation.requestBody)
      ? { requestBody: mapContent(operation.requestBody, schema => change(schema, `${word}-request`)) }
      : {}),
    responses: mapMembers(operation.responses, response => mapContent(response, schema => change(schema, word)))
  }
}

type Paths = Readonly<Record<string, Readonly<Record<string, JsonObject>>>>

/** Replaces schemas that occur several times in the paths with references, and returns the paths and these schemas. */
export function* sharePaths(
  paths: Paths,
  reserved: readonly string[]
): Sliced<Readonly<{ paths: Record<string, Record<string, JsonObject>>; schemas: JsonObject }>> {
  const roots: RootSchema[] = []
  const note: Change = (schema, word) => {
    roots.push({ schema, word })
    return schema
  }
  for (const operations of Object.values(paths)) {
    for (const operation of Object.values(operations)) mapOperation(operation, note)
    yield
  }
  const { components, write } = yield* shareSchemas(roots, reserved)
  const written: Record<string, Record<string, JsonObject>> = {}
  for (const [path, operations] of Object.entries(paths)) {
    written[path] = mapMembers(operations, operation => mapOperation(operation, write))
    yield
  }
  return { paths: written, schemas: components }
}
