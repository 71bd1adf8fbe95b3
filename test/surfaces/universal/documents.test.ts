import t from 'tap'
import { compileSchema } from '../../../core/schema/compile.ts'
import { SurfaceError } from '../../../core/handler/errors.ts'
import { card, encoding, game, games, set, sets } from '../../../surfaces/handlers/universal.ts'
import cardAt from '../../../surfaces/handlers/at/card.ts'
import { completeness } from '../../../surfaces/handlers/sets.ts'
import { at, identify } from '../../../surfaces/handlers/federation.ts'
import { catalogueOf } from '../cards/ask.ts'
import { canonical, contentHash, selfHash, type Document } from '../cards/recompute.ts'

const { ask, encoding: spec, database } = await catalogueOf(t)
type Edge = { target_natural_token: string; target_hash: string; _links: { canonical: string } }
type Field = { name: string; kinds: string[] }

const requests = {
  games: [games, {}],
  'sets of a game': [sets, { params: { game: 'op' } }],
  'one set': [set, { params: { code: 'op01' }, query: {} }],
  'an ambiguous code': [set, { params: { code: 'st01' }, query: {} }],
  'one game': [game, { params: { token: 'op' } }],
  'a card, normal': [card, { params: { sku: 'op-op01-001-ja-p1' }, query: {} }],
  'a card, sparse': [card, { params: { sku: 'op-op01-001-ja-p1' }, query: { density: 'sparse' } }],
  'a card, saturated': [card, { params: { sku: 'op-op01-001-ja-p1' }, query: { density: 'saturated' } }],
  'the encoding': [encoding, {}],
  'a known hash': [identify, { params: { hash: 'ec9463e692e80472dea4fbd4d524e73fe2c29f7d8947376f78419979609b2b4c' } }],
  'an unknown hash': [identify, { params: { hash: 'f'.repeat(64) } }],
  'a card in a language': [card, { params: { sku: 'op-op01-001-ja-p1' }, query: { lang: 'fr' } }],
  'a card under a date': [cardAt, { params: { date: '2026-05-01', sku: 'op-op01-001-ja-p1' } }],
  'a known hash under a date': [
    at,
    { params: { date: '2026-05-01', hash: 'ec9463e692e80472dea4fbd4d524e73fe2c29f7d8947376f78419979609b2b4c' } }
  ],
  'an unknown hash under a date': [at, { params: { date: '2026-05-01', hash: 'f'.repeat(64) } }]
} as const

for (const [name, [handler, given]] of Object.entries(requests)) {
  t.test(`${name}: a reader can check the document with the encoding document alone`, async t => {
    const { reply, text, document } = await ask(handler, given)
    t.equal(document['@self_hash'], selfHash(document))
    t.equal(document['@content_hash'], contentHash(document, spec))
    t.same(compileSchema(handler.reply)(document), [], 'has the declared shape')
    t.match(reply.mirror?.etag, /^[0-9a-f]{32}$/)
    t.equal(text, canonical(document), 'is canonical text')
    const kind = document['@kind'] as string
    const described = [
      ...(spec['preamble'] as Field[]),
      ...(spec['body_fields'] as Field[]).filter(field => field.kinds.includes(kind))
    ].map(field => field.name)
    t.same(
      Object.keys(document).filter(member => !described.includes(member)),
      [],
      'every member is described'
    )
    const links = document['_links'] as Record<string, string | string[] | null> | undefined
    if (links === undefined) return
    const [path, pointer = ''] = (links['kind_definition'] as string).split('#')
    t.equal(path, '/api/v1/universal/encoding')
    t.match(
      (spec['kinds'] as Document[])[Number(pointer.replace('/kinds/', ''))],
      { name: kind },
      'leads to what its kind is'
    )
    t.notOk((links['connections'] as string[]).includes('/api/v1/graph'), 'and to what concerns it')
  })
}

t.test('edges agree: a target hash is the content hash of its target', async t => {
  const { document: oneCard } = await ask(card, { params: { sku: 'op-op01-002-ja' }, query: {} })
  const { document: oneSet } = await ask(set, { params: { code: 'op01' }, query: {} })
  const { document: oneGame } = await ask(game, { params: { token: 'op' } })
  const { document: allGames } = await ask(games)
  const { document: allSets } = await ask(sets, { params: { game: 'op' } })
  const hash = (document: Document) => document['@content_hash']
  const target = (list: unknown, token: string) =>
    (list as Edge[]).find(edge => edge.target_natural_token === token)?.target_hash
  t.equal((oneCard['in_set'] as Edge).target_hash, hash(oneSet))
  t.equal((oneCard['of_game'] as Edge).target_hash, hash(oneGame))
  t.equal((oneSet['of_game'] as Edge).target_hash, hash(oneGame))
  t.equal((allSets['of_game'] as Edge).target_hash, hash(oneGame))
  t.equal(target(oneSet['cards'], 'op-op01-002-ja'), hash(oneCard))
  t.equal(target(allSets['sets'], 'op01'), hash(oneSet))
  t.equal(target(oneGame['recent_sets'], 'op01'), hash(oneSet))
  t.equal(target(allGames['games'], 'op'), hash(oneGame))
  for (const document of [oneCard, oneSet, oneGame])
    t.equal((document['_links'] as Document)['federation'], `/api/v1/federation/identify/${hash(document) as string}`)
})

t.test('lists have one order', async t => {
  const tokens = (list: unknown) => (list as Edge[]).map(edge => edge.target_natural_token)
  t.same(tokens((await ask(games)).document['games']), ['dm', 'op'])
  t.same(tokens((await ask(sets, { params: { game: 'op' } })).document['sets']), ['op01', 'st01'], 'undated sets last')
  t.same(tokens((await ask(game, { params: { token: 'op' } })).document['recent_sets']), ['op01'], 'of a known day')
  t.same(tokens((await ask(set, { params: { code: 'OP01' }, query: {} })).document['cards']), [
    'op-op01-001-en',
    'op-op01-001-ja',
    'op-op01-001-ja-p1',
    'op-op01-002-ja',
    'op-op01-010-ja'
  ])
})

t.test(
  'a game has the name that people call it by, and a link to its other names; one without an entry has none',
  async t => {
    const { document: all } = await ask(games)
    const names = '/api/v1/games/op'
    t.match(all['games'], [
      { target_natural_token: 'dm', name: null, _links: { names: null } },
      { target_natural_token: 'op', name: 'One Piece Card Game', _links: { names } }
    ])
    t.ok((all['_links'] as { connections: string[] }).connections.includes('/api/v1/games'))
    const { document: one } = await ask(game, { params: { token: 'op' } })
    t.equal(one['name'], 'One Piece Card Game')
    t.ok((one['_links'] as { connections: string[] }).connections.includes(names))
    t.equal((await ask(game, { params: { token: 'dm' } })).document['name'], null)
  }
)

t.test('a list of sets says how it is ordered, and no set is recent without a day of release', async t => {
  const said = async () => {
    const [all, one] = [await ask(sets, { params: { game: 'op' } }), await ask(game, { params: { token: 'op' } })]
    const tokens = (list: unknown) => (list as Edge[]).map(edge => edge.target_natural_token)
    const { order, sets: listed } = all.document
    const { recent_sets: recent, recent_sets_basis: basis } = one.document
    return [order, tokens(listed), tokens(recent), basis]
  }
  t.match(await said(), [/^By day of release/, ['op01', 'st01'], ['op01'], /^By day of release/])
  await database.knex('sets').where('game', 'op').update({ released_on: null })
  t.match(await said(), [/^By set code/, ['op01', 'st01'], [], /^No source gives the day/])
  await database.knex('sets').where('code', 'OP01').update({ released_on: '2022-07-22' })
})

t.test('letter case of tokens, codes and identifiers does not matter', async t => {
  t.equal((await ask(game, { params: { token: 'OP' } })).document['game'], 'op')
  t.equal((await ask(sets, { params: { game: 'Op' } })).document['game'], 'op')
  t.equal((await ask(set, { params: { code: 'oP01' }, query: {} })).document['set_code'], 'op01')
  for (const density of ['sparse', 'normal', 'saturated']) {
    t.equal(
      (await ask(card, { params: { sku: 'OP-OP01-001-JA' }, query: { density } })).document['sku'],
      'op-op01-001-ja'
    )
  }
})

t.test('a set has its canonical code, and beside it how the upstream writes it, wherever it is named', async t => {
  const named = { set_code: 'op01', printed_code: 'OP01' }
  const of = { target_natural_token: 'op01', ...named, name: 'First', total_cards: 121, released_at: '2022-07-22' }
  t.match((await ask(sets, { params: { game: 'op' } })).document['sets'], [
    of,
    { set_code: 'st01', name: 'Starter', released_at: null }
  ])
  t.match((await ask(game, { params: { token: 'op' } })).document['recent_sets'], [of])
  const { document: one } = await ask(set, { params: { code: 'op01' }, query: {} })
  t.match(one, {
    ...named,
    name: 'First',
    completeness: {
      held_numbers: 3,
      declared_total: 121,
      total_counts: 'unknown',
      ratio: null,
      decimal: null,
      basis: /copies in a deck/
    }
  })
  t.match((await ask(set, { params: { code: 'st01' }, query: { game: 'op' } })).document['completeness'], {
    ratio: null,
    decimal: null,
    basis: /No source declares/
  })
  t.match(one['cards'], [{ target_natural_token: 'op-op01-001-en', name: 'Zoro' }])
  for (const density of ['normal', 'saturated']) {
    t.match((await ask(card, { params: { sku: 'op-op01-001-ja' }, query: { density } })).document, {
      ...named,
      in_set: { target_natural_token: 'op01' }
    })
  }
  t.match(
    (await ask(card, { params: { sku: 'op-op01-001-ja' }, query: { density: 'saturated' } })).document['neighbours'],
    { set: { target_natural_token: 'op01' } }
  )
})

t.test('a total is compared with numbers only where it counts numbers', async t => {
  const seen = async (highest: number) => {
    const { rows } = await database.knex.raw<{ rows: { id: number }[] }>("select id from sets where code = 'OP01'")
    const numbers = { set_id: rows[0]?.id, lowest: 1, highest, unseen: 0, gaps: '[]' }
    await database.knex('set_numbers').insert(numbers).onConflict('set_id').merge()
    const { document } = await ask(set, { params: { code: 'op01' }, query: {} })
    const { document: all } = await ask(completeness)
    return [document['completeness'], (all['games'] as Document[]).find(({ game }) => game === 'op')]
  }
  const none = { sets_compared: 0, sets_left_out: 1, held_numbers: 0, declared_total: 0, decimal: null }
  t.match(await seen(120), [{ total_counts: 'unknown', ratio: null, decimal: null, basis: /copies in a deck/ }, none])
  const decimal = 0.02479338843
  t.match(await seen(121), [
    { total_counts: 'numbers', ratio: { numerator: 3, denominator: 121 }, decimal },
    { sets_compared: 1, sets_left_out: 0, held_numbers: 3, declared_total: 121, decimal }
  ])
})

t.test('a code of several games answers with the choices, and each choice leads to its set', async t => {
  const { reply, document } = await ask(set, { params: { code: 'ST01' }, query: {} })
  t.equal(reply.status, 300)
  t.same(
    (document['choices'] as (Edge & { game: string })[]).map(choice => choice.game),
    ['dm', 'op']
  )
  for (const choice of document['choices'] as Edge[]) {
    const url = new URL(choice._links.canonical, 'http://x')
    const { document: chosen } = await ask(set, {
      params: { code: url.pathname.split('/').pop() ?? '' },
      query: { game: url.searchParams.get('game') ?? '' }
    })
    t.equal(chosen['@content_hash'], choice.target_hash)
  }
})

t.test('the three densities are one card', async t => {
  const read = async (density?: string) =>
    (await ask(card, { params: { sku: 'op-op01-001-ja-p1' }, query: density === undefined ? {} : { density } }))
      .document
  const [sparse, normal, saturated] = [await read('sparse'), await read(), await read('saturated')]
  t.equal(sparse['@content_hash'], normal['@content_hash'])
  t.equal(saturated['@content_hash'], normal['@content_hash'])
  t.same([sparse['@density'], normal['@density'], saturated['@density']], ['sparse', 'normal', 'saturated'])
  t.notOk('_links' in sparse || 'name' in sparse)
  t.same((saturated['name'] as Document)['translations'], { en: 'Zoro', fr: 'Zoro', ja: 'ロロノア・ゾロ' })
  t.match(saturated['neighbours'], {
    set: { set_name: 'First', released_at: '2022-07-22', target_hash: (normal['in_set'] as Edge).target_hash }
  })
  const changed = ['@density', '@self_hash', 'name', 'neighbours']
  t.same(
    Object.keys(saturated).filter(name => canonical(saturated[name] ?? null) !== canonical(normal[name] ?? null)),
    changed,
    'saturated changes nothing else'
  )
})

t.test('what is withheld stays null', async t => {
  const { document } = await ask(card, { params: { sku: 'op-op01-001-ja' }, query: {} })
  t.match(document, { price: null, image_url: null, rights: { aggregate: 'NOASSERTION' } })
  t.match(document['publication_boundary'], { price: /^withheld/, image: /^withheld/ })
})

t.test('what is not held is named', async t => {
  const fails = async (asked: Promise<unknown>, what: RegExp) => {
    const error = await asked.then(
      () => undefined,
      (failure: unknown) => failure
    )
    t.ok(error instanceof SurfaceError && error.code === 'NOT_FOUND' && what.test(error.message), String(error))
  }
  await fails(ask(card, { params: { sku: 'op-op01-999-ja' }, query: {} }), /card `op-op01-999-ja`/)
  await fails(ask(card, { params: { sku: 'op-op01-999-ja' }, query: { density: 'sparse' } }), /card `op-op01-999-ja`/)
  await fails(ask(set, { params: { code: 'XX' }, query: {} }), /set `XX`/)
  await fails(ask(set, { params: { code: 'OP01' }, query: { game: 'dm' } }), /game `dm`.*`OP01`/)
  await fails(ask(sets, { params: { game: 'xx' } }), /game with imported sets `xx`/)
  await fails(ask(game, { params: { token: 'xx' } }), /game `xx`/)
})
