import type { JsonSchema, JsonValue } from '../canonical/json.ts'
import { finishMirror } from '../contract/math-mirror.ts'
import type { Reply } from '../handler/handler.ts'
import { compileSchema } from '../schema/compile.ts'
import { exactSchema } from '../schema/json-schema.ts'

/**
 * The error for a reply that does not match the handler's `reply` schema. Its message names the handler and every
 * mismatch.
 */
export class ReplyFault extends Error {
  override readonly name = 'ReplyFault'
}

/**
 * Returns a function that checks the replies of a handler against its schema; members that the schema does not name are
 * errors. Throws a ReplyFault. Used in development and tests only, because it takes time.
 */
export function compileReplyCheck(handler: string, schema: JsonSchema): (reply: Reply, now: Date) => void {
  const check = compileSchema(exactSchema(schema) as JsonSchema)
  return ({ data = null, mirror }, now) => {
    // The JSON text is checked because it is what is sent: members that are undefined are not in it.
    const served = JSON.parse(mirror === undefined ? JSON.stringify(data) : finishMirror(mirror, now)) as JsonValue
    const issues = check(served)
    if (issues.length === 0) return
    const places = issues.map(({ pointer, message }) => `  /${pointer.join('/')}: ${message}`)
    throw new ReplyFault(
      [`The handler \`${handler}\` answered with what its reply schema does not describe.`, ...places].join('\n')
    )
  }
}
