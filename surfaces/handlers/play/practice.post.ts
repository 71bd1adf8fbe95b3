import { reply } from 'pantry/handler'
import { defineHandler } from '../../define.ts'
import { Starter } from '../../play/deck-rules.ts'
import { referee } from '../../play/practice/referee.ts'
import { ReplySchema, RequestSchema } from '../../play/practice/schemas.ts'

/** The request carries the state of the match, so a move neither reads the database nor stores anything. */
export default defineHandler({
  corpora: { 'play-decks': Starter },
  body: { schema: RequestSchema, limitBytes: 65_536 },
  reply: ReplySchema,
  handle: async ({ body, corpora, pathTo }, { printings, practiceSeal }) =>
    reply(await referee(body, corpora['play-decks'].entries, { printings, practiceSeal, pathTo }), {
      headers: { 'Cache-Control': 'no-store' }
    })
})
