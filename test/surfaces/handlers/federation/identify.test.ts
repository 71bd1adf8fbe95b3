import t from 'tap'
import { SurfaceError } from '../../../../core/handler/errors.ts'
import { identify } from '../../../../surfaces/handlers/federation.ts'
import { card } from '../../../../surfaces/handlers/universal.ts'
import { catalogueOf } from '../../cards/ask.ts'
import { cards, games, sets } from '../../cards/catalogue-rows.ts'
import { cardContentHash } from '../../../../surfaces/cards/documents/card.ts'
import { gameContentHash, setContentHash } from '../../../../surfaces/cards/documents/sets-and-games.ts'

const { ask } = await catalogueOf(t)
const answer = async (hash: string) => (await ask(identify, { params: { hash } })).document

t.test('every current hash resolves to what it names', async t => {
  for (const held of cards) {
    t.match(await answer(cardContentHash(held)), {
      matched: true,
      sku: held.sku,
      universal_url: `/api/v1/universal/card/${held.sku}`,
      resolved: { kind: 'card', game: held.game },
      scope: { rows_examined: 1, limit: 5000 }
    })
  }
  for (const held of sets) {
    t.match(await answer(setContentHash(held)), {
      matched: true,
      sku: null,
      resolved: { kind: 'set', game: held.game, target_natural_token: held.set_code.toLowerCase() }
    })
  }
  for (const held of games)
    t.match(await answer(gameContentHash(held)), {
      matched: true,
      sku: null,
      resolved: { kind: 'game', target_natural_token: held.game }
    })
})

t.test('many lookups at once give each its own answer', async t => {
  const asked = [...cards, ...cards].map(async held => (await answer(cardContentHash(held)))['sku'])
  t.same(
    await Promise.all(asked),
    [...cards, ...cards].map(held => held.sku)
  )
})

t.test('the written form of a hash does not matter', async t => {
  const hash = 'ec9463e692e80472dea4fbd4d524e73fe2c29f7d8947376f78419979609b2b4c'
  for (const form of [hash, hash.toUpperCase(), `sha256:${hash}`, `SHA256:${hash.toUpperCase()}`]) {
    t.match(await answer(form), { matched: true, sku: 'op-op01-001-ja', query: { hash } }, form)
  }
})

t.test('a hash that names nothing is a complete answer', async t => {
  const document = await answer('0'.repeat(64))
  t.match(document, {
    matched: false,
    resolved: null,
    sku: null,
    universal_url: null,
    scope: { rows_examined: 0, limit: 5000 }
  })
  t.type(document['suggestion'], 'string')
})

t.test('a self hash does not resolve', async t => {
  const { document } = await ask(card, { params: { sku: 'op-op01-001-ja' }, query: {} })
  t.match(await answer(document['@self_hash'] as string), { matched: false })
})

t.test('anything else is refused with the form that is expected', async t => {
  for (const hash of [
    '1eb7',
    'g'.repeat(64),
    'a'.repeat(63),
    'a'.repeat(65),
    `sha512:${'a'.repeat(64)}`,
    `sha256:sha256:${'a'.repeat(64)}`,
    `${'a'.repeat(64)}\n`,
    ' '
  ]) {
    const error = await answer(hash).then(
      () => undefined,
      (failure: unknown) => failure
    )
    t.ok(
      error instanceof SurfaceError && error.code === 'INVALID_INPUT' && error.details?.['field'] === 'hash',
      JSON.stringify(hash)
    )
  }
})
