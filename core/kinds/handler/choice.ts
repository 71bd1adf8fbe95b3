import { isObject, type JsonObject, type JsonSchema, type JsonValue } from '../../canonical/json.ts'
import { changeMirror } from '../../contract/math-mirror.ts'
import { parameters } from '../../manifest/normalise.ts'
import type { Code, HandlerShape } from '../../manifest/kind.ts'
import { propertiesOf, requiredOf } from '../../schema/json-schema.ts'
import type { Result } from '../../plan/result.ts'
import { choiceOf, choiceParameter, chosenSchema, compileChoice } from '../choice.ts'

type Shape = Pick<HandlerShape, 'entries' | 'reply'>

/** Returns the alternatives of a reply schema: those of its `anyOf`, or the schema itself. */
const documentsOf = (reply: JsonSchema): readonly JsonSchema[] =>
  (reply['anyOf'] as JsonSchema[] | undefined) ?? [reply]

/** Returns the entries whose members a caller can select: the items of a list in the reply, or the reply itself. */
function entriesOf({ in: list, key }: NonNullable<Shape['entries']>, reply: JsonSchema) {
  const [schema = {}] = documentsOf(reply).flatMap(one =>
    list === undefined ? [one] : [(propertiesOf(one)[list]?.['items'] as JsonSchema | undefined) ?? []].flat()
  )
  return { schema, key, keep: [], roles: {} }
}

/** Adds the query parameter `fields` to the code, and makes the members of its entries optional in the reply schema. */
export function withChoice(code: Code): Code {
  if (code.entries === undefined) return code
  const entries = entriesOf(code.entries, code.reply)
  const list = code.entries.in
  const choice = choiceOf(entries)
  // A reduced entry needs no `title`: documents that share schemas by title would mistake it for the complete entry.
  const part: Record<string, unknown> = { ...chosenSchema(entries.schema, choice) }
  delete part['title']
  const documents = documentsOf(code.reply).map(document =>
    list === undefined
      ? part
      : list in propertiesOf(document)
        ? {
            ...document,
            properties: { ...propertiesOf(document), [list]: { ...propertiesOf(document)[list], items: part } }
          }
        : document
  )
  const { query = parameters({}), reply } = code
  return {
    ...code,
    query: parameters({ ...propertiesOf(query), fields: choiceParameter(choice) }, requiredOf(query)),
    reply: reply['anyOf'] === undefined ? (documents[0] ?? reply) : { ...reply, anyOf: documents }
  }
}

/**
 * Returns a function that reads `fields` and returns a function that cuts an answer to the selected members. It throws
 * for an unknown member.
 */
export function compileHandlerChoice(shape: Shape): (asked: unknown) => (result: Result) => Result {
  const { entries } = shape
  if (entries === undefined) return () => result => result
  const choose = compileChoice(entriesOf(entries, shape.reply))
  return asked => {
    const { show } = choose(asked)
    const inDocument = (document: JsonObject): JsonObject => {
      if (entries.in === undefined) return show(document)
      const items = document[entries.in]
      return Array.isArray(items)
        ? { ...document, [entries.in]: items.map((item: JsonValue) => (isObject(item) ? show(item) : item)) }
        : document
    }
    return result => {
      if (typeof asked !== 'string' || result.status !== 200) return result
      if (result.mirror !== undefined) return { ...result, mirror: changeMirror(result.mirror, inDocument) }
      return isObject(result.data) ? { ...result, data: inDocument(result.data) } : result
    }
  }
}
