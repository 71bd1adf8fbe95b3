import t from 'tap'
import type { SurfaceError } from '../../../../core/handler/errors.ts'
import fields from '../../../../surfaces/handlers/search/fields.ts'
import query from '../../../../surfaces/handlers/search/query.ts'
import { replaceToken } from '../../../../surfaces/cards/search/query-text.ts'
import { bundledDatabase } from '../../../support/bundled.ts'
import { pathTo } from '../../../support/path-to.ts'
import { registryOf } from '../../../support/registry.ts'
import { searchOver } from '../../cards/search/ask-search.ts'

type Match = Readonly<{ sku: string; name: string | null; set_code: string; card_number: string; printings: number }>
type Answer = Readonly<{
  read_as: string
  matches: readonly Match[]
  summary: Readonly<{ count: number; found: number; printings: number; complete: boolean; more: boolean }>
  cut: string | null
  next: string | null
}>
type Held = Readonly<{
  sku: string
  game: string
  set_code: string
  card_number: string
  lang: string
  variant: string
  name: string
  rarity: string | null
  illustrators: readonly string[] | null
  released_on: string | null
  attributes: Readonly<Record<string, unknown>> | null
}>

const { url } = await bundledDatabase(t)
const { ask, database } = await searchOver(t, url)
const { registry } = await registryOf()
const attributes = registry.corpora.get('attributes')!
const search = (q: string, more: Readonly<Record<string, string | number>> = {}) =>
  ask<Answer>(query, { query: { q, ...more }, corpora: { attributes } })

const held = await database
  .bulk('cards')
  .join('sets', 'sets.id', 'cards.set_id')
  .select<Held[]>('cards.*', 'sets.released_on')

/** Returns the matches of all pages. */
async function allOf(q: string, more: Readonly<Record<string, string | number>> = {}): Promise<readonly Match[]> {
  const matches: Match[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const answer: Answer = await search(q, { ...more, ...(cursor === '' ? {} : { cursor }) })
    matches.push(...answer.matches)
    t.equal(answer.summary.complete, true, q)
    cursor = answer.next === null ? null : new URL(answer.next, 'https://x.example').searchParams.get('cursor')
  }
  return matches
}

const of = (card: Held, name: string): readonly unknown[] => [card.attributes?.[name] ?? []].flat()
const has = (card: Held, name: string, value: unknown): boolean => of(card, name).includes(value)
const number = (card: Held, name: string): number => {
  const value = card.attributes?.[name]
  return typeof value === 'number' ? value : NaN
}
const isLuffy = ({ name }: Held): boolean => /\bluffy/i.test(name)
const op = (set: string) => (card: Held) => card.game === 'op' && card.set_code === set

/** Queries, each with the printings that it means among all that are held. */
const table: readonly (readonly [q: string, isMeant: (card: Held) => boolean])[] = [
  ['luffy', isLuffy],
  ['"monkey.d.luffy"', ({ name }) => /\bmonkey\.d\.luffy/i.test(name)],
  ['name=Monkey.D.Luffy', ({ name }) => name === 'Monkey.D.Luffy'],
  ['n:luffy -name=Monkey.D.Luffy', card => isLuffy(card) && card.name !== 'Monkey.D.Luffy'],
  ['set:op05 c:red cost<=3', card => op('OP05')(card) && has(card, 'colours', 'Red') && number(card, 'cost') <= 3],
  [
    'set=OP-05 c:RED cost:2..4',
    card => op('OP05')(card) && has(card, 'colours', 'Red') && number(card, 'cost') >= 2 && number(card, 'cost') <= 4
  ],
  ['s:op05 t:leader', card => op('OP05')(card) && has(card, 'category', 'leader')],
  ['s:op05 t:"straw hat"', card => op('OP05')(card) && of(card, 'types').some(type => /straw hat/i.test(String(type)))],
  ['set:op05 -has:counter', card => op('OP05')(card) && card.attributes?.['counter'] === undefined],
  ['set:op05 cost!=3', card => op('OP05')(card) && of(card, 'cost').length > 0 && !has(card, 'cost', 3)],
  ['set:op05 -cost:3', card => op('OP05')(card) && !has(card, 'cost', 3)],
  ['set:op05 power>6000', card => op('OP05')(card) && number(card, 'power') > 6000],
  ['set:op05 pow:..2000', card => op('OP05')(card) && number(card, 'power') <= 2000],
  [
    'set:op05 (c:red OR c:blue) k:blocker',
    card =>
      op('OP05')(card) &&
      (has(card, 'colours', 'Red') || has(card, 'colours', 'Blue')) &&
      has(card, 'keywords', 'blocker')
  ],
  [
    'set:op05 -(c:red OR c:blue)',
    card => op('OP05')(card) && !has(card, 'colours', 'Red') && !has(card, 'colours', 'Blue')
  ],
  ['set:op05 r:"super rare" l:ja', card => op('OP05')(card) && card.rarity === 'SR' && card.lang === 'ja'],
  ['set:op05 is:variant', card => op('OP05')(card) && card.variant !== ''],
  ['number:OP05-119', ({ card_number: one }) => one === 'OP05-119'],
  ['g:op number:op5-1', ({ card_number: one }) => one === 'OP05-001'],
  ['luffy number:119', card => isLuffy(card) && /(?:^|-)0*119$/.test(card.card_number)],
  ['luffy set:op05', card => isLuffy(card) && op('OP05')(card)],
  ['(luffy OR zoro) set:op01', card => op('OP01')(card) && (isLuffy(card) || /\bzoro/i.test(card.name))],
  [
    'luffy c:red OR set:op01 t:leader',
    card => (isLuffy(card) && has(card, 'colours', 'Red')) || (op('OP01')(card) && has(card, 'category', 'leader'))
  ],
  ['pikachu year:2024', ({ name, released_on: day }) => /\bpikachu/i.test(name) && day?.startsWith('2024') === true],
  [
    'pikachu released>=2025-01',
    ({ name, released_on: day }) => /\bpikachu/i.test(name) && day !== null && day >= '2025-01'
  ],
  ['snatch g:fab', ({ name, game }) => game === 'fab' && /\bsnatch/i.test(name)],
  ['snatch pitch:1..2', card => /\bsnatch/i.test(card.name) && number(card, 'pitch') <= 2]
]

t.test('a query finds the printings that are meant, and all of them', async t => {
  for (const [q, isMeant] of table) {
    const wanted = held.filter(isMeant).map(({ sku }) => sku)
    t.ok(wanted.length > 0 && wanted.length <= 2000, `${q}: something is meant`)
    const found = (await allOf(q, { by: 'printing', limit: 100 })).map(({ sku }) => sku)
    t.same([...found].sort(), wanted.sort(), q)
  }
})

t.test('the illustrators are asked for by words of their names', async t => {
  const drawn = held.find(({ illustrators }) => illustrators?.some(name => /^[A-Za-z]{4,} [A-Za-z]{4,}$/.test(name)))!
  const [artist = ''] = drawn.illustrators ?? []
  const found = await allOf(`set=${drawn.set_code} g:${drawn.game} artist:"${artist.toUpperCase()}"`, {
    by: 'printing',
    limit: 100
  })
  const meant = held.filter(
    ({ game, set_code: set, illustrators }) =>
      game === drawn.game && set === drawn.set_code && illustrators?.includes(artist)
  )
  t.same(found.map(({ sku }) => sku).sort(), meant.map(({ sku }) => sku).sort(), artist)
})

t.test('by card, printings of a number are one match', async t => {
  const cards = await allOf('set:op05 c:red', { limit: 100 })
  const meant = held.filter(card => op('OP05')(card) && has(card, 'colours', 'Red'))
  t.equal(new Set(cards.map(({ card_number: one }) => one)).size, cards.length)
  for (const { card_number: one, printings } of cards)
    t.equal(printings, meant.filter(card => card.card_number === one).length, one)
  t.equal(
    cards.reduce((sum, { printings }) => sum + printings, 0),
    meant.length
  )
})

t.test('pages are disjoint and complete, in every order', async t => {
  for (const q of [
    'luffy',
    'luffy sort:cost',
    'luffy sort:-power sort:colours',
    'set:op05 sort:-counter',
    'g:fab number:MST25 sort:-year'
  ]) {
    for (const by of ['card', 'printing']) {
      const whole = (await allOf(q, { by, limit: 100 })).map(({ sku }) => sku)
      const pages = (await allOf(q, { by, limit: 7 })).map(({ sku }) => sku)
      t.same(pages, whole, `${q} by ${by}`)
      t.equal(new Set(pages).size, pages.length)
    }
  }
  const { summary, next } = await search('luffy', { limit: 7 })
  t.match(summary, { count: 7, more: true, complete: true })
  t.match(next, /^\/api\/v1\/search\/query\?q=luffy&by=card&limit=7&cursor=/)
})

t.test('sort orders numbers, and what has none is last', async t => {
  const costOf = new Map(held.map(card => [card.sku, number(card, 'cost')]))
  for (const [q, sign] of [
    ['set:op05 sort:cost', 1],
    ['set:op05 sort:-cost', -1]
  ] as const) {
    const costs = (await allOf(q, { by: 'printing', limit: 100 })).map(({ sku }) => costOf.get(sku)!)
    const known = costs.filter(cost => !Number.isNaN(cost))
    t.same(
      known,
      [...known].sort((a, b) => sign * (a - b)),
      q
    )
    t.same(costs.slice(0, known.length), known)
    t.ok(costs.length > known.length)
  }
})

type Mistake = Pick<SurfaceError, 'code' | 'message'> & Readonly<{ details: Readonly<Record<string, unknown>> }>
const mistakeOf = async (q: string, more = {}): Promise<Mistake | undefined> => {
  try {
    await search(q, more)
    return undefined
  } catch (error) {
    return error as Mistake
  }
}

t.test('a query that selects nothing is refused, so that none lists the catalogue', async t => {
  const refused: readonly (readonly [q: string, token: string, at: number])[] = [
    ['c:red', 'c:red', 1],
    ['-set:op05', 'set:op05', 2],
    ['-(luffy) c:red', 'luffy', 3],
    ['name!=luffy', 'name!=luffy', 1],
    ['game:op year>=2020 has:cost', 'game:op', 1],
    ['luffy OR c:red', 'c:red', 10],
    ['t:leader (set:op01 OR c:red)', 'c:red', 23],
    ['sort:name', 'sort:name', 1],
    ['is:variant', 'is:variant', 1],
    ['lu c:red', 'lu', 1],
    ['"d"', '"d"', 1],
    ['number:119', 'number:119', 1],
    ['luffy OR number:119', 'number:119', 10]
  ]
  for (const [q, token, at] of refused)
    t.match(
      await mistakeOf(q),
      {
        code: 'INVALID_INPUT',
        message: /selects no cards/,
        details: { field: 'q', token, at, near: ['name', 'set', 'number'] }
      },
      q
    )
})

t.test('a set selects where it is one, and filters where it is more', async t => {
  t.match(await mistakeOf('is:variant set:deck g:fab'), {
    details: { token: 'set:deck', at: 12 },
    message: /names no set alone: [0-9]+ have such a name/
  })
  const among = await allOf('arakni set:deck', { by: 'printing', limit: 100 })
  t.ok(among.length > 0)
})

t.test('a word that many names of a game have filters, and does not select', async t => {
  t.match(await mistakeOf('c:blue gum g:op'), {
    details: { token: 'gum', at: 8 },
    message: /^`gum` is in [0-9]+ names of One Piece[^,]*, too many to select cards/
  })
  t.match(await mistakeOf('the OR luffy'), { details: { token: 'the', at: 1 }, message: /names of any kind/ })
  t.ok((await search('gum pistol g:op', { limit: 1 })).summary.found > 0)
  t.ok((await search('king the g:op', { limit: 1 })).summary.found > 0)
  t.ok((await search('the set:op05', { limit: 1 })).summary.found > 0)
  t.ok((await search('luffy g:op', { limit: 1 })).summary.found > 0)
})

t.test('short words and short beginnings filter, and a short name is asked for as a whole', async t => {
  t.equal((await search('luf', { limit: 1 })).summary.found, 0)
  t.ok((await search('luff', { limit: 1 })).summary.found > 0)
  t.ok((await search('ace g:op', { limit: 1 })).summary.found > 0)
  t.ok((await search('set:op05 lu', { limit: 1 })).summary.found > 0)
  t.ok((await search('name=Z', { limit: 1 })).summary.found > 0)
})

t.test('a mistake names the token, its place and what is near', async t => {
  const mistakes: readonly (readonly [
    q: string,
    token: string,
    at: number,
    near: readonly string[],
    message: RegExp,
    instead?: readonly string[]
  ])[] = [
    [
      'luffy colur:red',
      'colur:red',
      7,
      ['color', 'colour', 'colours'],
      /no field `colur`/,
      ['color:red', 'colour:red', 'colours:red']
    ],
    [
      'luffy re:zero',
      're:zero',
      7,
      ['released', 'reprint_of'],
      /no field `re`.*quotation marks/,
      ['released:zero', 'reprint_of:zero']
    ],
    ['luffy has:powr', 'has:powr', 7, ['pow', 'power'], /no field `powr`/, ['has:pow', 'has:power']],
    ['luffy sort:cots', 'sort:cots', 7, ['cost'], /no field `cots`/, ['sort:cost']],
    ['luffy sort:-cots', 'sort:-cots', 7, ['cost'], /no field `cots`/, ['sort:-cost']],
    ['luffy k:blokcer', 'k:blokcer', 7, ['blocker'], /no value of `keywords`/, ['k:blocker']],
    ['luffy game:one-pice', 'game:one-pice', 7, ['one-piece'], /No game is called/, ['game:one-piece']],
    ['luffy is:varient', 'is:varient', 7, ['variant'], /Nothing is `varient`/, ['is:variant']],
    ['luffy g:op pitch:1', 'pitch:1', 12, [], /No card of `op`/],
    ['luffy cost<x', 'cost<x', 7, [], /no whole number/],
    ['luffy counter:x', 'counter:x', 7, [], /no whole number/],
    ['luffy year:soon', 'year:soon', 7, [], /no date/],
    ['luffy c>red', 'c>red', 7, [], /has no order/],
    ['luffy cost>1..3', 'cost>1..3', 7, [], /range/],
    ['luffy cost:9..1', 'cost:9..1', 7, [], /holds nothing/],
    ['luffy ""', '""', 7, [], /nothing to look for/],
    ['luffy OR sort:cost', 'sort:cost', 10, [], /`sort` beside/]
  ]
  for (const [q, token, at, near, message, instead = []] of mistakes) {
    const mistake = await mistakeOf(q)
    t.match(mistake, { code: 'INVALID_INPUT', message }, q)
    t.same(mistake?.details, { field: 'q', token, at, near, instead }, q)
    for (const one of instead)
      t.not((await mistakeOf(replaceToken(q, { token, at }, one)))?.message, mistake?.message, one)
  }
})

t.test('a token that is too long to be said is not replaced', async t => {
  const { details } = (await mistakeOf(`luffy ${'colour'.padEnd(90, 'x')}:red`)) ?? {}
  t.match(details, { near: ['colour'], instead: [] })
})

t.test('a game narrows a query, also one with sides, and its fields', async t => {
  const of = async (q: string, game?: string) =>
    (await search(q, { limit: 100, ...(game === undefined ? {} : { game }) })) as Answer & { next: string | null }
  const all = await of('dragon OR luffy')
  const some = await of('dragon OR luffy', 'fab')
  t.ok(some.summary.found > 0 && some.summary.found < all.summary.found)
  t.ok(some.matches.every(({ sku }) => sku.startsWith('fab-')))
  t.equal(some.read_as, 'dragon OR luffy')
  t.match(some.next ?? 'game=fab', /game=fab/)
  t.equal((await of('dragon g:op', 'fab')).summary.found, 0)
  t.match(await mistakeOf('luffy pitch:1', { game: 'op' }), { details: { token: 'pitch:1' } })
  t.match(await mistakeOf('luffy', { game: 'no-game' }), { details: { field: 'game' } })
})

t.test('a cursor of another order, or of nobody, is refused', async t => {
  const { next } = await search('luffy', { limit: 3 })
  const cursor = new URL(next!, 'https://x.example').searchParams.get('cursor')!
  for (const [q, wrong] of [
    ['luffy sort:cost', cursor],
    ['luffy', 'x'],
    ['luffy', `${cursor}=`],
    ['luffy', Buffer.from('[{},1,1,1,1,1]').toString('base64url')]
  ] as const)
    t.match(await mistakeOf(q, { cursor: wrong }), { code: 'INVALID_INPUT', details: { field: 'cursor' } }, q)
})

t.test('a query that means too much is cut, and says so', async t => {
  const sets = Array.from({ length: 9 }, (_, at) => `set:op0${String(at + 1)}`)
  const { summary, cut, matches } = await search(sets.join(' OR '), { by: 'printing', limit: 100 })
  t.match(summary, { complete: false, more: true })
  t.match(cut, /narrower query/)
  t.equal(matches.length, 100)
  t.ok(summary.found <= 2000)
})

t.test('the fields are those of the corpus, and no short name is taken twice by accident', t => {
  const { data } = fields.derive({ corpora: { attributes, games: registry.corpora.get('games')! }, registry, pathTo })
  const listed = (
    data as Readonly<{ fields: readonly Readonly<{ name: string; short: readonly string[]; example: string }>[] }>
  ).fields
  const own = listed.filter(({ name }) => !attributes.entries.some(entry => entry['name'] === name))
  for (const entry of attributes.entries) t.ok(listed.some(({ name }) => name === entry['name']))
  const names = [...listed.map(({ name }) => name), ...own.flatMap(({ short }) => short), 'has', 'is', 'sort']
  t.equal(new Set(names).size, names.length)
  const short = listed.filter(field => !own.includes(field)).flatMap(field => field.short)
  t.same(
    short.filter(name => names.includes(name)),
    []
  )
  t.end()
})

t.test('the example of every field is a query', async t => {
  const { data } = fields.derive({ corpora: { attributes, games: registry.corpora.get('games')! }, registry, pathTo })
  for (const { example } of (data as Readonly<{ fields: readonly Readonly<{ example: string }>[] }>).fields)
    t.equal((await search(`luffy ${example}`)).read_as, `luffy ${example}`)
})

t.test('a new attribute is searched without code', async t => {
  const entry = { name: 'wingspan', short: ['wing'], types: ['integer'], meaning: 'Metres from tip to tip.' }
  const corpus = { ...attributes, entries: [...attributes.entries, entry] }
  const found = await ask<Answer>(query, { query: { q: 'luffy -wing>3' }, corpora: { attributes: corpus } })
  t.equal(found.read_as, 'luffy -wing>3')
  t.ok(found.summary.found > 0)
})
