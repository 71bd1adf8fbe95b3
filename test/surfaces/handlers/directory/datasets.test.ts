import t from 'tap'
import { answerOf } from '../../../../bin/ask.ts'
import { packageFolder } from '../../../../bin/roots.ts'
import { bundledDatabase } from '../../../support/bundled.ts'
import { generationOf } from '../../../support/serve-root.ts'

type Envelope = { data: { datasets: { id: string; name: string; license: string; availability: string }[] } }
type Linked = { dataset: { name: string; license?: string }[] }

const origin = 'https://cards.example'
const { url: databaseUrl } = await bundledDatabase(t)
const faults: unknown[] = []
const served = await generationOf(t, [packageFolder], { databaseUrl, baseUrl: origin, faults })
const read = async (url: string): Promise<unknown> =>
  JSON.parse(String((await answerOf(served, { method: 'GET', url, headers: {} })).body))

t.test('as linked data: every identifier and every address is at the origin that is served', async t => {
  const catalog = await read('/api/v1/datasets?format=jsonld')
  t.match(catalog, { '@context': 'https://schema.org', '@type': 'DataCatalog', '@id': `${origin}/api/v1/datasets` })
  const addresses = JSON.stringify(catalog).match(/"(?:@id|url|contentUrl)":"[^"]*"/g) ?? []
  t.ok(addresses.length > 10)
  t.same(
    addresses.filter(text => !text.includes(`:"${origin}`)),
    []
  )
})

t.test('as linked data: available datasets alone, a license only where there is one', async t => {
  const {
    data: { datasets }
  } = (await read('/api/v1/datasets')) as Envelope
  const { dataset: linked } = (await read('/api/v1/datasets?format=jsonld')) as Linked
  const available = datasets.filter(({ availability }) => availability === 'available')
  t.ok(available.length < datasets.length)
  t.same(
    linked.map(({ name, license }) => [name, license]),
    available.map(({ name, license }) => [
      name,
      license === 'CC0-1.0' ? 'https://creativecommons.org/publicdomain/zero/1.0/' : undefined
    ])
  )
  t.same(faults, [])
})
