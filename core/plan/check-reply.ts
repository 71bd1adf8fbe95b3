import type { JsonSchema, JsonValue } from '../canonical/json.ts'
import { finishMirror } from '../contract/math-mirror.ts'
import type { Reply } from '../handler/handler.ts'
import { compileSchema } from '../schema/compile.ts'

/** A handler answered with something that its `reply` schema does not describe. Its message names the handler and every place. */
export class ReplyFault extends Error {
  override readonly name = 'ReplyFault'
}

/** Schema keywords whose value is a schema, a list of schemas, or schemas by name. */
const single = new Set(['items', 'additionalProperties', 'not'])
const listed = new Set(['anyOf', 'oneOf', 'prefixItems'])
const named = new Set(['properties', 'patternProperties', '$defs'])

/** The same schema with each list of members complete: an object that does not say otherwise has no member beside those that are named. */
export function exactSchema (schema: unknown): unknown {
  if (typeof schema !== 'object' || schema === null) return schema
  const exact = Object.fromEntries(Object.entries(schema).map(([keyword, value]: [string, unknown]) => {
    if (single.has(keyword)) return [keyword, exactSchema(value)]
    if (listed.has(keyword)) return [keyword, (value as readonly unknown[]).map(exactSchema)]
    if (named.has(keyword)) return [keyword, Object.fromEntries(Object.entries(value as object).map(([name, one]) => [name, exactSchema(one)]))]
    return [keyword, value]
  }))
  return 'properties' in exact && !('additionalProperties' in exact) ? { ...exact, additionalProperties: false } : exact
}

/** Checks the replies of one handler against its schema, every member included. Throws a ReplyFault. For development and tests: it takes time. */
export function compileReplyCheck (handler: string, schema: JsonSchema): (reply: Reply, now: Date) => void {
  const check = compileSchema(exactSchema(schema) as JsonSchema)
  return ({ data = null, mirror }, now) => {
    // What is served is the text: members that are undefined are not in it.
    const served = JSON.parse(mirror === undefined ? JSON.stringify(data) : finishMirror(mirror, now)) as JsonValue
    const issues = check(served)
    if (issues.length === 0) return
    const places = issues.map(({ pointer, message }) => `  /${pointer.join('/')}: ${message}`)
    throw new ReplyFault([`The handler \`${handler}\` answered with what its reply schema does not describe.`, ...places].join('\n'))
  }
}
