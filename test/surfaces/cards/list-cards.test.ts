import fc from 'fast-check'
import t from 'tap'
import { canonicalize, type JsonValue } from '../../../core/canonical/json.ts'
import { Catalogue } from '../../../surfaces/cards/catalogue.ts'
import { documentForm, listingOf, refreshDocuments } from '../../../surfaces/cards/writing.ts'
import { maxListedPrintings, type CardItem, type SetListing } from '../../../surfaces/cards/rows.ts'
import { forgetSource, importSource } from '../../../surfaces/importer.ts'
import { testDatabase } from '../../support/database.ts'
import { scratchFolder } from '../../support/scratch.ts'
import { plain, writeRows, type Row } from '../import/rows-on-disk.ts'

const { database } = await testDatabase(t)
const { bulk } = database
const folder = scratchFolder(t)
const load = async (id: string, rows: readonly Row[]) =>
  await importSource(database, plain(id), { folder: writeRows(folder, rows), allowWithdraw: 100 })

/** The stored lists by set, beside what they should be. */
async function lists(): Promise<{ held: object; wanted: object }> {
  const stored = await bulk('set_listings as l')
    .join('sets as s', 's.id', 'l.set_id')
    .select<({ code: string } & SetListing)[]>(
      's.code',
      'l.items',
      'l.cards',
      'l.printings',
      'l.printing_count',
      'l.digest'
    )
  const cards = await bulk('cards').select<(CardItem & { set_code: string; printed_in: { code: string } | null })[]>(
    'sku',
    'card_number',
    'lang',
    'name',
    'variant',
    'rarity',
    'content_hash',
    'set_code',
    'printed_in'
  )
  const codes = [...new Set(cards.map(card => card.set_code))].sort()
  return {
    held: Object.fromEntries(stored.map(({ code, ...list }): [string, object] => [code, list]).sort()),
    wanted: Object.fromEntries(
      codes.map(code => [
        code,
        listingOf(
          cards.filter(card => card.set_code === code),
          cards.filter(card => card.printed_in?.code.toLowerCase() === code.toLowerCase())
        )
      ])
    )
  }
}

t.test('every import leaves the lists of the sets as their cards are', async t => {
  const steps: (() => Promise<unknown>)[] = [
    () =>
      load('alpha', [
        { id: '1' },
        { id: '2', number: '010' },
        { id: '3', number: '2', printedIn: 'cd2' },
        { id: '4', set: 'CD2', name: 'ゾロ' }
      ]),
    () =>
      load('alpha', [
        { id: '1', name: 'Other' },
        { id: '2', number: '010' },
        { id: '4', set: 'EF3', printedIn: 'AB1' },
        { id: '5', set: 'CD2', number: '3', printedIn: 'EF3' }
      ]),
    () =>
      load('alpha', [
        { id: '1', name: 'Other' },
        { id: '2', number: '010' },
        { id: '4', set: 'EF3', printedIn: 'CD2' },
        { id: '5', set: 'CD2', number: '3' }
      ]),
    () =>
      load('beta', [
        { id: 'a', number: '011', printedIn: 'EF3' },
        { id: 'b', name: 'Beta' }
      ]),
    () => forgetSource(database, 'alpha')
  ]
  for (const step of steps) {
    await step()
    const { held, wanted } = await lists()
    t.same(held, wanted)
  }
  t.same(Object.keys((await lists()).held), ['AB1'])
})

t.test('a list is canonical text', t => {
  const fact = fc.string({ unit: 'grapheme', maxLength: 5 }).filter(value => value.isWellFormed())
  const card = fc.record({
    sku: fact,
    card_number: fact,
    lang: fact,
    name: fc.option(fact),
    variant: fact,
    rarity: fc.option(fact),
    content_hash: fact
  })
  t.doesNotThrow(() => {
    fc.assert(
      fc.property(fc.array(card, { maxLength: 3 }), cards => {
        const { items, printings } = listingOf(cards, cards)
        return [items, printings].every(list => canonicalize(JSON.parse(list) as JsonValue) === list)
      }),
      { numRuns: 300 }
    )
  })
  t.end()
})

t.test('cards are listed as people count', t => {
  const card = (number: string, variant = '', lang = 'en'): CardItem => ({
    sku: `lan-ab1-${number}-${lang}${variant}`,
    card_number: number,
    lang,
    name: null,
    variant,
    rarity: null,
    content_hash: 'f'
  })
  const given = [card('10'), card('2', 'p2'), card('2', '', 'ja'), card('2'), card('2', 'p10')]
  const { items, cards, printings } = listingOf(given, given)
  t.equal(cards, 5)
  t.same(
    (JSON.parse(items) as { target_natural_token: string }[]).map(item => item.target_natural_token),
    JSON.parse(printings)
  )
  t.same(JSON.parse(printings), ['lan-ab1-2-en', 'lan-ab1-2-ja', 'lan-ab1-2-enp2', 'lan-ab1-2-enp10', 'lan-ab1-10-en'])
  t.end()
})

t.test('printings are bounded and counted', t => {
  const many = Array.from({ length: maxListedPrintings + 1 }, (_, index): CardItem => ({
    sku: `lan-ab1-${index}-en`,
    card_number: String(index),
    lang: 'en',
    name: null,
    variant: '',
    rarity: null,
    content_hash: 'f'
  }))
  const { printings, printing_count: count } = listingOf([], many)
  t.equal(count, maxListedPrintings + 1)
  t.equal((JSON.parse(printings) as unknown[]).length, maxListedPrintings)
  t.end()
})

t.test('a start fills lists that are missing, and writes all of them where the form is another', async t => {
  await bulk('set_listings').del()
  const set = await bulk('sets').first<{ id: number }>('id')
  await t.rejects(
    new Catalogue(database).listingOf(set),
    { code: 'SOURCE_UNAVAILABLE', status: 503, headers: { 'Retry-After': '1' } },
    'no list is not an empty one'
  )
  await refreshDocuments(database, documentForm)
  const { held, wanted } = await lists()
  t.same(held, wanted)
  t.equal((await new Catalogue(database).listingOf(set)).cards, 2)
  await bulk('set_listings').update({ items: '[]', digest: 'old' })
  await refreshDocuments(database, 'newer')
  t.same((await lists()).held, wanted)
})
