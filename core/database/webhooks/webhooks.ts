import { randomBytes } from 'node:crypto'
import type { Knex } from 'knex'
import type { JsonObject } from '../../canonical/json.ts'
import { compileSchema } from '../../schema/compile.ts'
import { webhookTypeForm, type WebhookTypes } from './types.ts'

/** What the services of a root get to tell others what has changed. */
export type Webhooks = Readonly<{
  /**
   * Writes a message for all who asked for its type, in the transaction of the change: both are kept or neither. It is
   * sent afterwards, in the background. Throws a TypeError for a type that is not declared, and for other data.
   */
  tell: (transaction: Knex.Transaction, type: string, data: JsonObject) => Promise<void>
}>

/** Returns an id of 144 random bits. */
export const newId = (kind: 'msg' | 'hook'): string => `${kind}_${randomBytes(18).toString('base64url')}`

/** Whether an endpoint is told about a type. */
const isAsked = "e.disabled_at is null and (e.types = '{}' or ? = any(e.types))"

export function openWebhooks(types: WebhookTypes): Webhooks {
  const checks = new Map(
    Object.entries(types).map(([type, schema]) => {
      if (!webhookTypeForm.test(type))
        throw new TypeError(
          `\`${type}\` is no type of a webhook. Write words with full stops, such as \`loan.returned\`.`
        )
      return [type, compileSchema({ ...schema })]
    })
  )
  return {
    tell: async (transaction, type, data) => {
      const check = checks.get(type)
      if (check === undefined)
        throw new TypeError(
          `\`${type}\` is not declared in surfaces/webhooks.ts. Declared: ${[...checks.keys()].join(', ') || 'nothing'}.`
        )
      const [issue] = check(data)
      if (issue !== undefined)
        throw new TypeError(`The data of \`${type}\` is another: /${issue.pointer.join('/')} (${issue.rule}).`)
      await transaction.raw(
        `with told as (
          insert into pantry_webhook_messages (id, type, data)
          select ?, ?, ? where exists (select from pantry_webhook_endpoints e where ${isAsked}) returning id
        )
        insert into pantry_webhook_deliveries (message, endpoint)
        select told.id, e.id from told, pantry_webhook_endpoints e where ${isAsked}`,
        [newId('msg'), type, JSON.stringify(data), type, type]
      )
    }
  }
}
