import t from 'tap'
import { Catalogue } from '../surfaces/cards/catalogue.ts'
import { cardContentHash, cardDocument } from '../surfaces/cards/documents/card.ts'
import { readHoldings } from '../surfaces/cards/open.ts'
import { CatalogueCache } from '../surfaces/cards/kept.ts'
import { setContentHash } from '../surfaces/cards/documents/sets-and-games.ts'
import { CoverageStore } from '../surfaces/coverage/coverage-store.ts'
import { openDatabase } from '../core/database/database.ts'
import { silent } from '../core/database/connection.ts'
import { fillCatalogue, readBase } from './bench/scale-data.ts'
import { cardIn, skuIn } from './bench/scale-cards.ts'
import { bundledDatabase } from './support/bundled.ts'

const { url } = await bundledDatabase(t)
const database = await openDatabase({ url, dataDir: '', log: silent, checkRows: true, isPatient: true })
t.teardown(() => database.close())
const indexesOf = async (): Promise<unknown> =>
  (await database.bulk.raw<{ rows: unknown }>("select indexdef from pg_indexes where schemaname = 'public' order by 1"))
    .rows
const before = await indexesOf()
const turns = 3
await fillCatalogue(database, { cards: 500, turns }, () => undefined)
const base = await readBase(database.bulk)
const catalogue = new Catalogue(database)

t.test('a catalogue of the bench holds its real rows in each turn once', async t => {
  t.ok(base.cards.length >= 500 && base.cards.length < 1000, String(base.cards.length))
  t.match(await readHoldings(database), { cards: base.cards.length * turns, sets: base.sets.length * turns })
  t.match(await catalogue.size(), { cards: base.cards.length * turns })
  t.strictSame(await indexesOf(), before)
})

t.test('the documents of all turns are those that an import would store', async t => {
  for (const card of base.cards.filter((_, index) => index % 50 === 0)) {
    for (let turn = 0; turn < turns; turn++) {
      const wanted = cardIn(turn, card)
      const held = await catalogue.cardInFull(wanted.sku)
      const stored = await catalogue.card(wanted.sku)
      if (held === undefined || stored === undefined) throw new Error(`${wanted.sku} is missing.`)
      t.equal(stored.document, cardDocument(wanted).document)
      t.equal(held.card.content_hash, cardContentHash(wanted))
      t.equal(held.set.content_hash, setContentHash(held.set))
      t.strictSame(await catalogue.byHash(held.card.content_hash), {
        kind: 'card',
        game: wanted.game,
        token: wanted.sku,
        sources: wanted.sources
      })
    }
  }
})

t.test('what is derived agrees with the cards', async t => {
  const {
    rows: [counts]
  } = await database.bulk.raw<{ rows: unknown[] }>(`
    select (select count(*)::int from cards) as cards, (select count(*)::int from cards join observations using (sku)) as observed,
      (select count(*)::int from cards join observations using (sku) where from_run is not null) as seen,
      (select count(*)::int from sets s where card_count = (select count(*) from cards c where c.set_id = s.id)) as sets`)
  const cards = base.cards.length * turns
  t.strictSame(counts, { cards, observed: cards, seen: cards, sets: base.sets.length * turns })
  const { patterns } = await new CoverageStore(database, new CatalogueCache(database)).archive({
    source: null,
    game: null,
    since: null
  })
  t.equal(
    patterns.reduce((sum, pattern) => sum + pattern.cards, 0),
    cards
  )
  const [card] = base.cards
  t.equal(
    (await catalogue.family(skuIn(2, card?.sku ?? ''))).every(held =>
      held.card.sku.startsWith(
        skuIn(2, card?.sku ?? '')
          .split('-', 3)
          .join('-')
      )
    ),
    true
  )
})
