import t from 'tap'
import { compileSchema } from '../../../core/schema/compile.ts'
import { openReader } from '../../../core/database/reader.ts'
import { silent } from '../../../core/database/connection.ts'
import { Catalogue } from '../../../surfaces/cards/catalogue.ts'
import { cardDocument } from '../../../surfaces/cards/documents/card.ts'
import { searchColumns } from '../../../surfaces/cards/search/number-index.ts'
import { batchPost as batch } from '../../../surfaces/handlers/cards.ts'
import type { Services } from '../../../surfaces/services.ts'
import { catalogueOf, requestOf } from './ask.ts'
import { zoro } from './facts.ts'
import type { Document } from './recompute.ts'

const { ask, database } = await catalogueOf(t)
const resolve = async (...skus: string[]) => (await ask(batch, { method: 'POST', body: { skus } })).document
const results = async (...skus: string[]) => (await resolve(...skus))['results'] as Document[]

// Two cards that one hand-written SKU can mean.
const [set] = await database.knex('sets').where({ code: 'OP01' }).select<{ id: number }[]>('id')
await database.knex('cards').insert(
  ['op-sv-p_001-ja', 'op-sv_p-001-ja'].map(sku => {
    const card = { ...zoro, sku }
    const { contentHash, document, digest } = cardDocument(card)
    const [place, number, printed] = searchColumns(card)
    const keys = { place_key: place, number_key: number, printed_key: printed }
    return {
      ...card,
      ...keys,
      set_id: set?.id,
      attributes: '{}',
      name_translations: '{}',
      content_hash: contentHash,
      document,
      digest,
      first_seen_at: new Date(),
      updated_at: new Date()
    }
  })
)

t.test('results have the order of the request, with one of four statuses', async t => {
  const document = await resolve(
    'op-op01-001-ja',
    'OP-OP01-001-JP',
    'junk',
    'op-op09-001-ja',
    'op-sv-p-001-jp',
    ' op-op01-001-ja '
  )
  t.same(compileSchema(batch.reply)(document), [])
  t.match(document, {
    '@kind': 'card-batch',
    limit: 100,
    requested_count: 6,
    unique_requested_count: 5,
    found_count: 3,
    not_in_mirror_count: 1,
    invalid_count: 1,
    ambiguous_count: 1,
    mirror_queried: true,
    results: [
      {
        requested_sku: 'op-op01-001-ja',
        status: 'found',
        matched_by: 'stored_sku',
        card: { sku: 'op-op01-001-ja', set: { code: 'op01', printed_code: 'OP01', name: 'First' }, variant: null }
      },
      {
        requested_sku: 'OP-OP01-001-JP',
        status: 'found',
        matched_by: 'canonical_alias',
        card: { sku: 'op-op01-001-ja' },
        links: { evidence: '/api/v1/cards/op-op01-001-ja/evidence' }
      },
      { requested_sku: 'junk', status: 'invalid_sku' },
      { requested_sku: 'op-op09-001-ja', status: 'not_in_storefront_mirror', canonical_sku: 'op-op09-001-ja' },
      {
        requested_sku: 'op-sv-p-001-jp',
        status: 'ambiguous_mirror_match',
        candidate_skus: ['op-sv-p_001-ja', 'op-sv_p-001-ja']
      },
      { requested_sku: 'op-op01-001-ja', status: 'found' }
    ]
  })
  t.notOk('canonical_sku' in ((document['results'] as Document[])[2] ?? {}), 'what is no SKU has no canonical form')
})

t.test('letter case alone is no alias', async t => {
  t.match(await results('OP-OP01-001-JA'), [
    { status: 'found', matched_by: 'stored_sku', requested_sku: 'OP-OP01-001-JA' }
  ])
})

t.test('an exact SKU is never ambiguous', async t => {
  t.match(await results('op-sv-p_001-ja', 'OP-SV_P-001-JP'), [
    { status: 'found', card: { sku: 'op-sv-p_001-ja' } },
    { status: 'found', card: { sku: 'op-sv_p-001-ja' } }
  ])
})

t.test('a control character makes one item no SKU, and the request no mistake', async t => {
  t.match(await resolve('op01\u0000-001', 'op-op01\u0000-001-en', 'op-op01-001-ja'), {
    invalid_count: 2,
    found_count: 1,
    results: [{ status: 'invalid_sku' }, { status: 'invalid_sku' }, { status: 'found' }]
  })
})

t.test('without a SKU that could be held nothing is looked up', async t => {
  t.match(await resolve('junk', 'OP01-001'), { invalid_count: 2, mirror_queried: false })
})

t.test('one to a hundred texts, neither blank nor too long', t => {
  const check = compileSchema(batch.body?.schema ?? {})
  const of = (skus: unknown) => check({ skus })
  t.same(of(['a']), [])
  t.same(of(Array.from({ length: 100 }, () => 'a')), [])
  t.same(of(['a'.repeat(160)]), [])
  t.same(of(['★'.repeat(160)]), [], 'characters are counted, not bytes')
  for (const skus of [
    [],
    Array.from({ length: 101 }, () => 'a'),
    ['a'.repeat(161)],
    [''],
    ['   '],
    ['\t\n\u00a0'],
    [1],
    [null],
    'a',
    {},
    null
  ])
    t.ok(of(skus).length > 0, JSON.stringify(skus).slice(0, 40))
  t.ok(check({}).length > 0)
  t.ok(check({ skus: ['a'], more: 1 }).length > 0)
  t.end()
})

t.test('a batch is one query for what is not kept, beside one for the state of the catalogue', async t => {
  const sent: [string, number][] = []
  const reader = openReader({
    target: database.target,
    log: silent,
    onQuery: (name, keys) => {
      sent.push([name, keys])
    }
  })
  t.teardown(() => reader.close())
  const services = { catalogue: new Catalogue({ ...database, reader }) } as unknown as Services
  const skus = Array.from({ length: 100 }, (_, index) => `op-op01-${String(index).padStart(3, '0')}-ja`)
  const handle = () => batch.handle(requestOf({ method: 'POST', body: { skus } }), services)
  t.match((await handle()).data, { found_count: 3, not_in_mirror_count: 97 })
  t.same(sent, [
    ['catalogue_state', 1],
    ['card_in_brief', 100]
  ])
  t.match((await handle()).data, { found_count: 3, not_in_mirror_count: 97 })
  t.same(
    sent.slice(2),
    [
      ['catalogue_state', 1],
      ['card_in_brief', 97]
    ],
    'that something is absent is not kept'
  )
})

t.test('when the catalogue cannot be read the whole batch fails', async t => {
  const reader = openReader({ target: database.target, log: silent })
  const services = { catalogue: new Catalogue({ ...database, reader }) } as unknown as Services
  await reader.close()
  const handle = async () =>
    await batch.handle(requestOf({ method: 'POST', body: { skus: ['op-op01-001-ja', 'junk'] } }), services)
  await t.rejects(handle(), { code: 'SOURCE_UNAVAILABLE', status: 503, data: null })
})
