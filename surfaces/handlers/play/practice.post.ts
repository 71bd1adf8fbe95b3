import { reply } from 'pantry/handler'
import { defineHandler } from '../../define.ts'
import { Starter } from '../../play/deck-rules.ts'
import { referee } from '../../play/practice/referee.ts'
import { ReplySchema, RequestSchema } from '../../play/practice/schemas.ts'

/**
 * Plays one step of a practice match. The request carries its state, so a move stores nothing, and reads only the
 * secret of the seal from the database, once per process.
 */
export default defineHandler({
  corpora: { 'play-decks': Starter },
  body: { schema: RequestSchema, limitBytes: 65_536 },
  reply: ReplySchema,
  handle: async ({ body, corpora, pathTo }, { printings, practiceSeal }) =>
    reply(await referee(body, corpora['play-decks'].entries, { printings, practiceSeal, pathTo }), {
      headers: { 'Cache-Control': 'no-store' }
    })
})
