import t from 'tap'
import { filterParameters } from '../../../../surfaces/cards/attributes.ts'
import { deriveNames } from '../../../../surfaces/cards/search/derive-names.ts'
import { foldName } from '../../../../surfaces/cards/search/fold-name.ts'
import { names, suggest } from '../../../../surfaces/handlers/search.ts'
import { bundledDatabase } from '../../../support/bundled.ts'
import { registryOf } from '../../../support/registry.ts'
import { searchOver } from '../../cards/search/ask-search.ts'

type Match = Readonly<{
  sku: string
  game: string
  matched_name: string
  set_code: string
  card_number: string
  printings: number
  confidence: string
  reason: string
}>
type Answer = Readonly<{
  matches: readonly Match[]
  names: readonly Readonly<{ name: string; numbers: number; printings: number }>[]
  not_held: readonly string[]
  summary: Readonly<{
    count: number
    best_confidence: string
    found: number
    printings: number
    complete: boolean
    more: boolean
  }>
  next: string | null
  next_step: string | null
}>
type Suggestions = Readonly<{
  suggestions: readonly Readonly<{ name: string; game: string; printings: number; sku: string; confidence: string }>[]
}>

const { url } = await bundledDatabase(t)
const { ask, database } = await searchOver(t, url)
const attributes = (await registryOf()).registry.corpora.get('attributes')!
const search = (query: Readonly<Record<string, string | number>>) =>
  ask<Answer>(names, {
    query,
    rawQuery: new Map(Object.entries(query).map(([name, value]) => [name, [String(value)]])),
    corpora: { attributes }
  })
const complete = (query: Readonly<Record<string, string>>) => ask<Suggestions>(suggest, { query })

type Held = Readonly<{
  sku: string
  game: string
  name: string
  name_translations: Readonly<Record<string, string>> | null
  rarity: string | null
  attributes: Readonly<Record<string, unknown>> | null
}>
const placeOf = new Map(
  (
    await database
      .bulk('cards')
      .select<{ sku: string; set_code: string; card_number: string }[]>('sku', 'set_code', 'card_number')
  ).map(card => [card.sku, `${card.set_code}/${card.card_number}`])
)
const held = await database
  .bulk('cards')
  .select<Held[]>('sku', 'game', 'name', 'name_translations', 'rarity', 'attributes')
const namesOf = ({ name, name_translations: others }: Held): string[] => [name, ...Object.values(others ?? {})]
const attributesOf = new Map(held.map(card => [card.sku, card.attributes]))

t.test('every name in every language finds a card that has it, exact and first', async t => {
  const known = new Map(
    held.flatMap(card => namesOf(card).map(name => [`${card.game}\n${name}`, foldName(name)] as const))
  )
  const asked = [...known]
    .filter(([key, text]) => text.replaceAll(' ', '').length >= 2 && key.slice(key.indexOf('\n') + 1).length <= 80)
    .filter((_, at) => at % 50 === 0)
  t.ok(asked.length > 100)
  for (const [key, text] of asked) {
    const [game = '', q = ''] = key.split('\n')
    const {
      matches: [first]
    } = await search({ game, q })
    t.match(first, { game, confidence: 'exact', reason: 'name matched' }, q)
    t.equal(foldName(first?.matched_name ?? ''), text, q)
  }
})

t.test('whole words before beginnings, then names and numbers with more printings', async t => {
  const { matches, names: found } = await search({ game: 'op', q: 'luffy', limit: 100 })
  t.match(found[0], { name: 'Monkey.D.Luffy' })
  t.same(
    [...new Set(matches.map(({ matched_name: name }) => name))],
    found.map(({ name }) => name)
  )
  t.same(
    found.map(({ printings }) => printings),
    found.map(({ printings }) => printings).sort((a, b) => b - a)
  )
  for (const { name, numbers, printings } of found) {
    const ofName = matches.filter(match => match.matched_name === name).map(match => match.printings)
    t.same(
      ofName,
      [...ofName].sort((a, b) => b - a),
      name
    )
    t.equal(ofName.length, numbers, name)
    t.equal(
      ofName.reduce((sum, one) => sum + one, 0),
      printings,
      name
    )
  }
  const begun = (await search({ game: 'ptcgp', q: 'mew' })).names.map(({ name }) => / mew /.test(` ${foldName(name)} `))
  t.same(begun, [...begun].sort().reverse())
  t.same(new Set(begun), new Set([true, false]))
})

t.test('words across name, set, number and what is stated, however the number is written', async t => {
  for (const q of [
    'zoro op01 001',
    'OP01-001',
    'op01001',
    'op1-1',
    '001 op01',
    'zoro leader romance dawn',
    'ＯＰ０１００１'
  ]) {
    const { matches } = await search({ game: 'op', q })
    t.match(matches[0], { matched_name: 'Roronoa Zoro', card_number: 'OP01-001' }, q)
    t.equal(matches.length, 1, q)
  }
  const { matches, summary } = await search({ game: 'op', q: 'nami sr', limit: 100 })
  t.equal(matches.length, summary.found)
  t.ok(matches.every(({ sku }) => held.some(card => card.sku === sku && card.name === 'Nami' && card.rarity === 'SR')))
})

t.test('every attribute is searched with a name, and alone it lists nothing', async t => {
  const wanted = held.find(({ game, attributes }) => game === 'fab' && Array.isArray(attributes?.['talents']))!
  const [talent] = wanted.attributes?.['talents'] as string[]
  const { matches } = await search({ game: 'fab', q: `${wanted.name} ${talent}` })
  t.ok(matches.some(match => match.matched_name === wanted.name))
  t.same((await search({ game: 'op', q: 'character special' })).matches, [])
})

t.test('kana are read in Latin letters where no name is held in them, and that is said', async t => {
  const { matches, not_held: scripts } = await search({ q: 'ナミ' })
  t.match(matches[0], { matched_name: 'Nami', confidence: 'fuzzy', reason: 'name matched in Latin letters' })
  t.same(scripts, ['Japanese kana'])
  t.match(await search({ q: '피카츄' }), { matches: [], not_held: ['Korean'] })
  t.match(await search({ q: 'nami' }), { not_held: [] })
})

t.test('one mistake in a word, words in another order, and words left out', async t => {
  for (const q of [
    'lufy',
    'lufffy',
    'lufyf',
    'lutfy',
    'monkey luffy',
    'luffy monkey',
    'mokney luffy',
    'mokney d luffy'
  ]) {
    const { matches, summary } = await search({ game: 'op', q })
    t.equal(matches[0]?.matched_name, 'Monkey.D.Luffy', q)
    t.equal(summary.best_confidence, 'fuzzy', q)
  }
})

t.test('no name is an answer', async t => {
  t.match(await search({ q: 'zzzzqqqq' }), {
    matches: [],
    next_step: null,
    summary: { count: 0, best_confidence: 'none', found: 0, more: false }
  })
})

t.test('as many as asked, with the rest counted', async t => {
  const { matches, summary } = await search({ q: 'mo', limit: 3 })
  t.match(summary, { count: 3, more: true })
  t.equal(matches.length, 3)
})

/** All pages of a search, each asked for as the one before says. */
async function pagesOf(query: Readonly<Record<string, string | number>>): Promise<readonly Answer[]> {
  const pages = [await search(query)]
  for (let next = pages[0]?.next ?? null; next !== null; next = pages.at(-1)?.next ?? null) {
    const { searchParams } = new URL(next, 'http://localhost')
    const { limit, offset, ...rest } = Object.fromEntries(searchParams) as Record<string, string>
    pages.push(await search({ ...rest, limit: Number(limit), offset: Number(offset) }))
    if (pages.length > 100) throw new Error('the pages do not end')
  }
  return pages
}

t.test(
  'all that a name finds can be listed, page by page: each number once, with all its printings, and the counts are true',
  async t => {
    for (const [game, q] of [
      ['op', 'luffy'],
      ['op', 'Monkey.D.Luffy'],
      ['op', 'zoro'],
      ['ptcgp', 'pikachu'],
      ['fab', 'dawnblade']
    ] as const) {
      const text = foldName(q)
      // In one name a word of it starts with the text; the names of other languages are other names.
      const named = held
        .filter(card => card.game === game)
        .flatMap(card =>
          [...new Set(namesOf(card))]
            .filter(name => ` ${foldName(name)}`.includes(` ${text}`))
            .map(name => ({ name, card }))
        )
      const numbers = new Set(named.map(({ name, card: { sku } }) => `${name}\n${placeOf.get(sku)}`))
      const pages = await pagesOf({ game, q, limit: 7 })
      const matches = pages.flatMap(page => page.matches)
      t.ok(pages.length > 1, `${q}: ${pages.length} pages`)
      t.same(new Set(matches.map(({ matched_name: name, sku }) => `${name}\n${placeOf.get(sku)}`)), numbers, q)
      t.equal(matches.length, numbers.size, q)
      t.equal(
        matches.reduce((sum, { printings }) => sum + printings, 0),
        new Set(named.map(({ card: { sku } }) => sku)).size,
        q
      )
      for (const [at, { summary }] of pages.entries())
        t.match(summary, { found: numbers.size, complete: true, more: at < pages.length - 1 }, q)
    }
  }
)

t.test('at most 300 names are read for a word, which is said; a page behind the last one is empty', async t => {
  const [first, ...others] = await pagesOf({ q: 'th', limit: 100 })
  t.match(first!.summary, { count: 100, complete: false, more: true })
  t.ok(first!.summary.found <= 2000)
  t.equal(
    [first!, ...others].reduce((sum, { matches }) => sum + matches.length, 0),
    first!.summary.found
  )
  t.match(others.at(-1), { next: null, summary: { more: true } })
  t.match(await search({ game: 'op', q: 'luffy', offset: 1000 }), {
    matches: [],
    next: null,
    summary: { count: 0, best_confidence: 'fuzzy', more: false }
  })
})

t.test('filters go with the pages', async t => {
  const query = { game: 'op', q: 'luffy', 'attribute.colours': 'Red' }
  const { matches, summary } = await search({ ...query, limit: 100 })
  t.same(
    (await pagesOf({ ...query, limit: 5 })).flatMap(page => page.matches),
    matches
  )
  t.equal(summary.found, matches.length)
})

t.test('nothing stands for any letter', async t => {
  for (const q of ['%%', '**', '__', '..', '%', '  ']) {
    await t.rejects(search({ q }), { code: 'INVALID_INPUT', details: { field: 'q' } }, q)
    await t.rejects(complete({ q }), { code: 'INVALID_INPUT', details: { field: 'q' } }, q)
  }
})

t.test('filters leave only cards with the attribute', async t => {
  const red = await search({ game: 'op', q: 'luffy', 'attribute.colours': 'red', 'attribute.cost.max': 3, limit: 50 })
  t.ok(red.matches.length > 0)
  for (const { sku } of red.matches) {
    const { colours, cost } = attributesOf.get(sku) ?? {}
    t.ok((colours as string[]).includes('Red') && Number(cost) <= 3, sku)
  }
  t.ok((await search({ game: 'op', q: 'luffy', limit: 50 })).summary.found > red.summary.found)
  t.same((await search({ game: 'op', q: 'luffy', 'attribute.cost.min': 900 })).matches, [])
})

t.test('an attribute that the game does not declare is refused, with those it does', async t => {
  for (const filter of [
    'attribute.pitch',
    'attribute.price',
    'attribute.colours.max',
    'attribute.',
    'attribute.cost.max.min'
  ]) {
    await t.rejects(
      search({ game: 'op', q: 'luffy', [filter]: '3' }),
      { code: 'INVALID_INPUT', details: { field: filter, allowed: ['attribute.attribute', 'attribute.block'] } },
      filter
    )
  }
  t.ok(
    (await search({ q: 'luffy', 'attribute.pitch': '3' })).matches.length === 0,
    'without a game, those of all games'
  )
})

t.test('a filter that no card can meet is refused', async t => {
  const refused: readonly (readonly [string, Readonly<Record<string, string | number>>, object?])[] = [
    ['attribute.cost', { 'attribute.cost': 'abcd' }],
    ['attribute.keywords', { 'attribute.keywords': 'flying' }, { allowed: ['banish', 'blocker'] }],
    ['attribute.cost.min', { 'attribute.cost.min': 5, 'attribute.cost.max': 3 }]
  ]
  for (const [field, filters, details] of refused)
    await t.rejects(
      search({ game: 'op', q: 'luffy', ...filters }),
      { code: 'INVALID_INPUT', details: { field, ...details } },
      field
    )
  await t.rejects(search({ game: 'fab', q: 'strike', 'attribute.pitch': 4 }), {
    code: 'INVALID_INPUT',
    details: { field: 'attribute.pitch', allowed: [1, 2, 3] }
  })
  for (const filters of [
    { 'attribute.keywords': 'Rush' },
    { 'attribute.cost': 'x' },
    { 'attribute.cost': '3' },
    { 'attribute.cost.min': 3, 'attribute.cost.max': 3 },
    { 'attribute.colours': 'Octarine' }
  ]) {
    await t.resolves(search({ game: 'op', q: 'luffy', ...filters }), JSON.stringify(filters))
  }
})

t.test('a filter of whole numbers alone takes nothing else', t => {
  const parameters = filterParameters(attributes.entries as never)
  t.match(parameters['attribute.pitch'], { type: 'integer' })
  t.match(parameters['attribute.cost'], { type: 'string' }, 'a cost may be `X`')
  t.end()
})

t.test('suggestions complete a name, in one game or all', async t => {
  const { suggestions } = await complete({ game: 'op', q: 'monk' })
  t.ok(suggestions.length > 0 && suggestions.length <= 10)
  for (const { name, game, sku, printings } of suggestions) {
    t.match(foldName(name), /(^| )monk/)
    t.equal(game, 'op')
    t.equal(held.filter(card => card.game === 'op' && namesOf(card).includes(name)).length, printings, name)
    t.ok(held.some(card => card.sku === sku && namesOf(card).includes(name)))
  }
  const all = await complete({ q: 'mo' })
  t.equal(all.suggestions.length, 10)
  t.equal(new Set(all.suggestions.map(({ name, game }) => `${game} ${name}`)).size, 10)
})

t.test('a suggestion is made for a word with a mistake too, and the name with more printings is first', async t => {
  for (const [q, name] of [
    ['luf', 'Monkey.D.Luffy'],
    ['lufy', 'Monkey.D.Luffy'],
    ['zoro ro', 'Roronoa Zoro'],
    ['rorona zoro', 'Roronoa Zoro']
  ] as const)
    t.match((await complete({ game: 'op', q })).suggestions[0], { name }, q)
})

t.test('an unknown game is refused', async t => {
  await t.rejects(search({ game: 'chess', q: 'pawn' }), { code: 'INVALID_INPUT', details: { field: 'game' } })
})

t.test('names of one character, and of signs alone, are found by all of it, and begin no other name', async t => {
  const names = ['Z', 'N', '島', '쏜', '苋', '卍', 'C++', '_____', '...?!']
  const skus = held
    .filter(({ game }) => game === 'fab')
    .slice(0, names.length)
    .map(({ sku }) => sku)
  for (const [at, sku] of skus.entries())
    await database.bulk('cards').where({ sku }).update({ name: names[at], name_translations: null })
  await database.bulk.transaction(transaction => deriveNames(transaction, ['fab']))
  for (const [at, name] of names.entries()) {
    for (const q of [name, name.toLowerCase(), ` ${name} `]) {
      const { matches, summary } = await search({ game: 'fab', q })
      t.match(matches, [{ sku: skus[at], matched_name: name, confidence: 'exact' }], q)
      t.equal(summary.found, 1, q)
      t.match(await complete({ game: 'fab', q }), { suggestions: [{ name, sku: skus[at], confidence: 'exact' }] }, q)
    }
  }
  t.match((await search({ game: 'fab', q: 'C' })).matches, [{ matched_name: 'C++' }], 'punctuation does not matter')
  t.match(await search({ game: 'fab', q: 'q' }), { matches: [], summary: { found: 0 } })
})
