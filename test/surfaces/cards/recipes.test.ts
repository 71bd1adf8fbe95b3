import t from 'tap'
import { seedOf } from '../../../surfaces/cards/documents/parts.ts'
import { gameContentHash, setContentHash } from '../../../surfaces/cards/documents/sets-and-games.ts'
import { op, op01 } from './facts.ts'
import { sha256 } from './recompute.ts'

t.test('a set hashes to its vector', t => {
  t.equal(setContentHash(op01), 'ddf43df7e7547d050bf96421b525f88c7bbf636b49d4b3027073d03a104ac74f')
  t.end()
})

t.test('absent dates and totals are null in the hashed object', t => {
  t.equal(
    setContentHash({ ...op01, released_on: null, declared_total: null }),
    sha256('{"game":"op","imported_card_count":4,"released_at":null,"set_code":"op01","total_cards":null}')
  )
  t.equal(gameContentHash(op), sha256('{"declared_card_count":null,"game":"op","imported_card_count":5,"set_count":2}'))
  t.end()
})

t.test('a document that lacks a member of its recipe is refused by name', t => {
  t.throws(() => seedOf('sets_collection', { count: 0, game: 'op' }), /`\/sets`/)
  t.end()
})
