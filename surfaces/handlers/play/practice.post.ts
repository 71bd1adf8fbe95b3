import { reply } from 'pantry/handler'
import { defineHandler } from '../../define.ts'
import { referee } from '../../play/practice/referee.ts'
import { ReplySchema, RequestSchema } from '../../play/practice/schemas.ts'
import { Starter } from '../../play/practice/starters.ts'

/**
 * Referees a practice match against the built-in opponent. The caller carries the match: a move neither reads a
 * database nor keeps state. The rules are those of the tutorial; what is not played is said in every answer.
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
