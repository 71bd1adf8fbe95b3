import t from 'tap'
import values from '../../../../surfaces/handlers/search/values.ts'
import type { Attribute } from '../../../../surfaces/cards/attributes.ts'
import { CatalogueCache } from '../../../../surfaces/cards/kept.ts'
import { maxValues, valueCounter } from '../../../../surfaces/cards/search/count-values.ts'
import type { SurfaceRequest } from '../../../../core/handler/handler.ts'
import { compileSchema } from '../../../../core/schema/compile.ts'
import type { Services } from '../../../../surfaces/services.ts'
import { bundledDatabase } from '../../../support/bundled.ts'
import { registryOf } from '../../../support/registry.ts'
import { requestOf } from '../../cards/ask.ts'
import { searchOver } from '../../cards/search/ask-search.ts'

type Value = string | number
type Counted = Readonly<{ value: Value; printings: number }>
type Answer = Readonly<{
  game: string
  field: string | null
  fields: readonly Readonly<{ name: string; found: number; more: boolean; values: readonly Counted[] }>[]
}>
type Held = Readonly<{
  game: string
  rarity: string | null
  attributes: Readonly<Record<string, Value | readonly Value[]>> | null
}>

const { url } = await bundledDatabase(t)
const { database, services: searching } = await searchOver(t, url)
const kept = new CatalogueCache(database)
const services = { ...searching, kept, countValues: valueCounter(database, kept) } as unknown as Services
const { registry } = await registryOf()
const attributes = registry.corpora.get('attributes')!
const declared = attributes.entries as unknown as readonly Attribute[]

async function ask(query: SurfaceRequest['query']) {
  const { data, sources } = await values.handle(requestOf({ query, corpora: { attributes } }), services)
  t.same(compileSchema(values.reply)(data), [])
  return { answer: data as Answer, sources }
}

const held = await database.bulk('cards').select<Held[]>('game', 'rarity', 'attributes')
const games = [...new Set(held.map(({ game }) => game))]

const valuesOf = ({ rarity, attributes: stated }: Held, field: string): readonly Value[] =>
  [field === 'rarity' ? (rarity ?? []) : (stated?.[field] ?? [])].flat()

const order = (a: Value, b: Value): number => {
  if (typeof a !== typeof b) return typeof a === 'number' ? -1 : 1
  return a < b ? -1 : a > b ? 1 : 0
}

/** Counts the values of a field of a game card by card. */
function count(game: string, field: string): readonly Counted[] {
  const found = new Map<Value, number>()
  for (const card of held.filter(one => one.game === game))
    for (const value of valuesOf(card, field)) found.set(value, (found.get(value) ?? 0) + 1)
  return [...found]
    .map(([value, printings]) => ({ value, printings }))
    .sort((a, b) => b.printings - a.printings || order(a.value, b.value))
}

t.test('every value of a game is counted, the commonest first', async t => {
  t.ok(games.length > 2)
  for (const game of games) {
    const { answer, sources } = await ask({ game, limit: maxValues })
    const stated = ['rarity', ...declared.filter(one => one.names_cards !== true).map(({ name }) => name)]
    const counted = stated
      .map(name => ({ name, values: count(game, name) }))
      .filter(({ values: all }) => all.length > 0)
    t.strictSame(
      answer.fields.map(({ name, found, more }) => ({ name, found, more })),
      counted.map(({ name, values: { length } }) => ({ name, found: length, more: length > maxValues })),
      game
    )
    for (const { name, values: all } of counted)
      t.strictSame(answer.fields.find(field => field.name === name)?.values, all.slice(0, maxValues), `${game} ${name}`)
    t.strictSame(sources, (await searching.catalogue.game(game))?.sources, `${game}: its sources are named`)
  }
})

t.test('one field is asked for by its name, and a game by any of its own', async t => {
  const { answer } = await ask({ game: 'one-piece', field: 'cost', limit: 2 })
  t.match(answer, { game: 'op', field: 'cost', fields: [{ name: 'cost', more: true }] })
  const [cost] = answer.fields
  t.strictSame(cost?.values, count('op', 'cost').slice(0, 2))
  t.ok(cost?.values.every(({ value }) => typeof value === 'number'))
})

t.test('values that name cards are not listed, nor fields that the game does not have', async t => {
  const naming = declared.filter(one => one.names_cards === true).map(({ name }) => name)
  t.strictSame(naming, ['evolves_from', 'reprint_of'])
  for (const name of naming) {
    t.ok(held.some(card => valuesOf(card, name).length > 0) || name === 'reprint_of', `cards have ${name}`)
    for (const game of games) {
      await t.rejects(ask({ game, field: name }), { code: 'INVALID_INPUT', details: { field: 'field' } })
      t.notOk((await ask({ game })).answer.fields.some(field => field.name === name))
    }
  }
  await t.rejects(ask({ game: 'op', field: 'pitch' }), {
    code: 'INVALID_INPUT',
    message: '`pitch` is no field of `op` whose values are counted.'
  })
  await t.rejects(ask({ game: 'solitaire' }), { code: 'INVALID_INPUT', details: { field: 'game' } })
})

t.test('a game of which no card is held is a 404', async t => {
  const known = searching.games.all.find(({ token }) => !games.includes(token))
  t.ok(known)
  await t.rejects(ask({ game: known?.token }), { code: 'NOT_FOUND', details: { field: 'game' } })
})

t.test('cards are read once for each version of the catalogue, and the rarest values are left out', async t => {
  let reads = 0
  const counting = valueCounter(
    { bulk: database.bulk, rows: async (schema, query) => await database.rows(schema, (reads++, query)) },
    kept
  )
  const fields = ['types']
  await Promise.all([counting('op', fields), counting('op', fields)])
  await counting('op', fields)
  t.equal(reads, 1)
  await database.bulk.raw(
    `update cards set attributes = json_build_object('types', json_build_array('common', 'T ' || sku)) where game = 'op'`
  )
  await database.bulk.raw('update catalogue_state set version = gen_random_uuid()')
  const counted = (await counting('op', fields)).get('types')
  t.equal(reads, 2)
  const cards = held.filter(({ game }) => game === 'op').length
  t.equal(counted?.found, cards + 1)
  t.equal(counted?.values.length, maxValues)
  t.match(counted?.values[0], { value: 'common', printings: cards })
})
