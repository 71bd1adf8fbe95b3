import t from 'tap'
import { bundledDatabase } from '../../support/bundled.ts'
import { generationOf, serveGeneration } from '../../support/serve-root.ts'

const { url: databaseUrl } = await bundledDatabase(t)
const { get } = await serveGeneration(t, await generationOf(t, ['.'], { databaseUrl }))

type SetData = Readonly<{
  printings_in: Readonly<{ count: number; printings: readonly string[] }>
  cards: readonly Readonly<{ target_natural_token: string }>[]
}>

/** Returns the data of a set, and on its page the text before the list of what came in it and the SKUs in the list. */
async function readSet(guide: string, game: string, code: string) {
  const data = (await (await get(`/api/v1/universal/set/${code}?game=${game}`)).json()) as SetData
  const html = await (await get(`/prices/${guide}/${code}`)).text()
  const [, section = ''] = /<h2>What came in it<\/h2>(.*?)<h2>/s.exec(html) ?? []
  const [, said = ''] = /<p>(.*?)<\/p>/s.exec(section) ?? []
  return { data, section, said, skus: [...section.matchAll(/href="\/product\/([^"]+)"/g)].map(([, sku]) => sku) }
}

t.test('the page of a set leads to every printing that came in it, those with numbers of other sets first', async t => {
  const { data, section, said, skus } = await readSet('one-piece', 'op', 'op05')
  const own = new Set(data.cards.map(card => card.target_natural_token))
  const others = data.printings_in.printings.filter(sku => !own.has(sku))
  t.ok(others.length > 0)
  t.same(skus.slice(0, others.length), others)
  t.same(new Set(skus), new Set(data.printings_in.printings))
  t.equal(skus.length, data.printings_in.count)
  t.match(said, `as sources say: ${data.printings_in.count}.`)
  t.match(section, `With numbers of other sets: ${others.length}`)
})

t.test('the page of a set of which no source says what came in it says so', async t => {
  const { data, said, skus } = await readSet('pokemon-pocket', 'ptcgp', 'a1')
  t.equal(data.printings_in.count, 0)
  t.same(skus, [])
  t.match(said, 'No source names this set')
})
