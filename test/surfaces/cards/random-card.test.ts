import t from 'tap'
import { cardDrawer } from '../../../surfaces/cards/open.ts'
import { random } from '../../../surfaces/handlers/cards.ts'
import { GameDirectory } from '../../../surfaces/cards/games.ts'
import { compileSchema } from '../../../core/schema/compile.ts'
import { registryOf } from '../../support/registry.ts'
import { catalogueOf, requestOf } from './ask.ts'

const { services, database } = await catalogueOf(t)
const draw = cardDrawer(database)
const { registry } = await registryOf()
const corpora = { attributes: registry.corpora.get('attributes')! }
const skus = await database.knex('cards').select<{ sku: string; game: string }[]>('sku', 'game')

t.test('every card has the same share, and no other card is drawn', async t => {
  for (const game of [undefined, 'op', 'dm']) {
    const held = skus.filter(card => game === undefined || card.game === game).map(({ sku }) => sku)
    const drawn = await Promise.all(held.map((_, index) => draw({ game }, (index + 0.5) / held.length)))
    t.same(drawn.map(one => one?.sku).sort(), held.sort(), game ?? 'all games')
    for (const one of drawn) t.equal(one?.drawn_from, held.length)
    t.ok(await draw({ game }, 0))
    t.ok(await draw({ game }, 1 - 2 ** -47))
  }
  t.equal(await draw({ game: 'zz' }, 0.5), undefined)
})

t.test('a set is drawn from alone, with the share of each of its cards', async t => {
  const sets = await database.knex('sets').select<{ id: number; game: string; code_key: string }[]>()
  t.ok(sets.length > 1)
  for (const { id, game, code_key: set } of sets) {
    const held = await database.knex('cards').where({ set_id: id }).pluck('sku')
    const drawn = await Promise.all(held.map((_, index) => draw({ game, set }, (index + 0.5) / held.length)))
    t.same(drawn.map(one => one?.sku).sort(), held.sort(), set)
    const alone = sets.filter(other => other.code_key === set).length === 1
    if (alone) t.same(await draw({ set }, 0), await draw({ game, set }, 0), `${set} without its game`)
    const given = { ...services, drawCard: draw }
    const { data } = await random.handle(requestOf({ query: { set: set.toUpperCase() }, corpora }), given)
    t.match(data, { card: { set: { code: set } } })
  }
  await t.rejects(
    async () => await random.handle(requestOf({ query: { set: 'ZZZ' }, corpora }), { ...services, drawCard: draw }),
    { code: 'NOT_FOUND', message: 'There is no set `zzz` here.', details: { field: 'set' } }
  )
})

t.test('the answer is a card of the game that was asked for, by any of its names', async t => {
  const game = {
    token: 'dm',
    name: 'D',
    short_name: 'D',
    slug: 'd-masters',
    aliases: [],
    publisher: 'P',
    languages: [],
    curated: false,
    numbers: 'set' as const,
    printed_numbers: []
  }
  const given = { ...services, drawCard: draw, games: new GameDirectory([game, { ...game, token: 'zz', slug: 'zz' }]) }
  const { data } = await random.handle(requestOf({ query: { game: 'D-Masters' }, corpora }), given)
  t.same(compileSchema(random.reply)(data), [])
  t.match(data, { game: 'dm', card: { game: 'dm' } })
  await t.rejects(async () => await random.handle(requestOf({ query: { game: 'zz' }, corpora }), given), {
    code: 'NOT_FOUND'
  })
  await t.rejects(async () => await random.handle(requestOf({ query: { game: 'nothing' }, corpora }), given), {
    code: 'INVALID_INPUT'
  })
})
