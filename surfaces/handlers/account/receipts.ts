import { closed, invalid, notFound, reply, Type } from 'pantry/handler'
import { defineHandler } from '../../define.ts'
import { personOf } from '../../people/callers.ts'
import { AccountReceipt, noticeVersion, publicationNames } from '../../people/receipts.ts'
import { Done } from '../../people/schemas.ts'

/** Gives a publication receipt: the caller's explicit consent to publish a scope under a version of the notice. */
export const post = defineHandler({
  body: {
    schema: closed({
      scope: Type.Enum(publicationNames, { description: 'What may be public.' }),
      notice_version: Type.String({ maxLength: 20, description: 'Version of the notice that you have read.' })
    }),
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

export const withdrawPost = defineHandler({
  params: Type.Object({ scope: Type.Enum(publicationNames, { description: 'What is no longer public.' }) }),
  reply: Done,
  async handle({ params: { scope }, caller }, { receipts }) {
    if (!(await receipts.withdraw(personOf(caller), scope))) throw notFound('current receipt for', scope)
    return reply({ done: 'It is no longer public.' })
  }
})
