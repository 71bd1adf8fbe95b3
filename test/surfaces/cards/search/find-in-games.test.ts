import t from 'tap'
import { bundledDatabase } from '../../../support/bundled.ts'
import { generationOf, serveGeneration } from '../../../support/serve-root.ts'

type Found = { data: { matches: { sku: string; confidence: string }[]; summary: { best_confidence: string } } | null }

t.test(
  'a number that says its set, or a SKU, finds its card in whatever game; a number alone finds nothing',
  async t => {
    const { url } = await bundledDatabase(t)
    const { get } = await serveGeneration(t, await generationOf(t, ['.'], { databaseUrl: url }))
    const found = async (q: string): Promise<string[] | undefined> =>
      ((await (await get(`/api/v1/search/numbers?q=${encodeURIComponent(q)}`)).json()) as Found).data?.matches.map(
        ({ sku, confidence }) => `${confidence} ${sku}`
      )
    const [first] = (await found('OP01-001')) ?? []
    t.equal(first, 'exact op-op01-001-en')
    t.same(await found('op-op01-001-en').then(all => all?.[0]), 'exact op-op01-001-en')
    t.match((await found('A1-1'))?.[0], /^exact ptcgp-a1-/, 'another game')
    for (const nothing of ['25', '001', 'OP99-999', 'Luffy']) t.same(await found(nothing), [], nothing)
    t.equal((await get('/api/v1/search/numbers?q=**')).status, 400)
    t.equal((await get('/api/v1/search/numbers')).status, 400)
  }
)
