import { invalid, reply, Type } from 'pantry/handler'
import { defineHandler } from '../../define.ts'
import { personOf } from '../../people/callers.ts'
import { AccountReceipt, noticeVersion, publicationNames } from '../../people/receipts.ts'

/** Gives a publication receipt: the caller's explicit consent to publish a scope under a version of the notice. */
export default defineHandler({
  body: {
    schema: Type.Object(
      {
        scope: Type.Enum(publicationNames, { description: 'What may be public.' }),
        notice_version: Type.String({ maxLength: 20, description: 'Version of the notice that you have read.' })
      },
      { additionalProperties: false }
    ),
    limitBytes: 512
  },
  reply: AccountReceipt,
  async handle({ body: { scope, notice_version: version }, caller }, { receipts }) {
    if (version !== noticeVersion)
      throw invalid('notice_version', 'The notice has another version now. Please read it, and agree to that one.', [
        noticeVersion
      ])
    return reply(await receipts.give(personOf(caller), scope, version))
  }
})
