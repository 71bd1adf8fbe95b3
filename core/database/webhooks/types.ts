import type { TSchema } from 'typebox'
import { isObject, type JsonSchema } from '../../canonical/json.ts'
import type { Diagnostic } from '../../diagnostics/diagnostic.ts'
import { validateSchema } from '../../schema/compile.ts'
import { reportFile } from '../../source/report.ts'

/** What a root tells about, in `surfaces/webhooks.ts`: the schema of the data by the type of the message. */
export type WebhookTypes = Readonly<Record<string, TSchema>>

/** The form of a type: words of lowercase letters, digits and underscores with full stops between them. */
export const webhookTypeForm = /^[a-z][a-z0-9_]*(?:\.[a-z0-9_]+)*$/

const typesHint =
  "Write `export default { 'loan.late': Type.Object({ … }) }`: for each type of a message the schema of its data."

function* wrongIn(exported: unknown): Generator<readonly [message: string, hint: string]> {
  if (!isObject(exported) || Array.isArray(exported) || Object.keys(exported).length === 0) {
    yield ['The default export declares no types of messages.', typesHint]
    return
  }
  for (const [type, schema] of Object.entries(exported)) {
    const shown = type.slice(0, 60)
    if (!webhookTypeForm.test(type))
      yield [
        `\`${shown}\` is no type of a message.`,
        'Write words with full stops between them, such as `loan.returned`.'
      ]
    if (!isObject(schema) || Array.isArray(schema)) {
      yield [`\`${shown}\` has no schema.`, typesHint]
      continue
    }
    const json: JsonSchema = { ...schema }
    const [issue] = validateSchema(json)
    if (issue !== undefined)
      yield [`The schema of \`${shown}\` is wrong at /${issue.pointer.join('/')}: ${issue.message}`, typesHint]
    else if (json['type'] !== undefined && json['type'] !== 'object')
      yield [`The data of \`${shown}\` is no object.`, `Write \`'${shown}': Type.Object({ … })\`.`]
  }
}

/**
 * H113: the default export of `surfaces/webhooks.ts` does not declare types of messages with the schemas of their
 * data.
 */
export const webhookProblems = (file: string, exported: unknown): readonly Diagnostic[] =>
  [...wrongIn(exported)].map(wrong => reportFile(file, 'H113', ...wrong))
