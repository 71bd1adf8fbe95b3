import type { JsonSchema, JsonValue } from '../canonical/json.ts'
import { finishMirror } from '../contract/math-mirror.ts'
import type { Reply } from '../handler/handler.ts'
import { compileSchema } from '../schema/compile.ts'
import { exactSchema } from '../schema/exact-schema.ts'

/**
 * A handler answered with something that its `reply` schema does not describe. Its message names the handler and every
 * place.
 */
export class ReplyFault extends Error {
  override readonly name = 'ReplyFault'
}

/**
 * Checks the replies of one handler against its schema, every member included. Throws a ReplyFault. For development and
 * tests: it takes time.
 */
export function compileReplyCheck(handler: string, schema: JsonSchema): (reply: Reply, now: Date) => void {
  const check = compileSchema(exactSchema(schema) as JsonSchema)
  return ({ data = null, mirror }, now) => {
    // What is served is the text: members that are undefined are not in it.
    const served = JSON.parse(mirror === undefined ? JSON.stringify(data) : finishMirror(mirror, now)) as JsonValue
    const issues = check(served)
    if (issues.length === 0) return
    const places = issues.map(({ pointer, message }) => `  /${pointer.join('/')}: ${message}`)
    throw new ReplyFault(
      [`The handler \`${handler}\` answered with what its reply schema does not describe.`, ...places].join('\n')
    )
  }
}
