import t from 'tap'
import { generationOf, serveGeneration } from '../../support/serve-root.ts'

const { get } = await serveGeneration(t, await generationOf(t, ['test/fixture/archive']))

const pageOf = async (path: string): Promise<string> => await (await get(path)).text()

t.test('a field with the key of an entry of another corpus links to the page of that entry', async t => {
  const target = '<dd><a href="/api/v1/archive/persons/ada-brook?format=html">ada-brook</a></dd>'
  t.match(await pageOf('/api/v1/archive/letters/storm?format=html'), target)
  const { status } = await get('/api/v1/archive/persons/ada-brook?format=html')
  t.equal(status, 200)
})

t.test('so does each key in a list', async t => {
  const text = await pageOf('/api/v1/archive/events?format=html&limit=10')
  t.match(text, /<td>(?:<a href="\/api\/v1\/archive\/persons\/[a-z-]+\?format=html">[a-z-]+<\/a>(?:, )?){2,}<\/td>/)
})
