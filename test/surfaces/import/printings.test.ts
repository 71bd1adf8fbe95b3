// test: slow.
import { createHash } from 'node:crypto'
import t from 'tap'
import { everythingOf } from '../../../surfaces/cards/card-answers.ts'
import { Catalogue } from '../../../surfaces/cards/catalogue.ts'
import { importBundled } from '../../../surfaces/importer.ts'
import { testDatabase } from '../../support/database.ts'
import { pathTo } from '../../support/path-to.ts'
import { declaredSources } from './bundled-sources.ts'

/**
 * What all content hashes gave before printings had products (commit 41dc2a85): their number, and the SHA-256 of the
 * lines `token hash`. Others read them for identities, so a new fact moves none. Write them again only where a new
 * version of a bundled package has other rows.
 */
const before = {
  cards: [28_628, '1ec0cc8337fbdd8e8cb586afc6693aa37f99e387aa1612249d44b578d0a7f6dd'],
  sets: [190, 'cd8fc77325fa20792aedbf3a23357c762dee4c347f3db123ca7dc751e76746c1'],
  games: [3, 'e5fab80dc68b34a3c9f6414a90ae6aa9b620f3d1c3b96ab61a6f2eddcbee1d8b']
}

const tokens = { cards: 'sku', sets: "game || ' ' || code_key", games: 'token' }

const { database } = await testDatabase(t)
const catalogue = new Catalogue(database)
await importBundled(database, declaredSources().values())

t.test('no content hash of a bundled card, set or game changes', async t => {
  const now = Object.fromEntries(
    await Promise.all(
      Object.entries(tokens).map(async ([table, token]) => {
        const { rows } = await database.bulk.raw<{ rows: { line: string }[] }>(
          `select ${token} || ' ' || content_hash as line from ${table}`
        )
        const lines = rows.map(({ line }) => line).sort()
        return [table, [lines.length, createHash('sha256').update(lines.join('\n')).digest('hex')]] as const
      })
    )
  )
  t.same(now, before)
})

type Listed = Readonly<{ card_number: string }>

t.test('a set has the printings that came in it, and its own numbers apart', async t => {
  const [set] = await catalogue.setsByCode('prb01', 'op')
  t.ok(set, 'is held')
  const listing = await catalogue.listingOf(set!)
  const printings = JSON.parse(listing.printings) as readonly string[]
  // What the upstream itself repeats is held once.
  t.equal(printings.filter(sku => /-en(?:-|$)/.test(sku)).length, 319)
  t.equal(listing.printing_count, printings.length)
  t.ok(printings.includes('op-op01-029-en-r1'))
  const cards = JSON.parse(listing.items) as readonly Listed[]
  t.ok(cards.length > 0 && cards.every(({ card_number: number }) => number.startsWith('PRB01-')))
})

t.test('siblings say the product they came in, and that one is a reprint', async t => {
  const found = await everythingOf(catalogue, declaredSources(), 'op-op01-029-en', pathTo)
  const best = { kind: 'set', name: 'ONE PIECE CARD THE BEST', code: 'prb01' }
  t.match(found?.body.card.printed_in, { kind: 'set', name: 'ROMANCE DAWN', code: 'op01' })
  const of = (sku: string) => found?.body.siblings.find(sibling => sibling.sku === sku)
  t.match(of('op-op01-029-en-r1'), { differs_in: ['product', 'reprint'], variant_kind: 'reprint', printed_in: best })
  t.match(of('op-op01-029-en-p2'), { differs_in: ['product', 'art'], variant_kind: 'alt-art', printed_in: best })
  t.match(of('op-op01-029-en-p4')?.printed_in, { kind: 'product', code: null })
  t.notOk(found?.body.siblings.some(({ differs_in: differsIn }) => differsIn.includes('unknown')))
})

t.test('every printing but one of One Piece came in a product that is known', async t => {
  const { rows } = await database.bulk.raw<{ rows: { lang: string; none: number; products: number }[] }>(`
    select lang, count(*) filter (where printed_in is null)::int as none,
      count(distinct coalesce(printed_in ->> 'code', '') || (printed_in ->> 'name'))::int as products
    from cards where game = 'op' group by lang order by lang`)
  t.match(rows, [
    { lang: 'en', none: 1 },
    { lang: 'ja', none: 0 }
  ])
  t.ok(rows.every(({ products }) => products >= 190))
})
