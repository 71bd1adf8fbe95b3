import t from 'tap'
import { finishMirror } from '../../../core/contract/math-mirror.ts'
import { compileSchema } from '../../../core/schema/compile.ts'
import { cardDocument, cardMirror, normalBody, otherMirror } from '../../../surfaces/cards/documents/card.ts'
import { encodingDocument } from '../../../surfaces/cards/documents/encoding.ts'
import { card as cardHandler } from '../../../surfaces/handlers/universal.ts'
import { Rarities } from '../../../surfaces/cards/rarities.ts'
import { awkward, zoro, zoroParallel } from './facts.ts'
import { canonical, contentHash, selfHash, type Document } from './recompute.ts'

const encodingId = 'pantry-cards/universal/v1'
const now = new Date('2026-11-20T00:00:00.000Z')
const setHash = 'a'.repeat(64)
const gameHash = 'b'.repeat(64)
const encoding = JSON.parse(finishMirror(encodingDocument(encodingId), now)) as unknown
const rarities = new Rarities(new Map([['op', { basis: 'A list.', tiers: [['C'], ['L']] }]]), ({ rarity }) =>
  rarity === 'L' ? { share: [1, 16], basis: 'A page.' } : { reason: 'Unknown.' }
)
const rowOf = (card: typeof zoro, hashes: object = {}) => ({
  ...cardDocument(card),
  set_hash: setHash,
  game_hash: gameHash,
  game: card.game,
  set_code: card.set_code,
  lang: card.lang,
  rarity: card.rarity,
  ...hashes
})
const finished = (card: typeof zoro) =>
  finishMirror(cardMirror(rowOf(card), rarities.textOf(card), encodingId, now), now)
const read = (card: typeof zoro) => JSON.parse(finished(card)) as Document

t.test('the content hash has its vector', t => {
  t.equal(cardDocument(zoro).contentHash, 'ec9463e692e80472dea4fbd4d524e73fe2c29f7d8947376f78419979609b2b4c')
  t.end()
})

t.test('the content hash does not depend on how an upstream writes the code of the set', t => {
  t.equal(cardDocument({ ...zoro, set_code: 'Op01' }).contentHash, cardDocument(zoro).contentHash)
  t.end()
})

t.test('the content hash depends on structural identity only', t => {
  const { contentHash: hash } = cardDocument(zoro)
  t.equal(cardDocument({ ...zoro, name: 'Other', rarity: 'C', attributes: null, sources: [] }).contentHash, hash)
  for (const change of [{ sku: 'x' }, { game: 'x' }, { set_code: 'x' }, { card_number: 'x' }, { variant: 'x' }]) {
    t.not(cardDocument({ ...zoro, ...change }).contentHash, hash, JSON.stringify(change))
  }
  t.end()
})

for (const card of [zoro, zoroParallel, awkward]) {
  t.test(`a stored card made whole again: ${card.sku}`, t => {
    const text = finished(card)
    const document = read(card)
    t.equal(text, canonical(document), 'is canonical text')
    t.equal(document['@self_hash'], selfHash(document))
    t.equal(
      document['@content_hash'],
      contentHash(document, encoding),
      'its hash follows from the document and the encoding document'
    )
    t.equal(document['@encoding'], encodingId)
    t.match(document, {
      in_set: { target_hash: setHash, target_natural_token: 'op01' },
      of_game: { target_hash: gameHash },
      price: null,
      image_url: null
    })
    t.same((document['name'] as Document)['natural_token'], card.name)
    t.same(compileSchema(cardHandler.reply)(document), [], 'has the declared shape')
    t.end()
  })
}

t.test('the rarity of a document is what is computed of it', t => {
  t.same(read(zoro)['rarity'], {
    natural_label: 'L',
    ratio_in_pulls: { numerator: 1, denominator: 16 },
    decimal_probability: 0.0625,
    pulls_basis: 'A page.',
    position_in_ordered_rarities: { ordering: [['C'], ['L']], position: 2, of: 2 },
    position_basis: 'A list.'
  })
  t.match(read({ ...zoro, rarity: 'P' })['rarity'], {
    natural_label: 'P',
    ratio_in_pulls: null,
    decimal_probability: null,
    pulls_basis: 'Unknown.',
    position_in_ordered_rarities: null,
    position_basis: /leaves this rarity out/
  })
  t.match(read({ ...zoro, game: 'dm' })['rarity'], { position_in_ordered_rarities: null, position_basis: /No order/ })
  t.equal(read(awkward)['rarity'], null)
  t.end()
})

t.test('no variant is null in the document, a variant is named', t => {
  t.equal(read(zoro)['variant'], null)
  t.same(read(zoroParallel)['variant'], { natural_label: 'p1', is_default: false })
  t.end()
})

t.test('the language of a name is its own, not the one of the printing', t => {
  const nameOf = (card: typeof zoro) => read(card)['name']
  t.match(nameOf(zoroParallel), {
    natural_token: 'ロロノア・ゾロ',
    resolved_lang: 'ja',
    resolved_from: 'default',
    available_languages: ['en', 'fr', 'ja']
  })
  t.match(nameOf({ ...zoro, name: 'Zoro', name_translations: { en: 'Zoro' } }), {
    natural_token: 'Zoro',
    resolved_lang: 'en',
    available_languages: ['en']
  })
  t.match(nameOf({ ...zoro, name: 'Zoro', name_translations: { fr: 'Zoro', en: 'Zoro', ja: 'Zoro' } }), {
    natural_token: 'Zoro',
    resolved_lang: 'ja',
    available_languages: ['en', 'fr', 'ja']
  })
  t.match(
    nameOf({ ...zoro, name: 'Zoro', name_translations: null }),
    { natural_token: 'Zoro', resolved_lang: null, available_languages: [] },
    'unknown is null'
  )
  t.match(nameOf({ ...zoro, name: null, name_translations: { en: 'Zoro' } }), {
    natural_token: null,
    resolved_lang: null,
    resolved_from: 'missing',
    available_languages: ['en'],
    fallback_chain: [{ lang: 'default', available: false }]
  })
  t.end()
})

t.test('links carry what a path needs escaped', t => {
  const document = read({ ...zoro, game: 'op', set_code: 'A/B ★', sku: 'op-a~2fb.~e2~98~85-001-ja' })
  t.match(document['_links'], {
    canonical: '/api/v1/universal/card/op-a~2fb.~e2~98~85-001-ja',
    parent: '/api/v1/universal/set/a%2Fb%20%E2%98%85?game=op',
    federation: `/api/v1/federation/identify/${cardDocument({ ...zoro, set_code: 'A/B ★', sku: 'op-a~2fb.~e2~98~85-001-ja' }).contentHash}`,
    temporal: '/api/at/2026-11-20/card/op-a~2fb.~e2~98~85-001-ja'
  })
  t.end()
})

t.test('the entity tag follows the card, its set, its game and what is computed of its rarity', t => {
  const etag = (more: object, rarity = rarities.textOf(zoro)) =>
    cardMirror(rowOf(zoro, more), rarity, encodingId, now).etag
  const tags = [
    etag({}),
    etag({ set_hash: 'c'.repeat(64) }),
    etag({ game_hash: 'c'.repeat(64) }),
    etag(cardDocument({ ...zoro, name: 'Other' })),
    etag(cardDocument({ ...zoro, rarity: 'C' })),
    etag({}, rarities.textOf({ ...zoro, rarity: 'C' }))
  ]
  t.equal(new Set(tags).size, tags.length)
  t.end()
})

t.test('the day changes the link to the dated document and leaves the entity tag as it is', t => {
  const [one, other] = ['2026-11-20T23:59:59.999Z', '2026-11-21T00:00:00.000Z'].map(time =>
    cardMirror(rowOf(zoro), rarities.textOf(zoro), encodingId, new Date(time))
  )
  t.equal(one?.etag, other?.etag)
  t.match(one?.after, '/api/at/2026-11-20/card/op-op01-001-ja')
  t.equal(one?.after.replace('/at/2026-11-20/', '/at/2026-11-21/'), other?.after)
  t.end()
})

t.test('a document that is put together again equals the stored one', t => {
  const hashes = { contentHash: cardDocument(awkward).contentHash, setHash, gameHash }
  const made = otherMirror(
    awkward,
    date => normalBody(awkward, hashes, { date, wanted: [], rarity: rarities.of(awkward) }),
    encodingId,
    now
  )
  t.equal(finishMirror(made, now), finished(awkward))
  const marked = { ...zoro, name: '"temporal":"/api/at/\u0001/' }
  const again = otherMirror(
    marked,
    date =>
      normalBody(
        marked,
        { ...hashes, contentHash: cardDocument(marked).contentHash },
        { date, wanted: [], rarity: rarities.of(marked) }
      ),
    encodingId,
    now
  )
  t.equal(finishMirror(again, now), finished(marked), 'also when a fact looks like the place of the date')
  t.end()
})

t.test('a fact without a canonical form is refused', t => {
  t.throws(() => cardDocument({ ...zoro, name: '\u0001' }), /control character/)
  t.throws(() => cardDocument({ ...zoro, name: 'a\ud800' }), TypeError)
  t.equal(
    (read({ ...zoro, name: 'a\u0001b' })['name'] as Document)['natural_token'],
    'a\u0001b',
    'a control character inside a text is only text'
  )
  t.end()
})
